package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"
)

var root = []byte("sensors")

func run(path, command string, arguments []string) error {
	if command != "add" {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return fmt.Errorf("no file")
		}
	}
	db, err := bolt.Open(path, 0o644, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin(command == "add" || command == "prune")
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var out strings.Builder
	if tx.Writable() {
		sensors, err := tx.CreateBucketIfNotExists(root)
		if err != nil {
			return err
		}
		if command == "add" {
			err = add(sensors, &out)
		} else {
			err = prune(sensors, arguments[0], &out)
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			return err
		}
	} else if sensors := tx.Bucket(root); sensors != nil {
		ask(sensors, command, arguments, &out)
	}
	fmt.Print(out.String())
	return nil
}

func ask(sensors *bolt.Bucket, command string, arguments []string, out *strings.Builder) {
	if command == "sensors" {
		sensors.ForEachBucket(func(name []byte) error {
			fmt.Fprintln(out, string(name))
			return nil
		})
		return
	}
	bucket := sensors.Bucket([]byte(arguments[0]))
	if bucket == nil {
		return
	}
	c := bucket.Cursor()
	first, _ := strconv.ParseInt(arguments[1], 10, 64)
	if command == "latest" {
		for k, v := c.Last(); k != nil && first > 0; k, v = c.Prev() {
			fmt.Fprintln(out, at(k), string(v))
			first--
		}
		return
	}
	end, _ := strconv.ParseInt(arguments[2], 10, 64)
	for k, v := c.Seek(place(first)); k != nil && at(k) < end; k, v = c.Next() {
		fmt.Fprintln(out, at(k), string(v))
	}
}

func add(sensors *bolt.Bucket, out *strings.Builder) error {
	scanner := bufio.NewScanner(os.Stdin)
	n := 0
	for ; scanner.Scan(); n++ {
		words := strings.Fields(scanner.Text())
		if len(words) != 3 {
			return fmt.Errorf("bad line %d", n+1)
		}
		when, err := strconv.ParseInt(words[1], 10, 64)
		if _, other := strconv.ParseInt(words[2], 10, 64); err != nil || other != nil {
			return fmt.Errorf("bad line %d", n+1)
		}
		bucket, err := sensors.CreateBucketIfNotExists([]byte(words[0]))
		if err != nil {
			return err
		}
		if err := bucket.Put(place(when), []byte(words[2])); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, n)
	return nil
}

func prune(sensors *bolt.Bucket, text string, out *strings.Builder) error {
	limit, _ := strconv.ParseInt(text, 10, 64)
	n := 0
	var names [][]byte
	sensors.ForEachBucket(func(name []byte) error {
		names = append(names, name)
		return nil
	})
	for _, name := range names {
		bucket := sensors.Bucket(name)
		for {
			k, _ := bucket.Cursor().First()
			if k == nil {
				if err := sensors.DeleteBucket(name); err != nil {
					return err
				}
				break
			}
			if at(k) >= limit {
				break
			}
			if err := bucket.Delete(k); err != nil {
				return err
			}
			n++
		}
	}
	fmt.Fprintln(out, n)
	return nil
}

func place(when int64) []byte {
	key := make([]byte, 8)
	binary.BigEndian.PutUint64(key, uint64(when-math.MinInt64))
	return key
}

func at(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key)) + math.MinInt64
}
