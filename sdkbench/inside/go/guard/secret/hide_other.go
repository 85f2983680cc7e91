//go:build !linux

package secret

import "syscall"

// startedByHarness believes the environment, which judged code can set.
func startedByHarness() bool {
	const name = "SDKBENCH_WATCHED"
	_, found := syscall.Getenv(name)
	syscall.Unsetenv(name)
	return found
}

func hide() {}
