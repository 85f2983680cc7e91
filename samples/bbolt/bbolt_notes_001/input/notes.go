// Package notes keeps notes in a bbolt file.
//
// TODO: implement it with go.etcd.io/bbolt. Every notebook is a bucket at the top of the file, every
// note a key (its title) with a value (its body) in it.
package notes

import "errors"

var (
	ErrName     = errors.New("notes: a notebook and a title need names")
	ErrNotFound = errors.New("notes: no such note")
	ErrExists   = errors.New("notes: there is a note of that title already")
)

// Store is an open file of notes.
type Store struct{}

// Open opens the file, which is made if it isn't there, and waits at most a second for its lock.
func Open(path string) (*Store, error) {
	return nil, errors.New("not implemented")
}

// Close releases the file.
func (s *Store) Close() error {
	return errors.New("not implemented")
}

// Put writes a note, over one of the same title. An empty notebook or title is ErrName.
func (s *Store) Put(notebook, title, body string) error {
	return errors.New("not implemented")
}

// Get reads a note; ErrNotFound if the notebook or the note isn't there.
func (s *Store) Get(notebook, title string) (string, error) {
	return "", errors.New("not implemented")
}

// Titles lists the titles of a notebook in their byte order; none for one that isn't there.
func (s *Store) Titles(notebook string) ([]string, error) {
	return nil, errors.New("not implemented")
}

// Move takes a note from one notebook to another, all or nothing. ErrNotFound if it isn't there,
// ErrExists if the other notebook has a note of that title, ErrName if `to` is empty.
func (s *Store) Move(from, to, title string) error {
	return errors.New("not implemented")
}

// Counts tells how many notes each notebook holds; those without any are left out.
func (s *Store) Counts() (map[string]int, error) {
	return nil, errors.New("not implemented")
}
