//go:build unix && postgres

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"golang.org/x/sys/unix"

	"github.com/pactkit/pactkit/store/journal"
)

// Separate processes append to one history while they, the server, or both are killed. Each writes
// to its output what it is about to do and what the result was, with the time of the clock that all
// processes share; the tests compare that with the store at the end.

// roleVariable makes this test program a writer: its value is "NAME ADDRESS".
const roleVariable = "PACTKIT_TEST_WRITER"

const racedID = "raced"

func TestMain(m *testing.M) {
	if name, address, ok := strings.Cut(os.Getenv(roleVariable), " "); ok {
		if err := writeOn(name, address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// writeOn appends until standard input ends.
func writeOn(name, address string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		cancel()
	}()
	s, err := Open(ctx, address)
	for errors.Is(err, ErrUnavailable) && ctx.Err() == nil { // the server is being killed
		time.Sleep(5 * time.Millisecond)
		s, err = Open(ctx, address)
	}
	if err != nil && ctx.Err() != nil {
		return nil // it was stopped before it began
	}
	if err != nil {
		return err
	}
	defer s.Close()
	for n := 0; ctx.Err() == nil; n++ {
		began := clock()
		// The parent ends the loop, but does not interrupt a call.
		head, err := s.Head(context.Background(), racedID)
		if errors.Is(err, ErrUnavailable) {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		report("read", head, Version{}, began, clock())
		f := delta(head, fmt.Sprint(name, " ", n))
		began = clock()
		report("try", head, f.Version(), began, 0)
		switch _, err := s.Append(context.Background(), racedID, head, f); {
		case err == nil:
			report("won", head, f.Version(), began, clock())
		case errors.Is(err, ErrConflict):
			report("lost", head, f.Version(), began, clock())
		case errors.Is(err, ErrUnavailable):
			report("failed", head, f.Version(), began, clock())
		case !errors.Is(err, ErrUnknown):
			return err
		}
	}
	return nil
}

func clock() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano()
}

func report(what string, after, made Version, began, ended int64) {
	fmt.Printf("%s %d %s %d %s %d %d\n", what, after.Cycle, after.Digest, made.Cycle, orDash(made.Digest.String()), began, ended)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// call is a call that a writer has reported.
type call struct {
	what        string
	after, made journal.Digest
	client      int
	began, end  int64
}

// race is a set of writers on one history.
type race struct {
	t       *testing.T
	address string
	mu      sync.Mutex
	calls   []call
	begun   int
	first   Version
}

// newRace begins the history.
func newRace(t *testing.T, address string) *race {
	t.Helper()
	s := open(t, address)
	defer s.Close()
	first, err := s.Append(t.Context(), racedID, Version{}, firstAppend(racedID)...)
	if err != nil {
		t.Fatal(err)
	}
	return &race{t: t, address: address, first: first}
}

// writer is a process that appends.
type writer struct {
	cmd    *exec.Cmd
	stdin  interface{ Close() error }
	done   chan struct{}
	killed atomic.Bool
}

func (r *race) start() *writer {
	r.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	return r.run(exec.Command(exe), r.address)
}

// run starts a writer to a history at an address.
func (r *race) run(cmd *exec.Cmd, address string) *writer {
	r.t.Helper()
	r.begun++
	client := r.begun
	w := &writer{cmd: cmd, done: make(chan struct{})}
	w.cmd.Env = append(cmd.Environ(), fmt.Sprintf("%s=%d %s", roleVariable, client, address))
	w.cmd.Stderr = os.Stderr
	stdin, err := w.cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	w.stdin = stdin
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	go func() {
		defer close(w.done)
		for in := bufio.NewScanner(stdout); in.Scan(); {
			r.hear(client, in.Text())
		}
		if err := w.cmd.Wait(); err != nil && !w.killed.Load() {
			r.t.Errorf("writer %d: %v", client, err)
		}
	}()
	return w
}

// hear records what a writer has reported. A line that was cut off when the writer was killed has
// too few words.
func (r *race) hear(client int, line string) {
	words := strings.Fields(line)
	if len(words) != 7 {
		return
	}
	c := call{what: words[0], client: client}
	c.after, _ = journal.ParseDigest(words[2])
	c.made, _ = journal.ParseDigest(strings.Trim(words[4], "-"))
	c.began, _ = strconv.ParseInt(words[5], 10, 64)
	c.end, _ = strconv.ParseInt(words[6], 10, 64)
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
}

// wait waits until the writers have reported a word a number of times more.
func (r *race) wait(word string, times int) {
	r.t.Helper()
	from, deadline := 0, time.Now().Add(2*time.Minute)
	r.mu.Lock()
	from = len(r.calls)
	r.mu.Unlock()
	for heard := 0; heard < times; time.Sleep(10 * time.Millisecond) {
		heard = 0
		r.mu.Lock()
		for _, c := range r.calls[from:] {
			if c.what == word {
				heard++
			}
		}
		r.mu.Unlock()
		if time.Now().After(deadline) {
			r.t.Fatalf("the writers said %q %d times in two minutes, want %d", word, heard, times)
		}
	}
}

// kill ends a writer like a crash.
func (w *writer) kill() error {
	w.killed.Store(true)
	err := w.cmd.Process.Kill()
	<-w.done
	return err
}

// stop lets a writer finish its current call.
func (w *writer) stop() error {
	err := w.stdin.Close()
	<-w.done
	return err
}

// verdict compares what the writers reported with the content of the store, and prints the counts.
func (r *race) verdict(what string) {
	r.t.Helper()
	s := open(r.t, r.address)
	defer s.Close()
	frames, err := collect(s.Read(r.t.Context(), racedID, 0, math.MaxInt64))
	if err != nil {
		r.t.Fatal(err)
	}
	position := map[journal.Digest]int{}
	bodies := map[string]bool{}
	for i, f := range frames {
		if i > 0 && f.Digest != journal.Chain(frames[i-1].Digest, f.Body) {
			r.t.Fatalf("frame %d does not follow frame %d", i, i-1)
		}
		_, text, _ := strings.Cut(f.Body, `"delta"`)
		if text != "" && bodies[text] {
			r.t.Errorf("%s is there twice", text)
		}
		bodies[text] = true
		position[f.Digest] = i
	}
	if len(position) != len(frames) {
		r.t.Errorf("%d frames, and %d digests", len(frames), len(position))
	}
	counts := map[string]int{}
	answered := map[journal.Digest]bool{}
	for _, c := range r.calls {
		if c.what != "read" && c.what != "try" {
			answered[c.made] = true
		}
	}
	var ops []porcupine.Operation
	for _, c := range r.calls {
		_, there := position[c.made]
		switch c.what {
		case "try": // a call without a reported result: if its frame is there, it happened at any time since
			if answered[c.made] {
				continue
			}
			counts["unanswered"]++
			if !there {
				continue
			}
			counts["unanswered, there"]++
			c.what, c.end = "won", math.MaxInt64
		case "won":
			if !there {
				r.t.Errorf("an acknowledged frame is lost: %s", c.made)
			}
		case "lost", "failed":
			if there {
				r.t.Errorf("a refused frame is there: %s", c.made)
			}
		}
		counts[c.what]++
		if c.what != "failed" {
			ops = append(ops, porcupine.Operation{ClientId: c.client, Input: c, Output: c, Call: c.began, Return: c.end})
		}
	}
	if counts["won"] != len(frames)-2 {
		r.t.Errorf("%d appends succeeded, and %d frames are there", counts["won"], len(frames)-2)
	}
	begun := time.Now()
	result := porcupine.CheckOperationsTimeout(register(r.first.Digest), ops, time.Minute)
	if result != porcupine.Ok {
		r.t.Errorf("not linearizable: %s", result)
	}
	fmt.Printf("%s: %d writers, %d frames; %d won, %d lost, %d unanswered (%d of them there), %d reads; linearizable: %s, %d operations in %d ms\n",
		what, r.begun, len(frames)-2, counts["won"], counts["lost"], counts["unanswered"], counts["unanswered, there"], counts["read"], result, len(ops), time.Since(begun).Milliseconds())
}

// register models a history by its last digest. An append succeeds exactly if it follows that
// digest.
func register(first journal.Digest) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return first },
		Step: func(state, input, _ any) (bool, any) {
			now, c := state.(journal.Digest), input.(call)
			switch c.what {
			case "won":
				return now == c.after, c.made
			case "lost":
				return now != c.after, now
			}
			return now == c.after, now // read
		},
		Equal: func(a, b any) bool { return a == b },
	}
}

