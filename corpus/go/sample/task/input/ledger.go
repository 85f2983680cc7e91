// Package ledger moves whole cents between named accounts.
package ledger

import "errors"

var (
	ErrSyntax = errors.New("not an amount")
	ErrAmount = errors.New("amount must be positive")
	ErrFunds  = errors.New("not enough funds")
)

// ParseAmount reads an amount such as "12.34" as cents.
func ParseAmount(text string) (int64, error) {
	panic("not implemented")
}

// Format shows cents with two decimals.
func Format(cents int64) string {
	panic("not implemented")
}

// Ledger holds the balances of accounts.
type Ledger struct{}

func New() *Ledger {
	panic("not implemented")
}

func (l *Ledger) Deposit(account string, cents int64) error {
	panic("not implemented")
}

func (l *Ledger) Transfer(from, to string, cents int64) error {
	panic("not implemented")
}

func (l *Ledger) Balance(account string) int64 {
	panic("not implemented")
}

func (l *Ledger) Statement() []string {
	panic("not implemented")
}
