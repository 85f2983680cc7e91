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
//
// This was written for github.com/boltdb/bolt, which is no longer maintained; go.mod names
// go.etcd.io/bbolt already. Files that the old program wrote must stay readable.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/boltdb/bolt"
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
			answer = string(group.Get([]byte(words[2])))
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
				names = append(names, string(name))
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

// move copies what is in the group and deletes it. TODO: groups in it get lost on the way.
func move(tx *bolt.Tx, path, to string) error {
	from := findGroup(tx, path)
	target, _ := makeGroup(tx, to+"/"+path)
	from.ForEach(func(name, phone []byte) error {
		return target.Put(name, phone)
	})
	return tx.DeleteBucket([]byte(path))
}

func findGroup(tx *bolt.Tx, path string) *bolt.Bucket {
	parts := strings.Split(path, "/")
	group := tx.Bucket([]byte(parts[0]))
	for _, part := range parts[1:] {
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
