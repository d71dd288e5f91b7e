package calls_test

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// rawCall is a line of the logs of testdata/logs/support, read without the readers of logs.
type rawCall struct {
	Request struct {
		System   string
		Tools    any
		Messages []rawMessage
	}
	Response struct {
		Content any
		Usage   struct {
			Input  int64 `json:"input_tokens"`
			Read   int64 `json:"cache_read_input_tokens"`
			Write  int64 `json:"cache_creation_input_tokens"`
			Output int64 `json:"output_tokens"`
		}
	}
}

type rawMessage struct {
	Role    string
	Content any
}

// parts returns the parts of the request, and those of its answer if that is asked for, as JSON.
func (r *rawCall) parts(answer bool) map[string]int {
	out := map[string]int{}
	list := r.Request.Messages
	if answer {
		list = append(slices.Clip(list), rawMessage{"assistant", r.Response.Content})
	}
	for _, m := range list {
		parts, ok := m.Content.([]any)
		if !ok {
			parts = []any{m.Content}
		}
		for _, p := range parts {
			text, _ := json.Marshal(rawMessage{m.Role, p})
			out[string(text)]++
		}
	}
	return out
}

// begins reports whether a request begins with all of the one before it.
func (r *rawCall) begins(with *rawCall) bool {
	q, p := &r.Request, &with.Request
	return q.System == p.System && reflect.DeepEqual(q.Tools, p.Tools) && len(q.Messages) >= len(p.Messages) && reflect.DeepEqual(q.Messages[:len(p.Messages)], p.Messages)
}

// TestRaw answers questions about a session from its raw requests: what filled the window, what it
// cost, where the cache broke, and what the compaction took away.
func TestRaw(t *testing.T) {
	for _, name := range []string{"refund", "kept"} {
		text, err := os.ReadFile("../../../testdata/logs/support/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var compactions calls.Compactions
		var before *rawCall
		left := []int{}
		lines := string(text)
		for _, c := range collect(t, read(t, name+".jsonl", text)[0], calls.Options{Cache: true, Shares: true, States: true}) {
			compactions.Add(c)
			if c.Event != nil {
				continue
			}
			raw := new(rawCall)
			line, rest, _ := strings.Cut(lines, "\n")
			if err := json.Unmarshal([]byte(line), raw); err != nil {
				t.Fatal(err)
			}
			lines = rest
			u := raw.Response.Usage
			in := u.Input + u.Read + u.Write
			if k := c.Tokens; k.In != in || *k.Cached != u.Read || *k.Written != u.Write || *k.Out != u.Output {
				t.Errorf("%s: @c%d: %+v of %+v", name, c.Cycle, k, u)
			}
			sum := int64(0)
			for _, s := range c.Tokens.Shares {
				sum += int64(s.Tokens)
			}
			if sum != in {
				t.Errorf("%s: @c%d: shares of %d tokens of %d", name, c.Cycle, sum, in)
			}
			// The prices of Claude Sonnet 4.5, in millionths.
			if want := (3*float64(u.Input) + 0.3*float64(u.Read) + 3.75*float64(u.Write) + 15*float64(u.Output)) / 1e6; math.Abs(c.Cache.Cost.Total-want) > 1e-6 {
				t.Errorf("%s: @c%d: %v dollars of %v", name, c.Cycle, c.Cache.Cost.Total, want)
			}
			if broken := before != nil && !raw.begins(before); broken != (c.Cache.Broken != nil) {
				t.Errorf("%s: @c%d: broken %v", name, c.Cycle, broken)
			}
			if before != nil && c.Side == nil && len(raw.Request.Messages) < len(before.Request.Messages) {
				n, stay := 0, raw.parts(false)
				for part, times := range before.parts(true) {
					n += max(times-stay[part], 0)
				}
				left = append(left, n)
			}
			if c.Side == nil {
				before = raw
			}
		}
		got := []int{}
		for _, x := range compactions.List() {
			n := 0
			for _, k := range x.Left {
				n += k.Nodes
			}
			got = append(got, n)
		}
		if !reflect.DeepEqual(got, left) {
			t.Errorf("%s: %v nodes left in compactions, %v in the requests", name, got, left)
		}
	}
}
