// Command invites makes and redeems invitations, which are JWTs signed with HS256. The secret is the
// text of the file `secret` in the working folder. Commands are read from standard input, one a line:
//
//	invite EMAIL ROLE TIME   a token that is good from TIME on for 7 days (TIME: seconds since 1970)
//	redeem TOKEN TIME        EMAIL ROLE, as of TIME; or `error: ` and one of
//
//	                         invitation expired
//	                         invitation not yet valid
//	                         not an invitation
//
// The claims of an invitation are exactly: iss "invites", aud "members" (a plain text, as our mail
// service can't read a list there), sub (the e-mail address), role, nbf (TIME), exp (TIME and 7 days).
//
// A token is good from its nbf on, until the second before its exp. If its signature, algorithm,
// issuer or audience is wrong, or if it lacks sub, role or exp, it is not an invitation, whatever the
// time; only a token that is an invitation is told to be expired or not yet valid.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	secret, err := os.ReadFile("secret")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	office := Office{Secret: secret}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		at, _ := strconv.ParseInt(words[len(words)-1], 10, 64)
		var answer string
		if words[0] == "invite" {
			answer, err = office.Invite(words[1], words[2], at)
		} else {
			answer, err = office.Redeem(words[1], at)
		}
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Println(answer)
	}
}
