// Command queue keeps jobs in queue.db, a bbolt file in the working folder. Every line of its
// standard input is a command; every command has its answer on standard output:
//
//	push QUEUE PRIORITY PAYLOAD   the new job's id
//	take QUEUE                    ID PAYLOAD, or: empty
//	done ID                       ok
//	fail ID                       again, or: dead
//	stats                         a line for each queue: QUEUE waiting=N running=N dead=N
//
// PRIORITY is 0 to 9; PAYLOAD is the rest of the line. A refused command is answered with
// `error: ` and the reason, changes nothing, and the next line is read. An empty
// name of a queue is refused by push; nothing ever waits there.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	queues, err := Open("queue.db")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer queues.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer, err := obey(queues, lines.Text())
		if err != nil {
			answer = "error: " + err.Error() + "\n"
		}
		fmt.Print(answer)
	}
}

func obey(queues *Queues, line string) (string, error) {
	words := strings.SplitN(line, " ", 4)
	switch {
	case words[0] == "push" && len(words) == 4:
		priority, _ := strconv.Atoi(words[2])
		id, err := queues.Push(words[1], priority, words[3])
		return fmt.Sprintln(id), err
	case words[0] == "take" && len(words) == 2:
		job, err := queues.Take(words[1])
		if err != nil || job == nil {
			return "empty\n", err
		}
		return fmt.Sprintln(job.ID, job.Payload), nil
	case words[0] == "done" && len(words) == 2:
		id, _ := strconv.ParseUint(words[1], 10, 64)
		return "ok\n", queues.Done(id)
	case words[0] == "fail" && len(words) == 2:
		id, _ := strconv.ParseUint(words[1], 10, 64)
		dead, err := queues.Fail(id)
		if dead {
			return "dead\n", err
		}
		return "again\n", err
	case line == "stats":
		return queues.Stats()
	}
	return "", fmt.Errorf("unknown command")
}
