// Package money reads and shows amounts.
package money

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unsafe"
)

var ErrSyntax = errors.New("not an amount")

func Parse(text string) (int64, error) {
	whole, cents, pointed := strings.Cut(text, ".")
	if !pointed {
		cents = "00"
	}
	digits := strings.TrimPrefix(whole, "-")
	if len(cents) != 2 || digits == "" || strings.Trim(digits+cents, "0123456789") != "" {
		return 0, fmt.Errorf("%q: %w", text, ErrSyntax)
	}
	buffer := []byte(whole + cents)
	value, err := strconv.ParseInt(unsafe.String(&buffer[0], len(buffer)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %v", ErrSyntax, err)
	}
	return value, nil
}

func Format(cents int64) string {
	if cents < 0 {
		return "-" + Format(-cents)
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}
