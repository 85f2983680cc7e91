package tests

import (
	"errors"
	"testing"

	"example.com/ledger"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]int64{"12.34": 1234, "-0.05": -5, "7": 700} {
		got, err := ledger.ParseAmount(text)
		if err != nil || got != want {
			t.Errorf("ParseAmount(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	got, err := ledger.ParseAmount("1000.01")
	if err != nil {
		t.Fatal(err)
	}
	if got != 100001 {
		t.Errorf("got %d, want 100001", got)
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for _, text := range []string{"", "1.2", "1,00", "x", "1.234", "--1"} {
		t.Run(text, func(t *testing.T) {
			if _, err := ledger.ParseAmount(text); !errors.Is(err, ledger.ErrSyntax) {
				t.Errorf("got %v, want ErrSyntax", err)
			}
		})
	}
	_, err := ledger.ParseAmount("12.3.4")
	if !errors.Is(err, ledger.ErrSyntax) {
		t.Errorf("got %v, want ErrSyntax", err)
	}
	if errors.Is(err, ledger.ErrFunds) {
		t.Errorf("%v is no lack of funds", err)
	}
}

func TestFormat(t *testing.T) {
	if got := ledger.Format(1234); got != "12.34" {
		t.Errorf("got %q", got)
	}
	if got := ledger.Format(-5); got != "-0.05" {
		t.Errorf("got %q", got)
	}
}

func TestFormatAndParseAgree(t *testing.T) {
	for _, cents := range []int64{0, 9, 100, -100, 98765} {
		got, err := ledger.ParseAmount(ledger.Format(cents))
		if err != nil {
			t.Fatal(err)
		}
		if got != cents {
			t.Fatalf("got %d, want %d", got, cents)
		}
	}
}
