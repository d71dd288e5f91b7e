//go:build !unix

package process

import (
	"os"
	"syscall"
)

// forwarded are the signals that a Child sends to its command.
var forwarded = []os.Signal{os.Interrupt, syscall.SIGTERM}

// fromTerminal reports whether the console has sent a signal to the command, too.
func fromTerminal(s os.Signal) bool { return s == os.Interrupt }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
