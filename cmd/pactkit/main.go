// Command pactkit works with PACT selectors: it formats them, explains them and more.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Pactkit))
}
