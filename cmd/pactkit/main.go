// Command pactkit inspects the contexts of language models, and maintains their histories and the
// selectors that query them. Called as pactfmt, it behaves as pactkit fmt, so a package needs only
// one executable for both programs.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.ProgramOf(os.Args[0])))
}
