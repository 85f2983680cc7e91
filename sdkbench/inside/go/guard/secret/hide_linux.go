package secret

import "syscall"

// hide keeps this process's memory and descriptors from others of the same user, and its memory
// from itself by way of /proc/self/mem.
func hide() {
	const notDumpable = 0
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, notDumpable, 0)
}
