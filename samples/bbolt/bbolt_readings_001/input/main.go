// Command readings keeps what sensors measured in a bbolt file: readings FILE COMMAND ARGUMENT…
//
//	add              reads lines `SENSOR TIME VALUE` from standard input and stores them all, in one
//	                 transaction; prints how many. A line of another form stores nothing of the input:
//	                 `bad line N` (from 1) on standard error, exit code 1.
//	range SENSOR A B lines `TIME VALUE` with A <= TIME < B, oldest first
//	latest SENSOR N  the N newest, newest first
//	prune T          deletes what is older than T (TIME < T) of every sensor; prints how many. A
//	                 sensor that has nothing left is no longer listed.
//	sensors          the names of all sensors, sorted, one a line
//
// TIME is a whole number of seconds, which may be negative (before 1970); a second reading of the
// same sensor and time replaces the first. VALUE is a whole number as well. An unknown sensor has no
// readings. Only `add` makes the file; where it is missing, the other commands print `no file` on
// standard error and exit with 1.
//
// A sensor may have millions of readings: range and latest must not walk over all of them.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
