//go:build unix && postgres && languages

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/pgserver"
	"github.com/pactkit/pactkit/store/journal"
)

// textsOfWriter is how often each writer of TestRacingLanguages has to win.
const textsOfWriter = 20

// TestRacingLanguages lets programs in Go, Python and TypeScript race for one history on
// PostgreSQL, each through the contexts of its language. What they read and committed is
// linearizable. Here a digest is that of the text that a commit adds, which no other commit does.
// A writer that has won often enough stops. So the fastest cannot keep the others from winning for
// ever.
func TestRacingLanguages(t *testing.T) {
	program, dist := filepath.Join(t.TempDir(), "pactkit"), t.TempDir()
	for _, cmd := range [][]string{
		{"go", "build", "-o", program, "../cmd/pactkit"},
		{"node", "../npm/node_modules/typescript/bin/tsc", "--project", "../npm", "--outDir", dist},
	} {
		if out, err := exec.CommandContext(t.Context(), cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dist, "package.json"), []byte(`{"type":"module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		r := &race{t: t, address: newSchema(t, server)}
		s := open(t, r.address)
		defer s.Close()
		begin := attach(t, s, racedID)
		say(t, begin.Context(), "begin")
		if _, err := begin.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		var list []*writer
		var inGo sync.WaitGroup
		for range 2 {
			for _, cmd := range []*exec.Cmd{
				exec.Command("python3", "testdata/writer.py"), exec.Command("node", "testdata/writer.mjs", filepath.Join(dist, "index.js")),
			} {
				cmd.Env = append(os.Environ(), "PACTKIT_BINARY="+program, fmt.Sprint("TEXTS=", textsOfWriter),
					"PYTHONPATH=../python/src", "PYTHONDONTWRITEBYTECODE=1")
				list = append(list, r.run(cmd, JoinAddress(r.address, racedID)))
			}
		}
		r.waitForAll(len(list), 1) // Go needs less time to start
		for range 2 {
			r.begun++
			client := r.begun
			inGo.Go(func() { r.writeTexts(client) })
		}
		r.waitForAll(r.begun, textsOfWriter)
		inGo.Wait()
		for _, w := range list {
			<-w.done
		}
		r.textVerdict()
	})
}

// waitForAll waits until each writer has committed a number of times.
func (r *race) waitForAll(writers, times int) {
	r.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		won := map[int]int{}
		done := 0
		r.mu.Lock()
		for _, c := range r.calls {
			if c.what == "won" {
				if won[c.client]++; won[c.client] == times {
					done++
				}
			}
		}
		r.mu.Unlock()
		if done == writers {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("not every writer has committed %d times in five minutes: %v", times, won)
		}
	}
}

// textVerdict compares what the writers reported with the texts in the store.
func (r *race) textVerdict() {
	r.t.Helper()
	s := open(r.t, r.address)
	defer s.Close()
	position := map[journal.Digest]int{}
	for n := range attach(r.t, s, racedID).Context().Working().All() {
		if text, ok := n.Content().Text(); ok {
			position[textDigest(text)] = len(position)
		}
	}
	counts := map[string]int{}
	won := map[int]int{}
	var ops []porcupine.Operation
	for _, c := range r.calls {
		at, there := position[c.made]
		switch {
		case c.what == "won" && (!there || position[c.after] != at-1):
			r.t.Errorf("an acknowledged commit is not where it was made: %v", c)
		case c.what == "lost" && there:
			r.t.Errorf("a refused commit is there: %v", c)
		case c.what == "won":
			won[c.client]++
		}
		counts[c.what]++
		ops = append(ops, porcupine.Operation{ClientId: c.client, Input: c, Output: c, Call: c.began, Return: c.end})
	}
	if counts["won"] != len(position)-1 || counts["lost"] == 0 {
		r.t.Errorf("%d commits succeeded, %d were refused, and %d texts are there", counts["won"], counts["lost"], len(position)-1)
	}
	result := porcupine.CheckOperationsTimeout(register(textDigest("begin")), ops, time.Minute)
	if result != porcupine.Ok {
		r.t.Errorf("not linearizable: %s", result)
	}
	fmt.Printf("Python, TypeScript and Go, two of each: %d won (%v by writer), %d lost, %d reads; linearizable: %s\n",
		counts["won"], won, counts["lost"], counts["read"], result)
}

func textDigest(text string) journal.Digest { return sha256.Sum256([]byte(text)) }

// writeTexts is the writer in Go.
func (r *race) writeTexts(client int) {
	s, err := Open(r.t.Context(), r.address)
	if err != nil {
		r.t.Error(err)
		return
	}
	defer s.Close()
	l, err := Attach(r.t.Context(), s, racedID, engine.Options{})
	record := func(what string, after, made string, began int64) {
		c := call{what: what, client: client, after: textDigest(after), began: began, end: clock()}
		if made != "" {
			c.made = textDigest(made)
		}
		r.mu.Lock()
		r.calls = append(r.calls, c)
		r.mu.Unlock()
	}
	won := 0
	for n := 0; err == nil && won < textsOfWriter; n++ {
		began := clock()
		if err = l.Reload(r.t.Context()); err != nil {
			break
		}
		last := ""
		for n := range l.Context().Working().All() {
			if text, ok := n.Content().Text(); ok {
				last = text
			}
		}
		record("read", last, "", began)
		made := fmt.Sprint("go ", client, " ", n)
		say(r.t, l.Context(), made)
		began = clock()
		if _, err = l.Commit(r.t.Context()); err == nil {
			record("won", last, made, began)
			won++
		} else if errors.Is(err, ErrConflict) {
			record("lost", last, made, began)
			err = nil
		}
	}
	if err != nil {
		r.t.Error(err)
	}
}
