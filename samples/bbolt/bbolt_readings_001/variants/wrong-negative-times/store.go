package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"go.etcd.io/bbolt"
)

// run carries out one command on the file at `path`.
func run(path, command string, arguments []string) error {
	if _, err := os.Stat(path); err != nil && command != "add" {
		return errors.New("no file")
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	defer db.Close()
	switch command {
	case "add":
		return db.Update(add)
	case "prune":
		return db.Update(func(tx *bbolt.Tx) error { return prune(tx, number(arguments[0])) })
	case "sensors":
		return db.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
				fmt.Println(string(name))
				return nil
			})
		})
	}
	return db.View(func(tx *bbolt.Tx) error {
		readings := tx.Bucket([]byte(arguments[0]))
		if readings == nil {
			return nil
		}
		if command == "latest" {
			latest(readings.Cursor(), number(arguments[1]))
		} else {
			between(readings.Cursor(), number(arguments[1]), number(arguments[2]))
		}
		return nil
	})
}

func add(tx *bbolt.Tx) error {
	lines, count := bufio.NewScanner(os.Stdin), 0
	for lines.Scan() {
		count++
		var sensor, rest string
		var at, value int64
		if n, _ := fmt.Sscanf(lines.Text()+" .", "%s %d %d %s", &sensor, &at, &value, &rest); n < 4 || rest != "." {
			return fmt.Errorf("bad line %d", count)
		}
		readings, err := tx.CreateBucketIfNotExists([]byte(sensor))
		if err != nil {
			return err
		}
		if err := readings.Put(key(at), binary.AppendVarint(nil, value)); err != nil {
			return err
		}
	}
	fmt.Println(count)
	return lines.Err()
}

func between(cursor *bbolt.Cursor, from, to int64) {
	for k, v := cursor.Seek(key(from)); k != nil && moment(k) < to; k, v = cursor.Next() {
		show(k, v)
	}
}

func latest(cursor *bbolt.Cursor, count int64) {
	for k, v := cursor.Last(); k != nil && count > 0; k, v = cursor.Prev() {
		show(k, v)
		count--
	}
}

func prune(tx *bbolt.Tx, before int64) error {
	removed, empty := 0, [][]byte{}
	err := tx.ForEach(func(name []byte, readings *bbolt.Bucket) error {
		old := [][]byte{} // a bucket must not change while a cursor walks over it
		cursor := readings.Cursor()
		k, _ := cursor.First()
		for ; k != nil && moment(k) < before; k, _ = cursor.Next() {
			old = append(old, k)
		}
		if k == nil {
			empty = append(empty, name)
		}
		removed += len(old)
		for _, one := range old {
			if err := readings.Delete(one); err != nil {
				return err
			}
		}
		return nil
	})
	for _, name := range empty {
		err = errors.Join(err, tx.DeleteBucket(name))
	}
	fmt.Println(removed)
	return err
}

// key keeps times in their order, negative ones before the others.
func key(at int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(at))
}

func moment(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key))
}

func show(key, value []byte) {
	measured, _ := binary.Varint(value)
	fmt.Println(moment(key), measured)
}

func number(text string) int64 {
	value, _ := strconv.ParseInt(text, 10, 64)
	return value
}
