// Package watch runs a test and settles it: passed only if its function returned and nothing failed.
package watch

import (
	"flag"
	"fmt"
	"reflect"
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
// `compared` gives values of other packages that errors are compared with, by name. One that is nil is
// equal to no error at all: to call nothing wrong would be as good as to call it by that name.
//
// A process runs one test once. Tests may call each other, with their own T or that of a part; a second
// T of the whole test means that somebody had it run again.
func Run(t *testing.T, test func(*testing.T), compared func() map[string]any) {
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
		check(t, compared())
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
	check(t, compared())
	test(t)
	returned = true
}

func check(t *testing.T, compared map[string]any) {
	for name, value := range compared {
		if value == nil {
			t.Errorf("%s is nil, which is no error", name)
		}
	}
	if problem := leftOut(t); problem != "" {
		t.Errorf("parts of the test may be left out: %s", problem)
	}
}

// leftOut says why the testing package might run less than the whole test: judged code has started
// before it and may change its arguments. What it goes by is made before the test begins, and is not
// to be changed by safe code after that, as flags are; where it is kept differs from version to version.
func leftOut(t *testing.T) string {
	if testing.Short() {
		return "-test.short"
	}
	whole := "^" + t.Name() + "$"
	matcher := field(field(reflect.ValueOf(t), "tstate", "context"), "match")
	run, skip := field(matcher, "filter"), field(matcher, "skip")
	if !matcher.IsValid() || run.Kind() != reflect.Slice || skip.IsValid() && skip.Kind() != reflect.Slice {
		for name, value := range map[string]string{"test.run": whole, "test.skip": ""} {
			if set := flag.Lookup(name); set != nil && set.Value.String() != value {
				return fmt.Sprintf("-%s=%s", name, set.Value)
			}
		}
		return ""
	}
	if run.Len() != 1 || run.Index(0).Kind() != reflect.String || run.Index(0).String() != whole {
		return fmt.Sprintf("-test.run=%v", run)
	}
	if skip.IsValid() && skip.Len() > 0 {
		return fmt.Sprintf("-test.skip=%v", skip)
	}
	return ""
}

// field is the first of these that the value has, behind pointers and interfaces.
func field(value reflect.Value, names ...string) reflect.Value {
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	for _, name := range names {
		if found := value.FieldByName(name); found.IsValid() {
			for found.Kind() == reflect.Pointer || found.Kind() == reflect.Interface {
				found = found.Elem()
			}
			return found
		}
	}
	return reflect.Value{}
}
