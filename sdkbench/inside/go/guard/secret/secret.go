// Package secret holds what makes a verdict ours: a secret and the descriptor that verdicts go to.
//
// It imports nothing but syscall, and its path comes before every other: it is initialised before
// any judged code can run.
package secret

import "syscall"

const (
	secretFD   = 3
	verdictFD  = 4
	secretSize = 64
	broken     = 70
)

var value [secretSize]byte

// Not so in a process that a test started: it has no verdict.
var active bool

func init() {
	if !startedByHarness() {
		if !testsStartThemselves {
			syscall.Exit(broken)
		}
		return
	}
	active = true
	hide()
	syscall.CloseOnExec(verdictFD)
	for size := 0; size < secretSize; {
		n, err := syscall.Read(secretFD, value[size:])
		if n <= 0 || err != nil {
			syscall.Exit(broken)
		}
		size += n
	}
	syscall.Close(secretFD)
}

// Settle tells the harness what became of the test `name`.
func Settle(name, status string) {
	if !active {
		return
	}
	line := append(value[:len(value):len(value)], (" " + status + " " + name + "\n")...)
	for len(line) > 0 {
		n, err := syscall.Write(verdictFD, line)
		if err != nil {
			syscall.Exit(broken)
		}
		line = line[n:]
	}
}
