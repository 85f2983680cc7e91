// Package notes keeps notes in a bbolt file.
package notes

import (
	"errors"
	"time"
)

var (
	ErrName     = errors.New("notes: a notebook and a title need names")
	ErrNotFound = errors.New("notes: no such note")
	ErrExists   = errors.New("notes: there is a note of that title already")
)

// Store is an open file of notes.
type Store struct {
	file
}

// Open opens the file, which is made if it isn't there, and waits at most a second for its lock.
func Open(path string) (*Store, error) {
	opened, err := open(path, time.Second)
	return &Store{opened}, err
}

// Put writes a note, over one of the same title.
func (s *Store) Put(notebook, title, body string) error {
	if notebook == "" || title == "" {
		return ErrName
	}
	return s.change(func(t transaction) error { return t.write(notebook, title, body) })
}

// Get reads a note.
func (s *Store) Get(notebook, title string) (body string, err error) {
	err = s.look(func(t transaction) error {
		body, err = t.read(notebook, title)
		return err
	})
	return body, err
}

// Titles lists the titles of a notebook in their byte order.
func (s *Store) Titles(notebook string) (titles []string, err error) {
	err = s.look(func(t transaction) error {
		titles = t.titles(notebook)
		return nil
	})
	return titles, err
}

// Move takes a note from one notebook to another, all or nothing.
func (s *Store) Move(from, to, title string) error {
	if to == "" {
		return ErrName
	}
	return s.change(func(t transaction) error {
		body, err := t.read(from, title)
		if err != nil {
			return err
		}
		if _, err := t.read(to, title); err == nil {
			return ErrExists
		}
		return errors.Join(t.remove(from, title), t.write(to, title, body))
	})
}

// Counts tells how many notes each notebook holds; those without any are left out.
func (s *Store) Counts() (map[string]int, error) {
	counts := map[string]int{}
	err := s.look(func(t transaction) error {
		for _, notebook := range t.notebooks() {
			if size := len(t.titles(notebook)); size > 0 {
				counts[notebook] = size
			}
		}
		return nil
	})
	return counts, err
}
