// Command contacts keeps telephone numbers in contacts.db. Groups are buckets, which may hold groups;
// PATH names one from the top, with slashes: work/berlin. Every line of standard input is a command:
//
//	set PATH NAME PHONE  ok; makes the groups that are missing
//	get PATH NAME        the number, or: error: not found
//	list PATH            the names in that very group, sorted, with blanks between them (an empty
//	                     line if there are none), or: error: not found
//	move PATH TO         ok; the group with everything in it becomes a group of TO, under the last
//	                     part of PATH. TO may be `.`, the top. Groups of TO that are missing are made.
//
// move is refused, and changes nothing, with
//
//	error: not found     there is no group PATH
//	error: exists        TO has something of that name already
//	error: into itself   TO is PATH, or lies in it
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

var (
	errNotFound = errors.New("not found")
	errExists   = errors.New("exists")
	errItself   = errors.New("into itself")
)

func main() {
	db, err := bolt.Open("contacts.db", 0600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer, err := obey(db, strings.Fields(lines.Text()))
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Println(answer)
	}
}

func obey(db *bolt.DB, words []string) (answer string, err error) {
	answer = "ok"
	switch words[0] {
	case "set":
		err = db.Update(func(tx *bolt.Tx) error {
			group, err := makeGroup(tx, words[1])
			if err != nil {
				return err
			}
			return group.Put([]byte(words[2]), []byte(words[3]))
		})
	case "get":
		err = db.View(func(tx *bolt.Tx) error {
			group := findGroup(tx, words[1])
			if group == nil {
				return errNotFound
			}
			phone := group.Get([]byte(words[2]))
			if phone == nil {
				return errNotFound
			}
			answer = string(phone)
			return nil
		})
	case "list":
		err = db.View(func(tx *bolt.Tx) error {
			group := findGroup(tx, words[1])
			if group == nil {
				return errNotFound
			}
			names := []string{}
			group.ForEach(func(name, phone []byte) error {
				if phone != nil { // else it is a group
					names = append(names, string(name))
				}
				return nil
			})
			answer = strings.Join(names, " ")
			return nil
		})
	case "move":
		err = db.Update(func(tx *bolt.Tx) error { return move(tx, words[1], words[2]) })
	}
	return answer, err
}

// move hands the bucket over as it is, with all that is in it.
func move(tx *bolt.Tx, path, to string) error {
	above, name := "", path
	if cut := strings.LastIndex(path, "/"); cut >= 0 {
		above, name = path[:cut], path[cut+1:]
	}
	if findGroup(tx, path) == nil {
		return errNotFound
	}
	if to == path || strings.HasPrefix(to, path+"/") {
		return errItself
	}
	var target *bolt.Bucket
	if to == "." {
		if tx.Bucket([]byte(name)) != nil {
			return errExists
		}
	} else {
		into, err := makeGroup(tx, to)
		if err != nil {
			return err
		}
		if into.Bucket([]byte(name)) != nil || into.Get([]byte(name)) != nil {
			return errExists
		}
	}
	target, err := makeGroup(tx, strings.TrimPrefix(to+"/"+name, "./"))
	if err != nil {
		return err
	}
	if err := copyAll(findGroup(tx, path), target); err != nil {
		return err
	}
	if above == "" {
		return tx.DeleteBucket([]byte(name))
	}
	return findGroup(tx, above).DeleteBucket([]byte(name))
}

func copyAll(from, to *bolt.Bucket) error {
	return from.ForEach(func(name, phone []byte) error {
		if phone != nil {
			return to.Put(name, phone)
		}
		return nil
	})
}

func findGroup(tx *bolt.Tx, path string) *bolt.Bucket {
	parts := strings.Split(path, "/")
	group := tx.Bucket([]byte(parts[0]))
	for _, part := range parts[1:] {
		if group == nil {
			return nil
		}
		group = group.Bucket([]byte(part))
	}
	return group
}

func makeGroup(tx *bolt.Tx, path string) (*bolt.Bucket, error) {
	parts := strings.Split(path, "/")
	group, err := tx.CreateBucketIfNotExists([]byte(parts[0]))
	for _, part := range parts[1:] {
		if err != nil {
			return nil, err
		}
		group, err = group.CreateBucketIfNotExists([]byte(part))
	}
	return group, err
}
