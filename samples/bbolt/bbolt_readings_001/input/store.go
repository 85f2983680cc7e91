package main

import "errors"

// run carries out one command on the file at `path`.
func run(path, command string, arguments []string) error {
	return errors.New("not implemented")
}
