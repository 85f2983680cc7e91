// Package notes keeps notes in a bbolt file.
package notes

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"
)

var (
	ErrName     = errors.New("notes: a notebook and a title need names")
	ErrNotFound = errors.New("notes: no such note")
	ErrExists   = errors.New("notes: there is a note of that title already")
)

const lockTimeout = time.Second

// Store is an open file of notes.
type Store struct {
	db *bbolt.DB
}

// Open opens the file, which is made if it isn't there, and waits at most a second for its lock.
func Open(path string) (*Store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout})
	if err != nil {
		return nil, err
	}
	return &Store{db: db}, nil
}

// Close releases the file.
func (s *Store) Close() error {
	return s.db.Close()
}

// Put writes a note, over one of the same title.
func (s *Store) Put(notebook, title, body string) error {
	if notebook == "" || title == "" {
		return ErrName
	}
	return s.db.Update(func(tx *bbolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte(notebook))
		if err != nil {
			return err
		}
		return bucket.Put([]byte(title), []byte(body))
	})
}

// Get reads a note.
func (s *Store) Get(notebook, title string) (string, error) {
	body := ""
	err := s.db.View(func(tx *bbolt.Tx) error {
		value, err := find(tx, notebook, title)
		body = string(value)
		return err
	})
	return body, err
}

// Titles lists the titles of a notebook in their byte order.
func (s *Store) Titles(notebook string) ([]string, error) {
	titles := []string{}
	err := s.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(notebook))
		if bucket == nil {
			return nil
		}
		return bucket.ForEach(func(key, _ []byte) error {
			titles = append(titles, string(key))
			return nil
		})
	})
	return titles, err
}

// Move takes a note from one notebook to another.
func (s *Store) Move(from, to, title string) error {
	if to == "" {
		return ErrName
	}
	body, err := s.Get(from, title)
	if err != nil {
		return err
	}
	err = s.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(from)).Delete([]byte(title))
	})
	if err != nil {
		return err
	}
	if _, err := s.Get(to, title); err == nil {
		return ErrExists
	}
	return s.Put(to, title, body)
}

// Counts tells how many notes each notebook holds; those without any are left out.
func (s *Store) Counts() (map[string]int, error) {
	counts := map[string]int{}
	err := s.db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			if size := bucket.Stats().KeyN; size > 0 {
				counts[string(name)] = size
			}
			return nil
		})
	})
	return counts, err
}

func find(tx *bbolt.Tx, notebook, title string) ([]byte, error) {
	bucket := tx.Bucket([]byte(notebook))
	if bucket == nil {
		return nil, ErrNotFound
	}
	value := bucket.Get([]byte(title))
	if value == nil {
		return nil, ErrNotFound
	}
	return value, nil
}
