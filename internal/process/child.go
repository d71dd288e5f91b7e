package process

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// Child runs commands with the streams of this process, and passes signals on to them.
type Child struct{ signals chan os.Signal }

// NewChild takes over the signals of the process: from now on they do not end it. A signal that the
// process was started to ignore stays ignored, in the command too.
func NewChild() *Child {
	c := &Child{signals: make(chan os.Signal, 16)}
	var list []os.Signal
	for _, s := range passedOn {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	signal.Reset(list...)
	if len(list) > 0 {
		signal.Notify(c.signals, list...)
	}
	return c
}

// Run runs a command, waits for it, and returns the exit code that a shell would report. A command
// that a signal ended has 128 plus the number of the signal. If the command is not found, the code
// is 127; if it cannot be started, 126. In both cases err says why.
func (c *Child) Run(args, environment []string, folder string) (code int, err error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Dir = environment, folder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return 127, err
		}
		return 126, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-c.signals:
			if !fromTerminal(s) {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		case <-ended:
			return exitCode(cmd.ProcessState), nil
		}
	}
}

// Wait waits for a signal that asks the process to end.
func (c *Child) Wait() {
	for s := range c.signals {
		if s == os.Interrupt || s == syscall.SIGTERM || s == syscall.SIGHUP {
			return
		}
	}
}

// Release gives the signals back: the next one ends the process.
func (c *Child) Release() { signal.Reset() }
