//go:build !unix

package lsp

import "os"

// signalZero is not supported here. The server ends with its standard input.
func signalZero(*os.Process) bool { return true }
