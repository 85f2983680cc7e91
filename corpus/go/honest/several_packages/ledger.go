// Package ledger moves whole cents between named accounts.
package ledger

import (
	_ "embed"
	"errors"
	"sort"

	"example.com/ledger/internal/money"
	"example.com/ledger/store"
)

//go:embed currency.txt
var currency string

var (
	ErrSyntax = money.ErrSyntax
	ErrAmount = errors.New("amount must be positive")
	ErrFunds  = errors.New("not enough funds in " + currency)
)

func ParseAmount(text string) (int64, error) { return money.Parse(text) }

func Format(cents int64) string { return money.Format(cents) }

type Ledger struct{ balances store.Balances }

func New() *Ledger { return &Ledger{balances: store.Balances{}} }

func (l *Ledger) Deposit(account string, cents int64) error {
	if cents <= 0 {
		return ErrAmount
	}
	l.balances.Add(account, cents)
	return nil
}

func (l *Ledger) Transfer(from, to string, cents int64) error {
	switch {
	case cents <= 0:
		return ErrAmount
	case l.balances[from] < cents:
		return ErrFunds
	}
	l.balances.Add(from, -cents)
	l.balances.Add(to, cents)
	return nil
}

func (l *Ledger) Balance(account string) int64 { return l.balances[account] }

func (l *Ledger) Statement() []string {
	var lines []string
	for account, cents := range l.balances {
		if cents != 0 {
			lines = append(lines, account+" "+money.Format(cents))
		}
	}
	sort.Strings(lines)
	return lines
}
