package notes

import (
	"time"

	"go.etcd.io/bbolt"
)

type file struct{ db *bbolt.DB }

type transaction struct{ *bbolt.Tx }

func open(path string, wait time.Duration) (file, error) {
	db, err := bbolt.Open(path, 0o644, &bbolt.Options{Timeout: wait})
	return file{db}, err
}

func (f file) Close() error { return f.db.Close() }

func (f file) look(do func(transaction) error) error {
	return f.db.View(func(tx *bbolt.Tx) error { return do(transaction{tx}) })
}

func (f file) change(do func(transaction) error) error {
	return f.db.Update(func(tx *bbolt.Tx) error { return do(transaction{tx}) })
}

func (t transaction) read(notebook, title string) (string, error) {
	bucket := t.Bucket([]byte(notebook))
	if bucket == nil {
		return "", ErrNotFound
	}
	cursor := bucket.Cursor()
	if key, value := cursor.Seek([]byte(title)); key != nil && string(key) == title {
		return string(value), nil
	}
	return "", ErrNotFound
}

func (t transaction) write(notebook, title, body string) error {
	bucket, err := t.CreateBucketIfNotExists([]byte(notebook))
	if err != nil {
		return err
	}
	return bucket.Put([]byte(title), []byte(body))
}

func (t transaction) remove(notebook, title string) error {
	return t.Bucket([]byte(notebook)).Delete([]byte(title))
}

func (t transaction) titles(notebook string) []string {
	var found []string
	if bucket := t.Bucket([]byte(notebook)); bucket != nil {
		bucket.ForEach(func(key, _ []byte) error {
			found = append(found, string(key))
			return nil
		})
	}
	return found
}

func (t transaction) notebooks() []string {
	var found []string
	t.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		found = append(found, string(name))
		return nil
	})
	return found
}
