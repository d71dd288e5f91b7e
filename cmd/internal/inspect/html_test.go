package inspect

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

// packed is a session of a page in one file.
type packed struct {
	Steps   []step            `json:"steps"`
	Counts  []int             `json:"counts"`
	About   bool              `json:"about"`
	Nodes   []detail          `json:"nodes"`
	Parts   []json.RawMessage `json:"parts"`
	Threads []threadStep      `json:"threads"`
	Texts   []int             `json:"texts"`
	texts   []json.RawMessage
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
	out.addTexts(t, blobs[2:])
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
	sessionsSeen := 0
	for one, err := range sessions.All(t.Context(), []string{name, logs, "../../../testdata/logs"}, sessions.Options{}) {
		if err != nil {
			continue // files of other tests
		}
		sessionsSeen++
		h, err := newHistory(t.Context(), one.Timeline, nil)
		if err != nil {
			t.Fatal(err)
		}
		blobs, err := (&Source{exact: countedBytes}).pack(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		got := readBlobs(t, blobs)
		at := 0
		for i, s := range got.Steps {
			for _, r := range s.Open {
				n, _ := h.states[i].Find(r.ID)
				want := detailOf(n, engine.Value.String)
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

// TestEstimate checks that estimated tokens are close to the counted ones, and are marked.
func TestEstimate(t *testing.T) {
	source, err := os.ReadFile("html.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{string(source), strings.Repeat("some words of a text, ", 1000), strings.Repeat("日本語の文章です。", 1000)} {
		v := text{model: "gpt-4o", content: content}
		want, counted := (&Source{exact: len(content)}).count(v)
		got, about := (&Source{}).count(v)
		if !counted || about {
			t.Errorf("counted=%v, then %v", counted, about)
		}
		if ratio := float64(got) / float64(want); ratio < 0.85 || ratio > 1.15 {
			t.Errorf("%d tokens of %d", got, want)
		}
	}
	if n, counted := (&Source{}).count(text{model: "gpt-4o", content: "short"}); !counted || n != 1 {
		t.Errorf("a short text has %d tokens, counted=%v", n, counted)
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
		src, err := OpenPage(t.Context(), []string{folder}, sessions.Options{})
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