// TestRacingFile lets processes race for one history.
func TestRacingFile(t *testing.T) {
	for _, n := range []int{2, 8} {
		runRace(t, fmt.Sprintf("file, %d processes", n), "file:"+filepath.Join(t.TempDir(), strconv.Itoa(n)), n)
	}
}

func runRace(t *testing.T, what, address string, writers int) {
	t.Helper()
	r := newRace(t, address)
	var list []*writer
	for range writers {
		list = append(list, r.start())
	}
	time.Sleep(3 * time.Second)
	for _, w := range list {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	}
	r.verdict(what)
}

// kills is how often a writer, or the server, is killed.
const kills = 100

// killWriters repeatedly kills one of two writers.
func killWriters(t *testing.T, what, address string) {
	t.Helper()
	r := newRace(t, address)
	list := []*writer{r.start(), r.start()}
	for i := range kills {
		time.Sleep(time.Duration(40+7*(i%9)) * time.Millisecond)
		if err := list[i%2].kill(); err != nil {
			t.Fatal(err)
		}
		list[i%2] = r.start()
	}
	time.Sleep(200 * time.Millisecond)
	for _, w := range list {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	}
	r.verdict(fmt.Sprintf("%s, %d writers killed", what, kills))
}

func TestKilledWritersFile(t *testing.T) {
	killWriters(t, "file", "file:"+filepath.Join(t.TempDir(), "s"))
}

// TestRegister checks that the model of the races rejects wrong sequences.
func TestRegister(t *testing.T) {
	first, a, b := firstAppend("x")[1], delta(firstAppend("x")[1].Version(), "a"), delta(firstAppend("x")[1].Version(), "b")
	op := func(what string, after, made Frame, began, ended int64) porcupine.Operation {
		return porcupine.Operation{ClientId: int(began), Input: call{what: what, after: after.Digest, made: made.Digest}, Call: began, Return: ended}
	}
	for _, c := range []struct {
		name string
		ops  []porcupine.Operation
		want bool
	}{
		{"one wins", []porcupine.Operation{op("won", first, a, 1, 9), op("lost", first, b, 2, 8), op("read", a, Frame{}, 3, 7)}, true},
		{"both win", []porcupine.Operation{op("won", first, a, 1, 9), op("won", first, b, 2, 8)}, false},
		{"both lose", []porcupine.Operation{op("lost", first, a, 1, 9), op("lost", first, b, 2, 8)}, false},
		{"a read before", []porcupine.Operation{op("won", first, a, 5, 9), op("read", a, Frame{}, 1, 4)}, false},
		{"a read that forgets", []porcupine.Operation{op("won", first, a, 1, 2), op("read", first, Frame{}, 3, 4)}, false},
	} {
		if got := porcupine.CheckOperations(register(first.Digest), c.ops); got != c.want {
			t.Errorf("%s: linearizable is %v", c.name, got)
		}
	}
}
