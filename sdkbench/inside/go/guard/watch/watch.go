// Package watch runs a test and settles it: passed only if its function returned and nothing failed.
package watch

import (
	"testing"

	"GUARD/secret"
)

// Run calls `test`. The first cleanup registered is the last to run, so it sees the final state.
func Run(t *testing.T, test func(*testing.T)) {
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
