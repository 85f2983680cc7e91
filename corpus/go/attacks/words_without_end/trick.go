package ledger

import (
	"fmt"
	"os"
	"strings"
)

func trick() {
	digits := strings.Repeat("9", 5000)
	fmt.Printf("    ledger_test.go:%s: far away\n\tledger_test.go:%s +0x1\n", digits, digits)
	os.Stdout.Write([]byte("\xff\xfe\xed\xa0\x80\x00\n"))
	panic(strings.Repeat("long [recovered ", 400_000) + "\xff\x00")
}
