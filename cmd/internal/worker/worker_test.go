package worker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/worker"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

const log = `{"id":1,"log":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}],"from":"openai","selectors":[".block+user"]}`

func serve(t *testing.T, in io.Reader, o worker.Options) []string {
	t.Helper()
	var out strings.Builder
	o.Version = "v1"
	if err := worker.Serve(t.Context(), in, bufio.NewWriter(&out), o); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestCases: each line of in has the line of want with the same number.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../../../testdata/worker/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			answers := serve(t, strings.NewReader(c.Source()), worker.Options{Folder: ".."}) // the cases name ../../testdata
			if want := strings.Count(c.Source(), "\n"); len(answers) != want {
				t.Errorf("%d lines have %d answers", want, len(answers))
			}
			for _, a := range answers {
				if !json.Valid([]byte(a)) {
					t.Errorf("not JSON: %s", a)
				}
			}
			c.Golden(t, testkit.Want("", strings.Join(answers, "\n")+"\n"))
		})
	}
}

// TestLongLine: a line over the limit is skipped in constant memory, and has an answer with its
// id.
func TestLongLine(t *testing.T) {
	const size = 64 << 20
	long := io.MultiReader(strings.NewReader(`{"id":"big","log":"`), io.LimitReader(endless{}, size), strings.NewReader("\"}\n"+log))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	answers := serve(t, long, worker.Options{MaxBytes: 1 << 20})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > size/4 {
		t.Errorf("%d bytes were allocated for a line of %d", used, size)
	}
	if len(answers) != 2 || !strings.HasPrefix(answers[0], `{"id":"big","error":{"code":"E_WORKER_LINE","message":"a line of 67108886 bytes`) || !strings.Contains(answers[1], `"ids"`) {
		t.Errorf("answers: %.200q", answers)
	}
}

// endless is a reader of the letter x.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestInTurn: a caller that waits for each answer before it sends the next request gets it.
func TestInTurn(t *testing.T) {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- worker.Serve(t.Context(), inRead, bufio.NewWriter(outWrite), worker.Options{})
	}()
	answers := bufio.NewReader(outRead)
	for range 3 {
		for _, part := range []string{log[:20], log[20:] + "\n"} { // half a line must not keep anything waiting
			if _, err := io.WriteString(inWrite, part); err != nil {
				t.Fatal(err)
			}
		}
		if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"id":1,"histories":`) {
			t.Fatalf("%q %v", line, err)
		}
	}
	_ = inWrite.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestEnd: text after the last newline is a line too.
func TestEnd(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{log, `{"id":1,"histories":[{"name":"","answers":[{"ids":["block:2"]}]}]}`},
		{log[:40], `{"id":1,"error":{"code":"E_FILE_SYNTAX","message":"offset 40: the text ends where a JSON value should follow"}}`},
	} {
		got := strings.Join(serve(t, strings.NewReader(c.in), worker.Options{}), "\n")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

// TestBroken: a bug, a time that is over and a signal.
func TestBroken(t *testing.T) {
	open := func(ctx context.Context, src worker.Source, _ sessions.Options) iter.Seq2[sessions.Session, error] {
		return func(yield func(sessions.Session, error) bool) {
			switch src.Text {
			case "bug":
				panic("no such thing")
			case "slow":
				<-ctx.Done()
				yield(sessions.Session{}, ctx.Err())
			}
		}
	}
	var in strings.Builder
	for _, text := range []string{"bug", "slow", "good"} {
		fmt.Fprintf(&in, `{"id":%q,"log":%q,"timeout_ms":1,"selectors":[]}`+"\n", text, text)
	}
	want := []string{
		`{"id":"bug","error":{"code":"E_WORKER_INTERNAL","message":"a bug in pactkit: no such thing"}}`,
		`{"id":"slow","error":{"code":"E_WORKER_TIMEOUT","message":"no answer after 1 ms"}}`,
		`{"id":"good","histories":[]}`,
	}
	if diff := cmp.Diff(want, serve(t, strings.NewReader(in.String()), worker.Options{Open: open})); diff != "" {
		t.Error(diff)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := worker.Serve(ctx, strings.NewReader(`{"log":"slow","selectors":[]}`), bufio.NewWriter(io.Discard), worker.Options{Open: open})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a signal: %v", err)
	}
	err = worker.Serve(t.Context(), strings.NewReader(log), bufio.NewWriter(brokenPipe{}), worker.Options{Open: open})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: %v", err)
	}
}

// brokenPipe is a writer that nobody reads from.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzServe checks that each line has an answer in JSON. There is at most one more line for each
// question for a summary.
func FuzzServe(f *testing.F) {
	f.Add(log + "\n" + `{"worker":1}`)
	f.Add("{\"id\":[1,{\"a\":2}],\"history\":{\"root\":{}},\"selectors\":{\"x\":\".block\"}}\n\x00\xff\n")
	f.Add(`{"worker":3}` + "\n" + log)
	f.Add(`{"worker":2}` + "\n" + `{"id":1,"context":"a","do":[{"open":"memory:","summarise":true,"policy":{"window":9,"step":[{"summarise":".block"}]}},{"insert":"(d0,0, end)","node":{"content":"x","ttl":1}},{"pin":".block"},{"render":"openai","fit":true},{"answer":{"role":"assistant","content":"y"}},{"add":[{"role":"user","content":"z"}],"from":"openai"},{"commit":true},{"fork":"b","at":"@c1"},{"rewind":"@c1","keep":"c"},{"shrink":9},{"describe":{"event":{"kind":"edit"}}},{"close":true}]}` + "\n" + `{"id":1,"summary":{"content":"s"}}` + "\n" + `{"context":"b","selectors":["@*"],"calls":true}`)
	f.Fuzz(func(t *testing.T, in string) {
		lines := strings.Split(in, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		answers := serve(t, strings.NewReader(in), worker.Options{MaxBytes: 1 << 16})
		if len(lines) == 0 {
			return
		}
		questions := strings.Count(strings.Join(answers, "\n"), `,"summarise":{"nodes":[`)
		if len(answers) < len(lines) || len(answers) > len(lines)+questions {
			t.Fatalf("%d lines, %d answers", len(lines), len(answers))
		}
		for _, a := range answers {
			if !json.Valid([]byte(a)) {
				t.Errorf("%q is answered with %q", in, a)
			}
		}
	})
}
