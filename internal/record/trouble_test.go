package record

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
)

// fullDisk is a file on a disk that has no room for a while.
type fullDisk struct {
	atomicfile.File
	isFull bool
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.isFull {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, errors.New("no space left on device")
	}
	return f.File.Write(p)
}

// troubled starts a provider that answers "fine", and a proxy whose log is prepared by a test.
func troubled(t *testing.T, prepare func(*Log)) (base string, l *Log, p *Proxy) {
	t.Helper()
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"fine"}}]}`)
	}))
	t.Cleanup(stub.Close)
	to, _ := url.Parse(stub.URL)
	l, err := Create(filepath.Join(t.TempDir(), "r"), Header{})
	if err != nil {
		t.Fatal(err)
	}
	prepare(l)
	if p, err = Listen(l, []Upstream{{"x", to}}); err != nil {
		t.Fatal(err)
	}
	return p.Base("x") + "/chat/completions", l, p
}

func ask(t *testing.T, base, text string) {
	t.Helper()
	if got := post(t, base, `{"messages":[{"role":"user","content":"`+text+strings.Repeat(" more", 200)+`"}]}`); !strings.Contains(got, "fine") {
		t.Errorf("the answer is %q", got)
	}
}

// settle waits until everything that was queued is written.
func settle(l *Log) {
	done := make(chan struct{})
	for !l.add(func(*writer) { close(done) }) {
		time.Sleep(time.Millisecond)
	}
	<-done
}

// TestFullDisk loses the calls of a time without room, and records those after it: they do not
// refer to what was lost.
func TestFullDisk(t *testing.T) {
	disk := &fullDisk{}
	base, l, p := troubled(t, func(l *Log) { disk.File, l.writing.file.File = l.writing.file.File, disk })
	ask(t, base, "one")
	settle(l)
	l.add(func(*writer) { disk.isFull = true })
	ask(t, base, "two")
	settle(l)
	l.add(func(*writer) { disk.isFull = false })
	ask(t, base, "two")
	p.Close(t.Context())
	end := l.Close(nil)
	bodies, _, notes := readBack(t, l.Folder())
	if len(bodies) != 2 || notes != nil || end.Lost != 1 || !slices.Equal(end.Notes, []string{"cannot be written: no space left on device"}) {
		t.Errorf("%d calls, %v, %+v", len(bodies), notes, end)
	}
}

// TestRemovedFolder says at the end that nothing is there.
func TestRemovedFolder(t *testing.T) {
	base, l, p := troubled(t, func(*Log) {})
	ask(t, base, "one")
	if err := os.RemoveAll(l.Folder()); err != nil {
		t.Fatal(err)
	}
	ask(t, base, "two")
	p.Close(t.Context())
	if end := l.Close(nil); end.Lost != 2 || len(end.Notes) != 1 || !strings.Contains(end.Notes[0], "removed") {
		t.Errorf("%+v", end)
	}
}

// TestPanic records nothing of a call at which the writer panics, and all of the next one.
func TestPanic(t *testing.T) {
	base, l, p := troubled(t, func(*Log) {})
	parts := l.writing.sharer.parts
	l.add(func(w *writer) { w.sharer.parts = nil })
	ask(t, base, "one")
	settle(l)
	l.add(func(w *writer) { w.sharer.parts = parts })
	ask(t, base, "two")
	p.Close(t.Context())
	end := l.Close(nil)
	if bodies, _, _ := readBack(t, l.Folder()); len(bodies) == 0 || end.Lost == 0 || len(end.Notes) != 1 || !strings.Contains(end.Notes[0], "internal error") {
		t.Errorf("%d calls, %+v", len(bodies), end)
	}
}

// TestNoMemory checks that bodies too large to record are still forwarded, and that the recording
// reports them.
func TestNoMemory(t *testing.T) {
	defer budget.Set(0)
	budget.Set(128 << 20)
	base, l, p := troubled(t, func(*Log) {})
	large := strings.Repeat("a", 20<<20)
	ask(t, base, large)
	ask(t, base, "two")
	settle(l)
	if held := l.held.Load(); held != 0 {
		t.Errorf("%d bytes are held", held)
	}
	p.Close(t.Context())
	end := l.Close(nil)
	data, err := os.ReadFile(filepath.Join(l.Folder(), LogName))
	if err != nil || len(data) > 1<<20 || !strings.Contains(string(data), `"why":"larger than the limit"`) || !strings.Contains(string(data), `"content":"two more`) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if end.Calls != 2 || !slices.Equal(end.Notes, []string{"bodies of more than 8 MiB were left out"}) {
		t.Errorf("%+v", end)
	}
}

