package ledger

import "no-such-host.invalid/module"

func trick() { module.Trick() }
