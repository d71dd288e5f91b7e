//go:build !unix

package process

import (
	"os"
	"syscall"
)

var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM}

// fromTerminal reports that a console interrupts all of its processes.
func fromTerminal(s os.Signal) bool { return s == os.Interrupt }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
