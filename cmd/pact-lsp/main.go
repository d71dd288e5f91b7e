// Command pact-lsp is the language server of selectors. It speaks the Language Server Protocol on
// standard input and output, or on a port of this machine.
package main

import (
	"os"

	"github.com/pactkit/pactkit/internal/lspcli"
)

func main() {
	os.Exit(lspcli.Main())
}
