package tests

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"example.com/notes"
)

// open gives a store in a fresh folder, and the path of its file.
func open(t *testing.T) (*notes.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.db")
	store, err := notes.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store, path
}

func put(t *testing.T, store *notes.Store, notebook, title, body string) {
	t.Helper()
	if err := store.Put(notebook, title, body); err != nil {
		t.Fatal(err)
	}
}

// content is what bbolt itself finds in the file.
func content(t *testing.T, store *notes.Store, path string) map[string]map[string]string {
	t.Helper()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found := map[string]map[string]string{}
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			inner := map[string]string{}
			found[string(name)] = inner
			return bucket.ForEach(func(key, value []byte) error {
				inner[string(key)] = string(value)
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestPutWritesBucketsAndKeys(t *testing.T) {
	store, path := open(t)
	put(t, store, "home", "milk", "two litres")
	put(t, store, "home", "milk", "one litre")
	put(t, store, "work", "call", "at nine")
	want := map[string]map[string]string{
		"home": {"milk": "one litre"},
		"work": {"call": "at nine"},
	}
	if got := content(t, store, path); !reflect.DeepEqual(got, want) {
		t.Errorf("the file holds %v, want %v", got, want)
	}
}

func TestPutNeedsNames(t *testing.T) {
	store, _ := open(t)
	if err := store.Put("", "title", "body"); !errors.Is(err, notes.ErrName) {
		t.Errorf("an empty notebook gave %v", err)
	}
	if err := store.Put("home", "", "body"); !errors.Is(err, notes.ErrName) {
		t.Errorf("an empty title gave %v", err)
	}
}

func TestGet(t *testing.T) {
	store, _ := open(t)
	put(t, store, "home", "empty", "")
	put(t, store, "home", "milk", "two litres")
	body, err := store.Get("home", "milk")
	if err != nil {
		t.Fatal(err)
	}
	if body != "two litres" {
		t.Errorf("got %q", body)
	}
	if body, err := store.Get("home", "empty"); err != nil || body != "" {
		t.Errorf("an empty note gave %q, %v", body, err)
	}
}

func TestGetOfWhatIsNotThere(t *testing.T) {
	store, _ := open(t)
	put(t, store, "home", "milk", "two litres")
	if _, err := store.Get("home", "bread"); !errors.Is(err, notes.ErrNotFound) {
		t.Errorf("no such title gave %v", err)
	}
	if _, err := store.Get("work", "milk"); !errors.Is(err, notes.ErrNotFound) {
		t.Errorf("no such notebook gave %v", err)
	}
}

func TestTitlesAreInOrder(t *testing.T) {
	store, path := open(t)
	for _, title := range []string{"pear", "Apple", "apple", "fig"} {
		put(t, store, "fruit", title, "x")
	}
	titles, err := store.Titles("fruit")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Apple", "apple", "fig", "pear"}; !reflect.DeepEqual(titles, want) {
		t.Errorf("got %v, want %v", titles, want)
	}
	none, err := store.Titles("nuts")
	if err != nil {
		t.Fatal(err)
	}
	if len(none) != 0 {
		t.Errorf("an unknown notebook lists %v", none)
	}
	if _, made := content(t, store, path)["nuts"]; made {
		t.Error("asking for titles made a notebook")
	}
}

func TestCounts(t *testing.T) {
	store, _ := open(t)
	put(t, store, "home", "milk", "1")
	put(t, store, "home", "bread", "2")
	put(t, store, "work", "call", "3")
	put(t, store, "garden", "water", "4")
	if err := store.Move("work", "home", "call"); err != nil {
		t.Fatal(err)
	}
	counts, err := store.Counts()
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"garden": 1, "home": 3}; !reflect.DeepEqual(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}

func TestNotesOutliveTheStore(t *testing.T) {
	store, path := open(t)
	put(t, store, "home", "milk", "two litres")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := notes.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if body, _ := again.Get("home", "milk"); body != "two litres" {
		t.Errorf("got %q", body)
	}
}

func TestOpenGivesUpOnALockedFile(t *testing.T) {
	_, path := open(t)
	refused := make(chan error, 1)
	go func() {
		store, err := notes.Open(path)
		if err == nil {
			store.Close()
		}
		refused <- err
	}()
	var err error
	select {
	case err = <-refused:
	case <-time.After(5 * time.Second):
	}
	if err == nil {
		t.Error("a file that is open elsewhere was opened, or waited for without end")
	}
}
