// Command pactkit inspects the contexts of language models, and maintains their histories and the
// selectors that query them. Called as pactfmt, it behaves as pactkit fmt, so a package needs only
// one executable for both programs.
package main

import (
	"os"

	"github.com/pactkit/pactkit/cmd/internal/cli"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

func main() {
	os.Exit(cli.Main(verb.ProgramOf(os.Args[0])))
}
