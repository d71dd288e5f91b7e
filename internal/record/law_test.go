package record

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// readBack returns the requests of a recording, in canonical JSON, and what its reader notes.
func readBack(t *testing.T, folder string) (bodies []string, requests []*series.Request, notes []string) {
	t.Helper()
	var sent []*series.Message
	o := source.Options{Note: func(n thread.Note) { notes = append(notes, n.String()) }}
	err := source.ReadFiles(t.Context(), []source.File{source.Path(filepath.Join(folder, LogName))}, o, func(r *series.Request) error {
		if r.Event != nil {
			return nil
		}
		sent = append(slices.Clone(sent[:r.Base]), r.Messages...)
		var list []string
		for _, m := range sent {
			list = append(list, m.Value)
		}
		var body strings.Builder
		fmt.Fprintf(&body, `{%q:[%s]`, r.List, strings.Join(list, ","))
		for _, s := range r.Settings {
			fmt.Fprintf(&body, `,%q:%s`, s.Name, s.Value)
		}
		bodies = append(bodies, canonical(t, body.String()+"}"))
		requests = append(requests, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bodies, requests, notes
}

func canonical(t *testing.T, body string) string {
	t.Helper()
	text, err := canonjson.Canonical(body)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return strings.Clone(text)
}

// TestLaw records conversations that are continued, cut, edited, trimmed and mixed, and reads the
// bodies back that the provider got.
func TestLaw(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		var got []string
		base, folder, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = append(got, canonical(t, string(body)))
			io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"}}]}`)
		})
		conversations := make([][]any, 3)
		number := 0
		for range 40 {
			c := random.IntN(len(conversations))
			list := slices.Clone(conversations[c])
			for range random.IntN(4) {
				number++
				list = append(list, map[string]any{"role": "user", "content": fmt.Sprint(number, strings.Repeat(" \u00e9\n\"x", random.IntN(80)))})
			}
			switch n := len(list); {
			case n > 3 && random.IntN(6) == 0:
				list = list[:random.IntN(n)]
			case n > 3 && random.IntN(6) == 0:
				list = list[random.IntN(n):]
			case n > 3 && random.IntN(6) == 0:
				list[random.IntN(n)] = map[string]any{"role": "user", "content": "edited"}
			}
			conversations[c] = list
			tools := make([]any, random.IntN(3)*5)
			for i := range tools {
				tools[i] = map[string]any{"type": "function", "function": map[string]any{"name": fmt.Sprint("tool", i), "description": strings.Repeat("d", 60)}}
			}
			body := map[string]any{"messages": append([]any{}, list...), "model": "m", "tools": tools, "n": json.Number("1.0"), "instructions": strings.Repeat("i", 300*random.IntN(3))}
			text, err := json.MarshalIndent(body, "", strings.Repeat(" ", random.IntN(2)))
			if err != nil {
				t.Fatal(err)
			}
			post(t, base+"/chat/completions", string(text))
		}
		end, _ := done()
		bodies, requests, notes := readBack(t, folder)
		if !slices.Equal(bodies, got) || notes != nil || end.Lost > 0 {
			t.Errorf("seed %d: %d of %d calls read back, %v, %+v", seed, len(bodies), len(got), notes, end)
		}
		for _, r := range requests {
			if len(r.Reply) != 1 || r.Failed != "" || !r.Recorded {
				t.Errorf("seed %d: call %d: %d answers, %q", seed, r.Number, len(r.Reply), r.Failed)
			}
		}
	}
}

// TestLinear records a conversation that grows, and one whose beginning is cut at each call. The
// size of the log follows what is new.
func TestLinear(t *testing.T) {
	for name, window := range map[string]int{"grows": 1 << 20, "moves": 40} {
		base, folder, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			io.WriteString(w, `{"choices":[]}`)
		})
		var list []string
		for i := range 100 {
			list = append(list, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("x", 1000)))
			list = list[max(0, len(list)-window):]
			post(t, base+"/chat/completions", `{"model":"m","tools":["`+strings.Repeat("t", 5000)+`"],"messages":[`+strings.Join(list, ",")+`]}`)
		}
		done()
		if info, err := os.Stat(filepath.Join(folder, LogName)); err != nil || info.Size() > 180_000 {
			t.Errorf("%s: %d bytes, %v", name, info.Size(), err)
		}
	}
}
