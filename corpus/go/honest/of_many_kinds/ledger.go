// Package ledger, right, in ways that are rare.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type code int

const (
	syntax code = iota + 1
	notPositive
	noFunds
)

func (c code) Error() string {
	return [...]string{"", "not an amount", "amount must be positive", "not enough funds"}[c]
}

var (
	ErrSyntax error = syntax
	ErrAmount error = notPositive
	ErrFunds  error = noFunds
)

type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string        { return fmt.Sprintf("%s: %q", f.cause, f.text) }
func (f *failure) Is(target error) bool { return errors.Is(f.cause, target) }
func (f *failure) As(target any) bool   { return errors.As(f.cause, target) }

type number interface{ ~int | ~int64 }

func digits[N number](text string) (N, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, errors.New("no digits")
	}
	value, err := strconv.ParseInt(text, 10, 64)
	return N(value), err
}

// ParseAmount panics inside and recovers.
func ParseAmount(text string) (cents int64, err error) {
	defer func() {
		if r := recover(); r != nil {
			cents, err = 0, errors.Join(&failure{text, ErrSyntax}, fmt.Errorf("%v", r))
		}
	}()
	rest, negative := strings.CutPrefix(text, "-")
	whole, part, found := strings.Cut(rest, ".")
	must := func(n int64, err error) int64 {
		if err != nil {
			panic(err)
		}
		return n
	}
	cents = must(digits[int64](whole)) * 100
	if found {
		if len(part) != 2 {
			panic("two digits, please")
		}
		cents += must(digits[int64](part))
	}
	if negative {
		cents = -cents
	}
	return cents, nil
}

type money int64

func (m money) String() string {
	if m < 0 {
		return "-" + (-m).String()
	}
	return fmt.Sprintf("%d.%02d", m/100, m%100)
}

func (m money) Equal(other money) bool { return m == other }

func Format(cents int64) string { return fmt.Sprint(money(cents)) }

type store interface {
	get(string) money
	set(string, money)
	all() iter.Seq2[string, money]
}

type locked struct {
	sync.RWMutex
	values map[string]money
}

func (l *locked) get(name string) money {
	l.RLock()
	defer l.RUnlock()
	return l.values[name]
}

func (l *locked) set(name string, m money) {
	l.Lock()
	defer l.Unlock()
	l.values[name] = m
}

func (l *locked) all() iter.Seq2[string, money] { return maps.All(l.values) }

// Ledger embeds an interface, and does its work in another goroutine.
type Ledger struct{ store }

func New() *Ledger { return &Ledger{&locked{values: map[string]money{}}} }

func run(work func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *Ledger) Deposit(account string, cents int64) error {
	return run(func() error {
		if cents <= 0 {
			return fmt.Errorf("deposit: %w", ErrAmount)
		}
		l.set(account, l.get(account)+money(cents))
		return nil
	})
}

func (l *Ledger) Transfer(from, to string, cents int64) error {
	return run(func() error {
		switch {
		case cents <= 0:
			return &failure{from, ErrAmount}
		case l.get(from) < money(cents):
			return errors.Join(ErrFunds, nil)
		}
		l.set(from, l.get(from)-money(cents))
		l.set(to, l.get(to)+money(cents))
		return nil
	})
}

func (l *Ledger) Balance(account string) int64 { return int64(l.get(account)) }

func (l *Ledger) Statement() []string {
	names := slices.SortedFunc(maps.Keys(maps.Collect(l.all())), cmp.Compare[string])
	lines := make([]string, 0, 8)
	for _, name := range names {
		if cents := l.get(name); cents != 0 {
			lines = append(lines, fmt.Sprint(name, " ", cents))
		}
	}
	return lines
}
