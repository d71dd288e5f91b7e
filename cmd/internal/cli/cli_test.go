package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/selectors"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/config"
)

// A run that ends by itself keeps its exit code, however long the process takes to exit.
func TestSlowExit(t *testing.T) {
	if out, err := exec.Command("pactkit-slow-exit", "version").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// An interrupt leaves no half of a baseline, and reports that a list of selectors is cut short.
func TestInterruptedLists(t *testing.T) {
	for line, want := range map[string]string{
		"baseline write": "pactkit: interrupted: no baseline is written\n",
		"extract":        "pactkit: interrupted: 100 files not read\n",
	} {
		folder := t.TempDir()
		for i := range 100 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.pactsel", i)), []byte(".mt\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var errs, out bytes.Buffer
		r := &verb.Run{Program: verb.Pactkit, Args: append(strings.Fields(line), "--isolated", "."), Folder: folder, Out: bufio.NewWriter(&out), Err: &errs}
		if code := execute(ctx, r); code != verb.ExitInterrupted {
			t.Errorf("%s: exit code %d, %s", line, code, errs.String())
		}
		if got := regexp.MustCompile(`[0-9]+ files`).ReplaceAllString(errs.String(), "100 files"); got != want {
			t.Errorf("%s: %s", line, got)
		}
		if _, err := os.Stat(filepath.Join(folder, selectors.BaselineName)); !os.IsNotExist(err) {
			t.Errorf("%s: a baseline is there: %v", line, err)
		}
	}
}

// The styles of the configuration are those of the formatter.
func TestStylesAreKnown(t *testing.T) {
	for _, name := range config.Lookup("format.style").Values {
		if s, ok := format.ParseStyle(name); name != "auto" && (!ok || s.String() != name) {
			t.Errorf("the formatter has no style %q", name)
		}
	}
}
