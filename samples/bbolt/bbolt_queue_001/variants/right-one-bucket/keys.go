package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// A single bucket holds all jobs; the waiting ones of a queue are found by comparing.

func jobKey(id uint64) []byte {
	return []byte(fmt.Sprintf("%020d", id))
}

func encode(job Job) ([]byte, error) {
	var buffer bytes.Buffer
	err := gob.NewEncoder(&buffer).Encode(job)
	return buffer.Bytes(), err
}

func decode(data []byte) (job Job, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&job)
	return job, err
}
