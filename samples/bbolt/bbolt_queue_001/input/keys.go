package main

// Keys decide the order in which bbolt keeps things. All of them are built here.
//
// TODO: the key of a job, and the key of its place in its queue.
