// Command pact-lsp is the language server for selectors. It speaks the Language Server Protocol on
// standard input and output, or on a local port.
package main

import (
	"os"

	"github.com/pactkit/pactkit/cmd/internal/lspcli"
)

func main() {
	os.Exit(lspcli.Main())
}
