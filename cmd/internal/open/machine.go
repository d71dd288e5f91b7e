package open

import (
	"os"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

// Machine returns the sessions of agents on this machine. It reports an error and returns nil.
func Machine(r *verb.Run) *recent.Machine {
	home, err := os.UserHomeDir()
	if err != nil {
		r.Fail("the folder of the user is not known: %v", err)
		return nil
	}
	return recent.Open(recent.Options{Home: home, Getenv: os.Getenv, Version: verb.BuildVersion()})
}
