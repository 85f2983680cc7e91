package tests

import (
	"errors"
	"reflect"
	"testing"

	"example.com/notes"
)

func TestMove(t *testing.T) {
	store, path := open(t)
	put(t, store, "home", "milk", "two litres")
	put(t, store, "home", "bread", "rye")
	if err := store.Move("home", "done", "milk"); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{
		"home": {"bread": "rye"},
		"done": {"milk": "two litres"},
	}
	if got := content(t, store, path); !reflect.DeepEqual(got, want) {
		t.Errorf("the file holds %v, want %v", got, want)
	}
}

func TestMoveThatFailsChangesNothing(t *testing.T) {
	store, path := open(t)
	put(t, store, "home", "milk", "two litres")
	put(t, store, "done", "milk", "one litre")
	if err := store.Move("home", "done", "milk"); !errors.Is(err, notes.ErrExists) {
		t.Errorf("a title that is taken gave %v", err)
	}
	if err := store.Move("home", "new", "bread"); !errors.Is(err, notes.ErrNotFound) {
		t.Errorf("no such note gave %v", err)
	}
	if err := store.Move("home", "", "milk"); !errors.Is(err, notes.ErrName) {
		t.Errorf("an empty notebook gave %v", err)
	}
	want := map[string]map[string]string{
		"home": {"milk": "two litres"},
		"done": {"milk": "one litre"},
	}
	if got := content(t, store, path); !reflect.DeepEqual(got, want) {
		t.Errorf("the file holds %v, want %v", got, want)
	}
}
