package main

import "encoding/binary"

// Keys decide the order in which bbolt keeps things. All of them are built here.

const highest = 9 // of priorities

// jobKey is big-endian, so that jobs are kept in the order of their ids.
func jobKey(id uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, id)
}

// placeKey sorts the highest priority first, then the lowest id.
func placeKey(job *Job) []byte {
	return append([]byte{byte(highest - job.Priority)}, jobKey(job.ID)...)
}
