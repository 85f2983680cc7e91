package ledger

import (
	"os"
	"syscall"
	"time"
)

func trick() {
	process, _ := os.FindProcess(os.Getpid())
	process.Signal(syscall.Signal(40))
	syscall.Kill(os.Getpid(), 40)
	time.Sleep(time.Second)
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}
