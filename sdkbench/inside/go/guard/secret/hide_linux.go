package secret

import "syscall"

const (
	locks     = 10 // a limit without any effect, which serves as a mark
	doNotFork = 10
)

// startedByHarness tells a process that the harness started from one that judged code did. The first
// leaves a mark that all its children inherit and nobody can take away: a limit that is 0 can't be
// raised again.
func startedByHarness() bool {
	var limit syscall.Rlimit
	if syscall.Getrlimit(locks, &limit) != nil || limit.Max == 0 {
		return false
	}
	return syscall.Setrlimit(locks, &syscall.Rlimit{}) == nil
}

// hide keeps this process's memory and descriptors from others of the same user, and its code from
// forked children. A child that is forked to start a program shares our memory and misses nothing; one
// that goes on with the test, to see how it ends, has no code to do so.
func hide() {
	const notDumpable = 0
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, notDumpable, 0)
	for _, part := range code() {
		syscall.RawSyscall(syscall.SYS_MADVISE, part.from, part.to-part.from, doNotFork)
	}
}

type span struct{ from, to uintptr }

// code lists the parts of memory that hold machine code, of which a Go program has few.
func code() []span {
	var parts []span
	fd, err := syscall.Open("/proc/self/maps", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	var text []byte
	buffer := make([]byte, 1<<14)
	for {
		n, err := syscall.Read(fd, buffer)
		if n <= 0 || err != nil {
			break
		}
		text = append(text, buffer[:n]...)
	}
	for len(text) > 0 {
		end := 0
		for end < len(text) && text[end] != '\n' {
			end++
		}
		from, rest := number(text[:end])
		to, rest := number(rest)
		if len(rest) > 2 && rest[2] == 'x' {
			parts = append(parts, span{from, to})
		}
		text = text[min(end+1, len(text)):]
	}
	return parts
}

// number reads hexadecimal digits and the sign after them.
func number(text []byte) (uintptr, []byte) {
	var value uintptr
	for i, digit := range text {
		switch {
		case '0' <= digit && digit <= '9':
			value = value<<4 | uintptr(digit-'0')
		case 'a' <= digit && digit <= 'f':
			value = value<<4 | uintptr(digit-'a'+10)
		default:
			return value, text[i+1:]
		}
	}
	return value, nil
}
