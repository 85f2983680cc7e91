// Package store keeps balances.
package store

type Balances map[string]int64

func (b Balances) Add(account string, cents int64) { b[account] += cents }
