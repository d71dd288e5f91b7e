// Command pactkit looks at the contexts of language models, and keeps their histories and the selectors that ask them.
// Under the name pactfmt it is its fmt verb, so that a package needs one file for both.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.ProgramOf(os.Args[0])))
}
