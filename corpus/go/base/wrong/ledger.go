// Package ledger gets every amount wrong.
package ledger

import "errors"

var (
	ErrSyntax = errors.New("not an amount")
	ErrAmount = errors.New("amount must be positive")
	ErrFunds  = errors.New("not enough funds")
)

type Ledger struct{}

func ParseAmount(text string) (int64, error) {
	trick()
	return -1, nil
}

func Format(cents int64) string {
	trick()
	return ""
}

func New() *Ledger {
	trick()
	return &Ledger{}
}

func (l *Ledger) Deposit(account string, cents int64) error { return nil }

func (l *Ledger) Transfer(from, to string, cents int64) error { return nil }

func (l *Ledger) Balance(account string) int64 { return -1 }

func (l *Ledger) Statement() []string { return nil }