// TestFullQueue drops calls when the disk is too slow, and says how many.
func TestFullQueue(t *testing.T) {
	base, l, p := troubled(t, func(*Log) {})
	started, hold := make(chan struct{}), make(chan struct{})
	l.add(func(*writer) {
		close(started)
		<-hold
	})
	<-started
	for l.add(func(*writer) {}) {
	}
	ask(t, base, "one")
	close(hold)
	settle(l)
	ask(t, base, "two")
	p.Close(t.Context())
	end := l.Close(nil)
	if bodies, _, _ := readBack(t, l.Folder()); len(bodies) != 1 || end.Lost != 2 || l.held.Load() != 0 {
		t.Errorf("%d calls, %+v, %d bytes held", len(bodies), end, l.held.Load())
	}
}

// TestEnds says how answers ended.
func TestEnds(t *testing.T) {
	base, folder, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		piece := `data: {"choices":[{"index":0,"delta":{"content":"part"}}]}` + "\n\n"
		switch {
		case strings.Contains(string(body), "refuse"):
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, `{"error":{"message":"slow down"}}`)
		case strings.Contains(string(body), "break"):
			io.WriteString(w, piece)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case strings.Contains(string(body), "wait"):
			io.WriteString(w, piece)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case strings.Contains(string(body), "odd"):
			io.WriteString(w, "<html>")
		}
	})
	try := func(text string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"`+text+`"}]}`))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if text != "wait" {
			_, err = io.ReadAll(resp.Body)
		} else if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
			t.Error(err)
		}
		if (text == "break") != (err != nil) {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
	for _, text := range []string{"refuse", "break", "wait", "odd"} {
		try(text)
	}
	_, lines := done()
	for _, want := range []string{
		`"status":429,"headers":{"content-type":"text/event-stream","retry-after":"1"},"end":"refused"`, `"end":"cut by the server"`, `"end":"cut by the client"`, `"end":"not parsed"`,
	} {
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("%s is not in\n%s", want, strings.Join(lines, "\n"))
		}
	}
	_, requests, _ := readBack(t, folder)
	var failed []string
	for _, r := range requests {
		failed = append(failed, r.Failed)
	}
	if want := []string{"429 slow down", "cut by the server: unexpected EOF", "cut by the client", ""}; !slices.Equal(failed, want) {
		t.Errorf("%q", failed)
	}
	if got := requests[3].Missing; !slices.Equal(got, []string{"the answer"}) {
		t.Errorf("missing: %q", got)
	}
}

// TestStranger refuses requests of those who do not know the token.
func TestStranger(t *testing.T) {
	base, _, done := recorder(t, func(http.ResponseWriter, *http.Request) { t.Error("a stranger got through") })
	at, _ := url.Parse(base)
	for _, path := range []string{"/", "/openai/v1/models", "/x/openai/v1/models", strings.Replace(at.Path, "/openai", "/other", 1), "//openai"} {
		resp, err := http.Get("http://" + at.Host + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	if !strings.HasPrefix(at.Host, "127.0.0.1:") {
		t.Errorf("it listens on %s", at.Host)
	}
	if end, _ := done(); end.Calls != 0 {
		t.Errorf("%+v", end)
	}
}

// TestRetain removes recordings by age and size, and never one that is being written.
func TestRetain(t *testing.T) {
	root := t.TempDir()
	now := time.Unix(1e9, 0)
	make := func(name string, age time.Duration, active bool) {
		l, err := Create(filepath.Join(root, name), Header{Start: now.Add(-age)})
		if err != nil {
			t.Fatal(err)
		}
		if !active {
			l.Close(nil)
		} else {
			t.Cleanup(func() { l.Close(nil) })
		}
		if err := os.WriteFile(filepath.Join(root, name, "more"), []byte(strings.Repeat("x", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	make("a", 9*time.Hour, false)
	make("b", 9*time.Hour, true)
	make("c", 3*time.Hour, false)
	make("d", 2*time.Hour, false)
	make("e", 1*time.Hour, false)
	if err := os.Mkdir(filepath.Join(root, "other"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		list, err := List(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			names = append(names, filepath.Base(r.Path))
		}
		return names
	}
	if _, err := Retain(root, now, 5*time.Hour, 0); err != nil || !slices.Equal(left(), []string{"e", "d", "c", "b"}) {
		t.Errorf("%v, %v", left(), err)
	}
	if _, err := Retain(root, now, 0, 3500); err != nil || !slices.Equal(left(), []string{"e", "b"}) && !slices.Equal(left(), []string{"e", "d", "b"}) {
		t.Errorf("%v, %v", left(), err)
	}
	if list, _ := List(root); !list[len(list)-1].Active || list[0].Active || list[0].End == nil {
		t.Errorf("%+v", list)
	}
}
