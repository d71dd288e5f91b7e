//go:build unix

package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// forwarded are the signals that a Child sends to its command.
var forwarded = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGWINCH, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCONT}

// fromTerminal reports whether the terminal has sent a signal to the command, too. It sends some to
// all processes in its foreground, where the command is if this process is.
func fromTerminal(s os.Signal) bool {
	if s != os.Interrupt && s != syscall.SIGQUIT && s != syscall.SIGWINCH {
		return false
	}
	for fd := range 3 {
		if group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err == nil {
			return group == unix.Getpgrp()
		}
	}
	return false
}

func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}
