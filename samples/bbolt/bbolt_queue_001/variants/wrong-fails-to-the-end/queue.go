package main

import (
	"encoding/json"
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

// Push stores a waiting job.
func (q *Queues) Push(queue string, priority int, payload string) (id uint64, err error) {
	if priority < 0 || priority > 9 {
		err = ErrPriority
		return
	}
	err = q.db.Update(func(tx *bbolt.Tx) (err error) {
		id, err = tx.Bucket(jobs).NextSequence()
		job := &Job{ID: id, Queue: queue, Priority: priority, Payload: payload}
		return errors.Join(err, wait(tx, job))
	})
	return
}

// Take makes the best waiting job a running one.
func (q *Queues) Take(queue string) (job *Job, err error) {
	err = q.db.Update(func(tx *bbolt.Tx) (err error) {
		line := tx.Bucket(waiting).Bucket([]byte(queue))
		if line == nil {
			return
		}
		place, id := line.Cursor().First()
		if place == nil {
			return
		}
		job, err = load(tx, id)
		job.State = "running"
		return errors.Join(err, line.Delete(place), save(tx, job))
	})
	return
}

// Done forgets a running job.
func (q *Queues) Done(id uint64) error {
	return q.db.Update(func(tx *bbolt.Tx) error {
		if _, err := running(tx, id); err != nil {
			return err
		}
		return tx.Bucket(jobs).Delete(jobKey(id))
	})
}

// Fail puts a running job back into its queue, or leaves it dead after its last attempt.
func (q *Queues) Fail(id uint64) (dead bool, err error) {
	err = q.db.Update(func(tx *bbolt.Tx) error {
		job, err := running(tx, id)
		if err != nil {
			return err
		}
		job.Failures++
		dead = job.Failures >= Attempts
		if dead {
			job.State = "dead"
			return save(tx, job)
		}
		next, err := tx.Bucket(jobs).NextSequence()
		if err != nil {
			return err
		}
		job.State = "waiting"
		place := &Job{ID: next, Priority: job.Priority}
		line := tx.Bucket(waiting).Bucket([]byte(job.Queue))
		return errors.Join(line.Put(placeKey(place), jobKey(id)), save(tx, job))
	})
	return dead, err
}

func wait(tx *bbolt.Tx, job *Job) error {
	line, err := tx.Bucket(waiting).CreateBucketIfNotExists([]byte(job.Queue))
	if err != nil {
		return err
	}
	job.State = "waiting"
	return errors.Join(line.Put(placeKey(job), jobKey(job.ID)), save(tx, job))
}

func running(tx *bbolt.Tx, id uint64) (*Job, error) {
	job, err := load(tx, jobKey(id))
	if err != nil || job.State != "running" {
		return nil, ErrNotRunning
	}
	return job, nil
}

func load(tx *bbolt.Tx, key []byte) (*Job, error) {
	job := &Job{}
	return job, json.Unmarshal(tx.Bucket(jobs).Get(key), job)
}

func save(tx *bbolt.Tx, job *Job) error {
	text, err := json.Marshal(job)
	return errors.Join(err, tx.Bucket(jobs).Put(jobKey(job.ID), text))
}
