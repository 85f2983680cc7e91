package ledger

func trick() {
	for {
	}
}
