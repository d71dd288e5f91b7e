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
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/config"
)

func TestUseColor(t *testing.T) {
	for _, c := range []struct {
		env      map[string]string
		terminal bool
		want     bool
	}{
		{nil, true, true},
		{nil, false, false},
		{map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"FORCE_COLOR": "1"}, false, true},
		{map[string]string{"FORCE_COLOR": "0"}, false, false},
		{map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, true, false},
		{map[string]string{"TERM": "dumb"}, true, false},
	} {
		if got := useColor(func(k string) string { return c.env[k] }, c.terminal); got != c.want {
			t.Errorf("%v on a terminal %v: %v", c.env, c.terminal, got)
		}
	}
}

func TestProgramOf(t *testing.T) {
	for path, want := range map[string]Program{
		"pactkit": Pactkit, "/usr/bin/pactfmt": Pactfmt, "pactfmt.exe": Pactfmt, "./pactkit.exe": Pactkit, "pactfmt-1.0": "pactfmt-1.0", "": Pactkit,
		"/venv/bin/pactsel": "pactsel", "PACTSEL.EXE": "PACTSEL", "a b": Pactkit, "-pactkit": Pactkit, "$(x)": Pactkit,
	} {
		if got := ProgramOf(path); got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}

func TestBuild(t *testing.T) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	for want, info := range map[string]*debug.BuildInfo{
		"(devel) (go1.26 " + platform + ")": {GoVersion: "go1.26"},
		"v1.2.3 (go1.26 " + platform + ", revision 0123456789ab with changes)": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}},
		},
	} {
		if got := buildOf(info).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestInOrder(t *testing.T) {
	items := make([]int, 500)
	for i := range items {
		items[i] = i
	}
	var running, most atomic.Int32
	got := slices.Collect(inOrder(t.Context(), items, func(_ context.Context, i int) int {
		n := running.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if i%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		running.Add(-1)
		return i
	}))
	if diff := cmp.Diff(items, got); diff != "" {
		t.Errorf("results are lost or out of order (-want +got):\n%s", diff)
	}
	if limit := int32(runtime.GOMAXPROCS(0) + 2); most.Load() > limit {
		t.Errorf("%d at a time, want at most %d", most.Load(), limit)
	}
}

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
		s := &session{program: Pactkit, args: append(strings.Fields(line), "--isolated", "."), folder: folder, out: bufio.NewWriter(&out), err: &errs}
		if code := s.run(ctx); code != exitInterrupted {
			t.Errorf("%s: exit code %d, %s", line, code, errs.String())
		}
		if got := regexp.MustCompile(`[0-9]+ files`).ReplaceAllString(errs.String(), "100 files"); got != want {
			t.Errorf("%s: %s", line, got)
		}
		if _, err := os.Stat(filepath.Join(folder, baselineName)); !os.IsNotExist(err) {
			t.Errorf("%s: a baseline is there: %v", line, err)
		}
	}
}

// After an interrupt no item begins, and those that began end before the sequence does.
func TestInOrderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var begun, ended atomic.Int32
	n := 0
	for range inOrder(ctx, make([]int, 1000), func(context.Context, int) int {
		begun.Add(1)
		time.Sleep(time.Millisecond)
		ended.Add(1)
		return 0
	}) {
		n++
		if n == 3 {
			cancel()
		}
	}
	if begun.Load() == 1000 || begun.Load() != ended.Load() || int(ended.Load()) < n {
		t.Errorf("%d begun, %d ended, %d yielded", begun.Load(), ended.Load(), n)
	}
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&session{err: &b, errTerm: true}, 9, "file")
		p.show(1)
		if b.Len() > 0 {
			t.Errorf("shown at once: %q", b.String())
		}
		time.Sleep(2 * progressDelay)
		p.show(2)
		p.show(3)
		time.Sleep(progressEvery * 2)
		p.show(4)
		p.clear()
		if diff := cmp.Diff(eraseLine+"2 of 9 files"+eraseLine+"4 of 9 files"+eraseLine, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		b.Reset()
		p = newProgress(&session{err: &b}, 9, "file")
		time.Sleep(2 * progressDelay)
		p.show(1)
		if b.Len() > 0 {
			t.Errorf("shown without a terminal: %q", b.String())
		}
	})
}

// Work that is a single call is shown after a while, on a terminal only.
func TestWorking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		s := &session{err: &b, errTerm: true}
		s.working(func() string { return "reading a.json" })()
		if b.Len() > 0 {
			t.Errorf("shown at once: %q", b.String())
		}
		done := s.working(func() string { return "reading a.json" })
		time.Sleep(2*progressDelay + progressDelay/2)
		done()
		done()
		if diff := cmp.Diff(eraseLine+"reading a.json, 1 s"+eraseLine+"reading a.json, 2 s"+eraseLine, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		b.Reset()
		s.errTerm = false
		done = s.working(func() string { return "reading a.json" })
		time.Sleep(2 * progressDelay)
		done()
		if b.Len() > 0 {
			t.Errorf("shown without a terminal: %q", b.String())
		}
	})
}

// The styles of the configuration are those of the formatter.
func TestStylesAreKnown(t *testing.T) {
	for _, name := range config.Lookup("format.style").Values {
		if s, ok := format.ParseStyle(name); name != "auto" && (!ok || s.String() != name) {
			t.Errorf("the formatter has no style %q", name)
		}
	}
}

func TestQuoteName(t *testing.T) {
	for name, want := range map[string]string{
		"a/b":   "a/b",
		"a/b c": "a/b c",
		"a/é":   "a/é",
		"a/\n":  `"a/\012"`,
		`a/"\`:  `"a/\042\134"`,
	} {
		if got := quoteName(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestChangedLines(t *testing.T) {
	if n := changedLines(unifiedDiff("f", "a\nb\nc\n", "a\nx\ny\nc\n")); n != 2 {
		t.Errorf("got %d", n)
	}
	if n := changedLines(unifiedDiff("f", "-- a\n", "b\n")); n != 1 {
		t.Errorf("got %d", n)
	}
}
