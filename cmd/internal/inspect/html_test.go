package inspect

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/tokens"
)

// packed is a session of a page in one file.
type packed struct {
	Steps   []steps.Step      `json:"steps"`
	Counts  []int             `json:"counts"`
	About   bool              `json:"about"`
	Nodes   []steps.Detail    `json:"nodes"`
	Parts   []json.RawMessage `json:"parts"`
	Threads []threadStep      `json:"threads"`
	Texts   []int             `json:"texts"`
	texts   []json.RawMessage
	Calls   []figure `json:"calls"`
	shares  [][]share
}

var reference = regexp.MustCompile(`"\\u0000(\d+)"`)

// resolve replaces the references in a value.
func (p *packed) resolve(v json.RawMessage) json.RawMessage {
	return reference.ReplaceAllFunc(v, func(ref []byte) []byte {
		var n int
		fmt.Sscanf(string(ref), `"\u0000%d"`, &n)
		return p.texts[n]
	})
}

// unpack reads a blob into v.
func unpack(t testing.TB, data []byte, v any) {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
}

func readBlobs(t testing.TB, blobs [][]byte) *packed {
	t.Helper()
	out := &packed{}
	unpack(t, blobs[0], out)
	unpack(t, blobs[1], out)
	end := 2 + len(out.Texts)
	out.addTexts(t, blobs[2:end])
	unpack(t, blobs[end], out)
	for _, b := range blobs[end+1:] {
		var list [][]share
		unpack(t, b, &list)
		out.shares = append(out.shares, list...)
	}
	return out
}

func (p *packed) addTexts(t testing.TB, blobs [][]byte) {
	t.Helper()
	for i, b := range blobs {
		var list []json.RawMessage
		unpack(t, b, &list)
		if p.Texts[i] != len(p.texts) {
			t.Errorf("blob %d begins with text %d, not %d", i, len(p.texts), p.Texts[i])
		}
		p.texts = append(p.texts, list...)
	}
}

// readPage returns the sessions of a page.
func readPage(t testing.TB, page string) []*packed {
	t.Helper()
	blobs := map[string][]byte{}
	for _, m := range regexp.MustCompile(`<script type="application/gzip" id="([a-z0-9]+)">([^<]*)</script>`).FindAllStringSubmatch(page, -1) {
		data, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil {
			t.Fatal(err)
		}
		blobs[m[1]] = data
	}
	var all contents
	unpack(t, blobs["data"], &all)
	var out []*packed
	for i, first := range all.Blobs {
		end := len(blobs) - 1
		if i+1 < len(all.Blobs) {
			end = all.Blobs[i+1]
		}
		var own [][]byte
		for n := first; n < end; n++ {
			own = append(own, blobs[fmt.Sprintf("blob%d", n)])
		}
		out = append(out, readBlobs(t, own))
	}
	if len(out) != len(all.Sessions) {
		t.Errorf("%d sessions of %d", len(out), len(all.Sessions))
	}
	return out
}

// TestPacked compares the nodes of a page with those of the histories, also with texts that look
// like references.
func TestPacked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	long := strings.Repeat("a long text ", 10)
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
		map[string]any{"role": "system", "content": "\x000"}, map[string]any{"role": "user", "content": "short"},
		map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "\x001"}}},
		map[string]any{"role": "user", "content": long}, map[string]any{"role": "assistant", "content": long},
		map[string]any{"role": "user", "content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,AAAA", "detail": "\x002"}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, append(body, '\n'))
	src := &Source{counts: new(tokens.Cache)}
	sessionsSeen := 0
	for one, err := range sessions.All(t.Context(), []string{name, logs, "../../../testdata/logs"}, sessions.Options{}) {
		if err != nil {
			continue // files of other tests
		}
		sessionsSeen++
		h, err := Known{}.read(t.Context(), one.Timeline, nil)
		if err != nil {
			t.Fatal(err)
		}
		blobs, err := src.pack(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		got := readBlobs(t, blobs)
		at := 0
		for i, s := range got.Steps {
			for _, r := range s.Open {
				n, _ := h.States[i].Find(r.ID)
				want := steps.DetailOf(n, engine.Value.String)
				have := got.Nodes[at]
				have.Content = got.resolve(have.Content)
				for name, v := range have.Headers {
					have.Headers[name] = got.resolve(v)
				}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Errorf("%s: %s at call %d (-want +got):\n%s", one.Address(), r.ID, i+1, diff)
				}
				at++
			}
		}
		if at != len(got.Nodes) || at != len(got.Counts) || got.About {
			t.Errorf("%s: %d versions, %d nodes, %d counts, about=%v", one.Address(), at, len(got.Nodes), len(got.Counts), got.About)
		}
		want, err := Known{}.figuresOf(t.Context(), h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mustJSON(t, want.Calls), mustJSON(t, got.Calls)); diff != "" {
			t.Errorf("%s: figures (-want +got):\n%s", one.Address(), diff)
		}
		for i, list := range got.shares {
			shares, err := Known{}.sharesOf(t.Context(), h, h.States[i], nil)
			if diff := cmp.Diff(mustJSON(t, shares), mustJSON(t, list)); diff != "" || err != nil {
				t.Errorf("%s: shares of call %d, %v (-want +got):\n%s", one.Address(), i+1, err, diff)
			}
		}
		if len(got.shares) != len(want.Calls) {
			t.Errorf("%s: the shares of %d calls, want %d", one.Address(), len(got.shares), len(want.Calls))
		}
		seen := map[string]bool{}
		for _, v := range got.texts {
			if seen[string(v)] {
				t.Errorf("%s: %.80s is there twice", one.Address(), v)
			}
			seen[string(v)] = true
		}
	}
	if sessionsSeen < 5 {
		t.Errorf("%d sessions", sessionsSeen)
	}
}

// TestPageGrows doubles the calls of a session and the number of sessions, and checks that the page
// doubles, too.
func TestPageGrows(t *testing.T) {
	size := func(sessionCount, calls int) int {
		folder := t.TempDir()
		for n := range sessionCount {
			write(t, filepath.Join(folder, fmt.Sprintf("%d.jsonl", n)), []byte(growing(calls)))
		}
		src, err := OpenPage(t.Context(), []string{folder}, sessions.Options{}, Known{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteHTML(t.Context(), &b, src); err != nil {
			t.Fatal(err)
		}
		_, data, _ := strings.Cut(b.String(), "</noscript>")
		data, _, _ = strings.Cut(data, `<script type="module">`)
		if slices.ContainsFunc(src.list, func(e entry) bool { return e.blobs != nil }) {
			t.Error("what was written is still in memory")
		}
		return len(data)
	}
	base := size(2, 50)
	for name, double := range map[string]int{"calls": size(2, 100), "sessions": size(4, 50)} {
		if double > 5*base/2 {
			t.Errorf("twice as many %s: %d bytes, before %d", name, double, base)
		}
	}
}
