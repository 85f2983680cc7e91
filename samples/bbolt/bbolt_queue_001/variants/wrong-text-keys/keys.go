package main

import "strconv"

const highest = 9 // of priorities

func jobKey(id uint64) []byte {
	return []byte(strconv.FormatUint(id, 10))
}

func placeKey(job *Job) []byte {
	return append([]byte{byte(highest - job.Priority)}, jobKey(job.ID)...)
}
