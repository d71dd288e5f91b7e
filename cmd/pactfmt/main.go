// Command pactfmt formats PACT selectors, as pactkit fmt does.
package main

import (
	"os"

	"github.com/pactkit/pactkit/cmd/internal/cli"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

func main() {
	os.Exit(cli.Main(verb.Pactfmt))
}
