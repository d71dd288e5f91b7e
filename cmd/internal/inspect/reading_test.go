package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// frames returns a history as the frames of a journal, to which each snapshot was appended by
// itself.
func frames(t *testing.T) []journal.Frame {
	t.Helper()
	one, err := sessions.One(t.Context(), logs+"/edit.eval", sessions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []journal.Frame
	head := journal.NewHead(journal.About{ID: "x"})
	for s := range one.Timeline.Sealed() {
		more, next, err := head.Snapshot(s)
		if err != nil {
			t.Fatal(err)
		}
		list, head = append(list, more...), next
	}
	return list
}

// lines returns frames as the lines of a file.
func lines(list []journal.Frame) []byte {
	var out []byte
	for _, f := range list {
		out = f.AppendLine(out)
	}
	return out
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// look returns what is new in a reading compared with a history.
func look(t *testing.T, r *reading, h *history) *history {
	t.Helper()
	next, err := r.look(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestJournal reads a journal that grows, is interrupted while it is written, is damaged, and is
// replaced.
func TestJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	all := frames(t)
	text, half := lines(all), len(lines(all[:4]))
	write(t, name, text[:half])
	src, err := Open(t.Context(), []string{name}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := src.reading(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	first := r.latest()
	if next := look(t, r, first); next != first {
		t.Error("there is something new in a file that has not changed")
	}

	write(t, name, text[:half+10])
	if next := look(t, r, first); next != first {
		t.Error("a part of a line is something new")
	}
	write(t, name, text)
	grown := look(t, r, first)
	if len(grown.States) <= len(first.States) || grown.States[0] != first.States[0] {
		t.Errorf("%d steps after %d, which were read again: %t", len(grown.States), len(first.States), grown.States[0] != first.States[0])
	}
	if n := common(first, grown); n < len(first.States)-1 {
		t.Errorf("%d steps are kept of %d", n, len(first.States))
	}

	damaged := bytes.Replace(text, []byte(`"delta"`), []byte(`"dalte"`), 1)
	if bytes.Equal(damaged, text) {
		t.Fatal("the journal has no delta")
	}
	write(t, name+".new", damaged)
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
	bad := look(t, r, grown)
	if !strings.Contains(bad.problem, string(journal.ErrDigest)) && !strings.Contains(bad.problem, "digest") {
		t.Errorf("the problem is %q", bad.problem)
	}
	if next := look(t, r, bad); next != bad {
		t.Error("a damaged file is read again")
	}

	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	gone := look(t, r, bad)
	if gone.problem == "" || len(gone.States) == 0 {
		t.Errorf("a file that is gone shows %d steps and says %q", len(gone.States), gone.problem)
	}
	write(t, name, text[:half])
	if again := look(t, r, gone); again.problem != "" || len(again.States) != len(first.States) {
		t.Errorf("a file that is back has %d steps and says %q", len(again.States), again.problem)
	}
}

// TestParts reads a journal whose first part holds no whole line, and comes to its end.
func TestParts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	text := lines(frames(t))
	write(t, name, text)
	j := &journalFile{path: name, name: name}
	j.restart()
	j.part = 16
	got := 0
	for {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := j.read(t.Context(), f, int64(len(text)))
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
		got += n
	}
	if j.offset != int64(len(text)) || got != bytes.Count(text, []byte("\n")) {
		t.Errorf("%d lines and %d bytes of %d", got, j.offset, len(text))
	}
}

// TestNothing opens journals that hold nothing to show.
func TestNothing(t *testing.T) {
	text := lines(frames(t))
	for what, text := range map[string][]byte{
		"the header alone":  text[:bytes.IndexByte(text, '\n')+1],
		"half a header":     text[:bytes.IndexByte(text, '\n')-5],
		"a damaged header":  bytes.Replace(text, []byte(`"id":"x"`), []byte(`"id":"y"`), 1),
		"a line of another": append(text[:bytes.IndexByte(text, '\n')+1:bytes.IndexByte(text, '\n')+1], "{}\n"...),
	} {
		name := filepath.Join(t.TempDir(), "x.jsonl")
		write(t, name, text)
		if _, err := Open(t.Context(), []string{name}, sessions.Options{}, Known{}); err == nil {
			t.Errorf("%s was opened", what)
		}
	}
}

// TestStore looks at histories in a folder.
func TestStore(t *testing.T) { storeIsShown(t, "file:"+t.TempDir()) }

// storeIsShown lists the histories of a store, which is empty before, follows one, and saves a test
// of it.
func storeIsShown(t *testing.T, place string) {
	st, err := store.Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all := frames(t)
	at, err := st.Append(t.Context(), "one", store.Version{}, all[:4]...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Append(t.Context(), "two", store.Version{}, all...); err != nil {
		t.Fatal(err)
	}
	list := inspecting(t, Options{}, place).sessions()
	if len(list) != 2 || list[0].Name != store.Redacted(place)+"#one" || list[1].Calls <= list[0].Calls {
		t.Errorf("the store has %+v", list)
	}

	src, err := Open(t.Context(), []string{place + "#one"}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := src.reading(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	first := r.latest()
	for _, f := range all[4:] {
		if at, err = st.Append(t.Context(), "one", at, f); err != nil {
			t.Fatal(err)
		}
	}
	grown := look(t, r, look(t, r, first))
	if len(grown.States) <= len(first.States) {
		t.Errorf("%d steps after %d", len(grown.States), len(first.States))
	}
	suiteName := filepath.Join(t.TempDir(), "x.suite.txtar")
	status, body := inspecting(t, Options{Tests: suiteName}, place+"#one").do("POST", "/api/test?session=0&at=0&selector=.block&expect=left", nil)
	if status != http.StatusOK {
		t.Errorf("saving a test: %s", body)
	}
	if _, err := Open(t.Context(), []string{place + "#three"}, sessions.Options{}, Known{}); err == nil {
		t.Error("a history that is not in the store was opened")
	}
}

// TestWriteHTMLCanceled checks that a page does not wait for sessions after its context is done.
func TestWriteHTMLCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done := make(chan error, 1)
	go func() { done <- WriteHTML(ctx, io.Discard, &Source{news: make(chan struct{})}) }() // never complete
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
}

// TestPageOnce checks that the page in one file of a log with many sessions, which reads the log
// once, is the one that is made by opening each.
func TestPageOnce(t *testing.T) {
	const sessionCount = 40
	var log strings.Builder
	for i := range sessionCount {
		fmt.Fprintf(&log, `{"request":{"model":"m","messages":[{"role":"user","content":"question %d"}]},"conversation_id":"c%d"}`+"\n", i, i)
	}
	name := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(name, []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	page := func(open func(context.Context, []string, sessions.Options, Known) (*Source, error)) (text string, times int) {
		last := int64(0)
		src, err := open(t.Context(), []string{name}, sessions.Options{Progress: func(_ string, done, _ int64) {
			if done < last {
				times++
			}
			last = done
		}}, Known{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteHTML(t.Context(), &b, src); err != nil {
			t.Fatal(err)
		}
		return b.String(), times
	}
	want, _ := page(Open)
	got, times := page(OpenPage)
	if got != want {
		t.Error("the pages differ")
	}
	if times > 5 {
		t.Errorf("the file is read %d times for %d sessions", times, sessionCount)
	}
}

// TestReadingConcurrently checks that the list, and the sessions in memory, do not wait for a
// session that is being read.
func TestReadingConcurrently(t *testing.T) {
	src, err := Open(t.Context(), []string{logs + "/edit.eval"}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	src.opening.Lock() // as while a session is being read
	defer src.opening.Unlock()
	done := make(chan error, 1)
	go func() {
		src.after(0)
		_, err := src.reading(t.Context(), 0)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("they wait")
	}
}
