package ledger

func trick()
