package ledger

import "syscall"

func trick() { syscall.Exit(0) }
