package ledger

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(1) }

func TestBroken(t *testing.T) { t.Fatal("a test of the solution's own") }
