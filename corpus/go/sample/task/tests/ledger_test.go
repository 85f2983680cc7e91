package tests

import (
	"errors"
	"reflect"
	"testing"

	"example.com/ledger"
)

func filled(t *testing.T) *ledger.Ledger {
	t.Helper()
	book := ledger.New()
	for account, cents := range map[string]int64{"rent": 50000, "food": 12050} {
		if err := book.Deposit(account, cents); err != nil {
			t.Fatal(err)
		}
	}
	return book
}

func TestDeposit(t *testing.T) {
	book := filled(t)
	if err := book.Deposit("food", 950); err != nil {
		t.Fatal(err)
	}
	if got := book.Balance("food"); got != 13000 {
		t.Errorf("got %d, want 13000", got)
	}
	if got := book.Balance("nobody"); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}

func TestDepositRefusesZero(t *testing.T) {
	book := filled(t)
	if err := book.Deposit("food", 0); !errors.Is(err, ledger.ErrAmount) {
		t.Errorf("got %v, want ErrAmount", err)
	}
	if got := book.Balance("food"); got != 12050 {
		t.Errorf("got %d, want 12050", got)
	}
}

func TestTransfer(t *testing.T) {
	book := filled(t)
	if err := book.Transfer("rent", "food", 20000); err != nil {
		t.Fatal(err)
	}
	got := []int64{book.Balance("rent"), book.Balance("food")}
	if !reflect.DeepEqual(got, []int64{30000, 32050}) {
		t.Errorf("got %v", got)
	}
}

func TestTransferNeedsFunds(t *testing.T) {
	book := filled(t)
	err := book.Transfer("food", "rent", 12051)
	if !errors.Is(err, ledger.ErrFunds) {
		t.Errorf("got %v, want ErrFunds", err)
	}
	if got := book.Balance("rent") + book.Balance("food"); got != 62050 {
		t.Errorf("got %d, want 62050", got)
	}
}

func TestStatement(t *testing.T) {
	book := filled(t)
	if err := book.Transfer("food", "fun", 12050); err != nil {
		t.Fatal(err)
	}
	want := []string{"fun 120.50", "rent 500.00"}
	if got := book.Statement(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
