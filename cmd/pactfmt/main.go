// Command pactfmt formats PACT selectors, as pactkit fmt does.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Pactfmt))
}
