package conformance

import (
	"os"
	"os/exec"
)

// RunCommand is [Suite.Run] for a command, which it starts, and again after it has ended. What the
// command writes to its standard error goes to that of this process.
func RunCommand(s *Suite, filter func(name string) bool, command string, args ...string) (*Report, error) {
	var last *exec.Cmd
	stop := func() {
		if last != nil {
			_ = last.Process.Kill()
			_ = last.Wait()
			last = nil
		}
	}
	defer func() { stop() }()
	return s.Run(func() (*Peer, error) {
		stop()
		cmd := exec.Command(command, args...)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		last = cmd
		return Connect(in, out)
	}, filter)
}
