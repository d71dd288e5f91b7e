//go:build unix

package process

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"testing"
)

// role is the variable that makes the test program a process of TestIgnored.
const role = "PACTKIT_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "parent":
		code, err := NewChild().Run([]string{os.Args[0]}, []string{role + "=child"}, ".")
		if err != nil {
			fmt.Println(err)
		}
		os.Exit(code)
	case "child":
		ignored := signal.Ignored(os.Interrupt)
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		fmt.Println("ignored:", ignored)
		<-c
		os.Exit(9)
	}
	os.Exit(m.Run())
}

// TestIgnored forwards a signal that the process was started to ignore, as those in the background
// of a script are, to a command that waits for it.
func TestIgnored(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap "" INT; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=parent")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "ignored: true\n" {
		t.Errorf("%q", line)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
		t.Errorf("%v", err)
	}
}
