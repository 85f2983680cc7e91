package main

import (
	"fmt"
	"sort"

	bolt "go.etcd.io/bbolt"
)

func (q *Queues) Stats() (told string, err error) {
	counts := map[string]*[3]int{}
	err = q.change(func(bucket *bolt.Bucket) error {
		return bucket.ForEach(func(_, data []byte) error {
			job, err := decode(data)
			if counts[job.Queue] == nil {
				counts[job.Queue] = new([3]int)
			}
			counts[job.Queue][map[string]int{"waiting": 0, "running": 1, "dead": 2}[job.State]]++
			return err
		})
	})
	names := []string{}
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		n := counts[name]
		told += fmt.Sprintf("%s waiting=%d running=%d dead=%d\n", name, n[0], n[1], n[2])
	}
	return told, err
}
