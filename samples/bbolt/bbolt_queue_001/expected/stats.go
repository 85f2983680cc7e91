package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
)

// Stats tells how many jobs of each queue are in each state.
func (q *Queues) Stats() (string, error) {
	counts := map[string]map[string]int{}
	err := q.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(jobs).ForEach(func(_, text []byte) error {
			var job Job
			err := json.Unmarshal(text, &job)
			if counts[job.Queue] == nil {
				counts[job.Queue] = map[string]int{}
			}
			counts[job.Queue][job.State]++
			return err
		})
	})
	var told strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		of := counts[name]
		fmt.Fprintf(&told, "%s waiting=%d running=%d dead=%d\n", name, of["waiting"], of["running"], of["dead"])
	}
	return told.String(), err
}
