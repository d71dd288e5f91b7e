//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func makePipe(path string) error { return syscall.Mkfifo(path, 0o644) }

// reportPeak is the program peak: it runs a command, and writes to a file how many KiB of memory it
// took.
func reportPeak(args []string) int {
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run()
	if err := os.WriteFile(args[0], fmt.Append(nil, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss), 0o600); err != nil {
		panic(err)
	}
	return cmd.ProcessState.ExitCode()
}
