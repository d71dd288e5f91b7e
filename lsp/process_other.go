//go:build !unix

package lsp

import "os"

// signalZero is not supported here: the end of standard input shows that the client is gone.
func signalZero(*os.Process) bool { return true }
