package main

import "errors"

// Stats tells how many jobs of each queue are in each state, a line for each queue that has any, by
// name. A queue without jobs is left out.
func (q *Queues) Stats() (string, error) {
	return "", errors.New("not implemented")
}
