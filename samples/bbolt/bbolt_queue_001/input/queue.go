package main

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"
)

var (
	ErrPriority   = errors.New("a priority is 0 to 9")
	ErrNotRunning = errors.New("no such running job")
)

// Attempts is how often a job may fail: with the third failure it is dead.
const Attempts = 3

const lockTimeout = 2 * time.Second

var (
	jobs    = []byte("jobs")    // id → job
	waiting = []byte("waiting") // a bucket for each queue: place → id
)

// Job is a job as it is stored.
type Job struct {
	ID       uint64
	Queue    string
	Priority int
	Payload  string
	Failures int
	State    string // waiting, running or dead
}

// Queues is the open file.
type Queues struct {
	db *bbolt.DB
}

// Open opens the file, which is made if it isn't there; it waits two seconds at most for its lock.
func Open(path string) (*Queues, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, first := tx.CreateBucketIfNotExists(jobs)
		_, second := tx.CreateBucketIfNotExists(waiting)
		return errors.Join(first, second)
	})
	return &Queues{db}, err
}

// Close releases the file.
func (q *Queues) Close() error {
	return q.db.Close()
}

// Push stores a waiting job. Ids count from 1 over all queues and runs; none is given twice, and a
// refused push uses none up. ErrPriority if the priority is not 0 to 9.
func (q *Queues) Push(queue string, priority int, payload string) (uint64, error) {
	return 0, errors.New("not implemented")
}

// Take makes the waiting job of the highest priority a running one; of equals, the one with the
// lowest id. Nil if none waits.
func (q *Queues) Take(queue string) (*Job, error) {
	return nil, errors.New("not implemented")
}

// Done forgets a running job. ErrNotRunning if there is no running job of that id.
func (q *Queues) Done(id uint64) error {
	return errors.New("not implemented")
}

// Fail puts a running job back into its queue, where its old place is its own again, or leaves it
// dead after its last attempt. ErrNotRunning if there is no running job of that id.
func (q *Queues) Fail(id uint64) (dead bool, err error) {
	return false, errors.New("not implemented")
}
