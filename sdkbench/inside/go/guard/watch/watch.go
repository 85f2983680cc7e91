// Package watch runs a test and settles it: passed only if its function returned and nothing failed.
package watch

import (
	"strings"
	"sync"
	"testing"

	"GUARD/secret"
)

var (
	lock  sync.Mutex
	first *testing.T
)

// Run calls `test`. The first cleanup registered is the last to run, so it sees the final state.
//
// A process runs one test once. Tests may call each other, with their own T or that of a part; a second
// T of the whole test means that somebody had it run again.
func Run(t *testing.T, test func(*testing.T)) {
	lock.Lock()
	ours := first == nil
	if ours {
		first = t
	}
	again := t != first && !strings.Contains(t.Name(), "/")
	lock.Unlock()
	if again {
		secret.Settle(t.Name(), "again")
	}
	if !ours {
		test(t)
		return
	}
	returned := false
	t.Cleanup(func() {
		switch {
		case t.Failed():
			secret.Settle(t.Name(), "failed")
		case t.Skipped():
			secret.Settle(t.Name(), "skipped")
		case returned:
			secret.Settle(t.Name(), "passed")
		default:
			secret.Settle(t.Name(), "left")
		}
	})
	test(t)
	returned = true
}
