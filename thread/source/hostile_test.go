package source_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// archive makes a zip archive of one sample.
func archive(t testing.TB, method uint16, sample io.Reader) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(93, zstd.ZipCompressor())
	w, err := z.CreateHeader(&zip.FileHeader{Name: "samples/1_epoch_1.json", Method: method})
	if err == nil {
		_, err = io.Copy(w, sample)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// eval makes an archive of a sample with the given members.
func eval(t testing.TB, members string) []byte {
	return archive(t, zip.Deflate, strings.NewReader(`{"id":1,"epoch":1,`+members+`}`))
}

func TestHostile(t *testing.T) {
	whole, err := os.ReadFile("testdata/inspect/summary.eval")
	if err != nil {
		t.Fatal(err)
	}
	text := `{"content":"x","role":"user","id":"m"}`
	tests := []struct {
		name  string
		file  string
		data  []byte
		code  engine.Code // of the error
		note  engine.Code
		calls int
	}{
		{name: "half a zip", file: "a.eval", data: whole[:len(whole)/2], code: engine.ErrFileSyntax},
		{name: "zip bomb, deflated", file: "a.eval", data: archive(t, zip.Deflate, io.LimitReader(spaces{}, 64<<20)), code: engine.ErrFileLimit},
		{name: "zip bomb, zstd", file: "a.eval", data: archive(t, 93, io.LimitReader(spaces{}, 64<<20)), code: engine.ErrFileLimit},
		{name: "a member that is not JSON", file: "a.eval", data: eval(t, `"x":`), note: engine.ErrFileSyntax},
		{name: "invalid UTF-8", file: "a.eval", data: eval(t, "\"x\":\"\xff\""), note: engine.ErrFileEncoding},
		{name: "references out of the pool", file: "a.eval", note: engine.ErrNotFound, calls: 1,
			data: eval(t, `"events_data":{"messages":[`+text+`]},"events":[{"event":"model","model":"m","input_refs":[[0,1],[1,5],[-1,0],[3,2],["a"]]}]`)},
		{name: "an attachment that is not there", file: "a.eval", note: engine.ErrNotFound, calls: 1,
			data: eval(t, `"events":[{"event":"model","model":"m","input":[{"role":"user","content":"attachment://abc"}]}]`)},
		{name: "attachments put in again and again", file: "a.eval", code: engine.ErrFileLimit,
			data: eval(t, `"attachments":{"abc":"`+strings.Repeat("x", 100_000)+`"},"events":[{"event":"model","model":"m","input":[{"role":"user","content":[`+
				strings.Repeat(`"attachment://abc",`, 100)+`""]}]}]`)},
		{name: "references that name too many", file: "a.eval", code: engine.ErrFileLimit,
			data: eval(t, `"events_data":{"messages":[`+text+strings.Repeat(","+text, 20_000)+`]},"events":[{"event":"model","model":"m","input_refs":[`+
				strings.Repeat(`[0,20000],`, 4_000)+`[0,1]]}]`)},
		{name: "nested too deep", file: "a.jsonl", data: []byte(`{"messages":[]}` + "\n" + `{"messages":` + strings.Repeat("[", 2000) + "\n"), note: engine.ErrTreeDepth, calls: 1},
		{name: "a long line", file: "a.jsonl", data: []byte(`{"messages":["` + strings.Repeat("x", 2<<20) + `"]}`), code: engine.ErrFileLimit},
		{name: "nothing", file: "a.jsonl", data: nil, code: engine.ErrFileShape},
		{name: "no calls", file: "a.json", data: []byte(`{"a":1}`), code: engine.ErrFileShape},
		{name: "half a gzip file", file: "a.jsonl.gz", data: []byte("\x1f\x8b\x08\x00\x00"), code: engine.ErrFileSyntax},
		{name: "a line that is not UTF-8", file: "a.jsonl", data: []byte("{\"messages\":[" + `{"role":"user","content":"a"}` + "]}\n{\"messages\":[" + `{"role":"user","content":"a"}` + ",\"\xff\"]}\n"), note: engine.ErrFileEncoding, calls: 2},
		{name: "identical messages", file: "a.jsonl", calls: 4,
			data: fmt.Appendf(nil, "{\"messages\":[%[1]s%[2]s]}\n{\"messages\":[%[2]s,%[1]s%[2]s]}\n{\"messages\":[%[1]s%[2]s,%[1]s%[2]s]}\n{\"messages\":[%[3]s%[2]s]}\n",
				strings.Repeat(text+",", 5_000), `{"role":"assistant","content":"y"}`, strings.Repeat(`{"role":"user","content":"x"},`, 9_000))},
		{name: "a call that is answered twice", file: "a.jsonl", note: engine.ErrNodeIDDuplicate, calls: 2,
			data: []byte(strings.Repeat(`{"messages":[{"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"a","content":"2"}]}`+"\n", 2))},
		{name: "odd messages", file: "a.jsonl", data: []byte(`{"messages":[1,null,"x",[],{}, {"role":1},{"role":"user","content":{"a":1}}]}`), calls: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var noted engine.Code
			calls, err := track(t, test.file, test.data, source.Options{MaxBytes: 1 << 20, Note: func(n thread.Note) {
				if n.File == "" || n.Msg == "" {
					t.Errorf("a note without place: %v", n)
				}
				noted = n.Code
			}})
			if e, ok := errors.AsType[*engine.Error](err); ok != (err != nil) || (ok && (e.Code != test.code || e.File == "")) || !ok && test.code != "" {
				t.Errorf("error %v, not %s", err, test.code)
			}
			if noted != test.note {
				t.Errorf("noted %q, not %q", noted, test.note)
			}
			if len(calls) != test.calls {
				t.Errorf("%d calls, not %d", len(calls), test.calls)
			}
			replay(t, calls)
		})
	}
}

// spaces is an endless reader of white space.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestCancel checks that reading stops when the context is done.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	data := []byte(strings.Repeat(`{"messages":[{"role":"user","content":"x"}]}`+"\n", 100))
	n := 0
	err := source.Read(ctx, "a.jsonl", bytes.NewReader(data), int64(len(data)), source.Options{}, func(*series.Request) error {
		n++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d requests, %v", n, err)
	}
	stop := errors.New("stop")
	err = source.Read(t.Context(), "a.jsonl", bytes.NewReader(data), int64(len(data)), source.Options{}, func(*series.Request) error { return stop })
	if err != stop {
		t.Errorf("%v, not the error of the caller", err)
	}
}
