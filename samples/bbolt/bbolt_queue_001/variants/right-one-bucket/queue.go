package main

import (
	"errors"
	"time"

	bolt "go.etcd.io/bbolt"
)

var (
	ErrPriority   = errors.New("a priority is 0 to 9")
	ErrNotRunning = errors.New("no such running job")
)

const Attempts = 3

type Job struct {
	ID       uint64
	Queue    string
	Priority int
	Payload  string
	Failures int
	State    string
}

type Queues struct {
	*bolt.DB
}

func Open(path string) (*Queues, error) {
	db, err := bolt.Open(path, 0o644, &bolt.Options{Timeout: 2 * time.Second})
	if err != nil {
		return nil, err
	}
	return &Queues{db}, nil
}

func (q *Queues) change(do func(*bolt.Bucket) error) error {
	return q.Update(func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte("all"))
		if err != nil {
			return err
		}
		return do(bucket)
	})
}

func put(bucket *bolt.Bucket, job Job) error {
	data, err := encode(job)
	if err != nil {
		return err
	}
	return bucket.Put(jobKey(job.ID), data)
}

func (q *Queues) Push(queue string, priority int, payload string) (uint64, error) {
	if queue == "" {
		return 0, errors.New("no name")
	}
	if priority < 0 || priority > 9 {
		return 0, ErrPriority
	}
	var id uint64
	return id, q.change(func(bucket *bolt.Bucket) (err error) {
		if id, err = bucket.NextSequence(); err != nil {
			return err
		}
		return put(bucket, Job{ID: id, Queue: queue, Priority: priority, Payload: payload, State: "waiting"})
	})
}

func (q *Queues) Take(queue string) (best *Job, err error) {
	err = q.change(func(bucket *bolt.Bucket) error {
		err := bucket.ForEach(func(_, data []byte) error {
			job, err := decode(data)
			if job.Queue == queue && job.State == "waiting" && (best == nil || job.Priority > best.Priority) {
				best = &job
			}
			return err
		})
		if err != nil || best == nil {
			return err
		}
		best.State = "running"
		return put(bucket, *best)
	})
	return best, err
}

func (q *Queues) running(bucket *bolt.Bucket, id uint64) (Job, error) {
	data := bucket.Get(jobKey(id))
	if data == nil {
		return Job{}, ErrNotRunning
	}
	job, err := decode(data)
	if err == nil && job.State != "running" {
		err = ErrNotRunning
	}
	return job, err
}

func (q *Queues) Done(id uint64) error {
	return q.change(func(bucket *bolt.Bucket) error {
		if _, err := q.running(bucket, id); err != nil {
			return err
		}
		return bucket.Delete(jobKey(id))
	})
}

func (q *Queues) Fail(id uint64) (dead bool, err error) {
	err = q.change(func(bucket *bolt.Bucket) error {
		job, err := q.running(bucket, id)
		if err != nil {
			return err
		}
		job.Failures++
		job.State = "waiting"
		if dead = job.Failures == Attempts; dead {
			job.State = "dead"
		}
		return put(bucket, job)
	})
	return dead, err
}
