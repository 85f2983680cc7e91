// Command inspect sorts out tokens from a log: inspect SECRET AUDIENCE. It reads one token a line from
// standard input, and prints one word for each:
//
//	ok SUBJECT       signed with HS256 and the secret, not over, begun, and meant for the audience
//	expired          all of that, but its time is over
//	early            all of that, but its time has not begun (nbf)
//	elsewhere        signed and in time, but for another audience, or for none
//	forged           of HS256 by its header, but the signature is not ours
//	foreign          a token of another algorithm (none included)
//	broken           no JWT at all
//
// If more than one word fits, it is the first in the order: broken, foreign, forged, expired, early,
// elsewhere. A token without exp never expires. A token without a subject has the subject `-`.
// Blanks around a token do not matter; an empty line is skipped.
//
// After the last line it prints how many there were of each word, in the order of the list above, as
// `TOTAL word=N …`, leaving out words that did not occur: `TOTAL ok=2 expired=1`. If it read no
// token, that is `TOTAL`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

var words = []string{"ok", "expired", "early", "elsewhere", "forged", "foreign", "broken"}

func main() {
	secret, audience := []byte(os.Args[1]), os.Args[2]
	counts := map[string]int{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" {
			word, subject := Sort(text, secret, audience)
			counts[word]++
			fmt.Println(strings.TrimSpace(word + " " + subject))
		}
	}
	total := "TOTAL"
	for _, word := range words {
		if counts[word] > 0 {
			total += fmt.Sprintf(" %s=%d", word, counts[word])
		}
	}
	fmt.Println(total)
}
