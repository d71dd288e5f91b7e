// Command pactfmt formats PACT selectors: it is the fmt verb of pactkit.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Pactfmt))
}
