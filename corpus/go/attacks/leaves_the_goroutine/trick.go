package ledger

import (
	"runtime"
	"syscall"
	"time"
)

func trick() {
	go func() {
		time.Sleep(time.Millisecond)
		syscall.Exit(0)
	}()
	runtime.Goexit()
}
