package process

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"slices"
)

// Child runs commands with the streams of this process and forwards signals to them.
type Child struct{ signals chan os.Signal }

// NewChild takes over the signals of the process, which then no longer end it. The caller calls
// Release.
func NewChild() *Child {
	c := &Child{signals: make(chan os.Signal, 16)}
	if list := notIgnored(forwarded); len(list) > 0 { // an empty list means all signals
		signal.Reset(list...)
		signal.Notify(c.signals, list...)
	}
	return c
}

// Run runs a command in a folder, waits for it and returns the exit code that a shell would report:
// 128 plus the number of the signal if a signal ended the command, 127 if it is not found, and 126
// if it cannot be started. Only the last two return an error. The variables, NAME=VALUE, are added
// to the environment of this process and replace those with the same name. The command ignores the
// signals that the process was started to ignore, unless it says otherwise itself.
func (c *Child) Run(args, variables []string, folder string) (code int, err error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Dir = append(os.Environ(), variables...), folder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return 127, err
		}
		return 126, err
	}
	signal.Notify(c.signals, forwarded...) // not before: the command would not ignore those that are ignored
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
		if slices.Contains(endSignals, s) {
			return
		}
	}
}

// Release restores the default handling of signals: the next one ends the process.
func (c *Child) Release() { signal.Reset() }
