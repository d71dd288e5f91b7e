package source_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// entry is a record of a random session.
type entry struct {
	id, parent, kind, api string
	calls                 []string
	answers               string
	stops                 bool
}

// randomSession makes a session with parallel calls whose results branch, rewinds, compactions, and
// repeated records.
func randomSession(r *rand.Rand, n int) []entry {
	var all []entry
	add := func(e entry) string {
		e.id = fmt.Sprintf("%s%d", e.kind[:1], len(all))
		all = append(all, e)
		return e.id
	}
	at := add(entry{kind: "user"})
	for len(all) < n {
		switch r.IntN(10) {
		case 0:
			at = add(entry{kind: "user", parent: at})
		case 1: // rewound
			if e := all[r.IntN(len(all))]; e.kind == "user" && e.answers == "" && !e.stops {
				at = add(entry{kind: "user", parent: e.parent})
			}
		case 2:
			if r.IntN(3) == 0 {
				at = add(entry{kind: "boundary", stops: true})
				at = add(entry{kind: "user", parent: at})
			} else {
				at = add(entry{kind: "system", parent: at})
			}
		case 3:
			if r.IntN(3) == 0 {
				at = add(entry{kind: "user", parent: at, stops: true})
			}
		case 4:
			all = append(all, all[r.IntN(len(all))]) // twice
		default:
			api := fmt.Sprintf("msg_%d", len(all))
			type made struct{ record, call string }
			var calls []made
			for range 1 + r.IntN(3) {
				call := fmt.Sprintf("call_%d", len(all))
				at = add(entry{kind: "assistant", parent: at, api: api, calls: []string{call}})
				calls = append(calls, made{at, call})
			}
			r.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
			for _, c := range calls { // each result follows the record with its call
				at = add(entry{kind: "user", parent: c.record, answers: c.call})
			}
		}
	}
	return all
}

func (e entry) line() string {
	quote := func(s string) string {
		if s == "" {
			return "null"
		}
		return fmt.Sprintf("%q", s)
	}
	head := fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":"s",`, e.id, quote(e.parent))
	switch {
	case e.kind == "boundary":
		return head + `"type":"system","subtype":"compact_boundary"}`
	case e.kind == "system":
		return head + `"type":"system","subtype":"informational"}`
	case e.stops:
		return head + `"type":"user","message":{"role":"user","content":"<command-name>/clear</command-name>"}}`
	case e.answers != "":
		return head + fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]}}`, e.answers)
	case e.kind == "user":
		return head + fmt.Sprintf(`"type":"user","message":{"role":"user","content":"says %s"}}`, e.id)
	}
	return head + fmt.Sprintf(`"type":"assistant","message":{"id":%q,"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"f","input":{}}]}}`, e.api, e.calls[0])
}

// sentAt returns what the call whose answer begins with a record was sent, in a direct
// implementation of the rules: the chain of its parents back to a boundary, or with a /clear,
// without system records; API messages are complete and followed by the results of their calls that
// were recorded before, in the order of the file.
func sentAt(all []entry, first int) []string {
	find := func(id string) int { return slices.IndexFunc(all, func(e entry) bool { return e.id == id }) }
	var chain []int
	for at := find(all[first].parent); at >= 0; at = find(all[at].parent) {
		if all[at].stops && all[at].kind != "user" {
			break
		}
		if all[at].kind != "system" {
			chain = append(chain, at)
		}
		if all[at].stops {
			break
		}
	}
	slices.Reverse(chain)
	var out []string
	done := map[string]bool{}
	put := func(id string) {
		if !done[id] {
			done[id] = true
			out = append(out, id)
		}
	}
	for n, at := range chain {
		e := all[at]
		if e.api == "" {
			put(e.id)
			continue
		}
		var calls []string
		for _, x := range all[:first] {
			if x.api == e.api {
				put(x.id)
				calls = append(calls, x.calls...)
			}
		}
		var results []int
		for i, x := range all[:first] {
			if x.answers != "" && slices.Contains(calls, x.answers) && find(x.id) == i {
				results = append(results, i)
			}
		}
		// Results in the chain keep their position among the others.
		for _, next := range chain[n+1:] {
			if all[next].api == e.api {
				continue
			}
			if !slices.Contains(results, next) {
				break
			}
		}
		for _, i := range results {
			put(all[i].id)
		}
	}
	return out
}

// TestClaudeCodeRandom compares the requests of random sessions with the rules.
func TestClaudeCodeRandom(t *testing.T) {
	total := 0
	for seed := range uint64(60) {
		all := randomSession(rand.New(rand.NewPCG(seed, 3)), 80)
		var file strings.Builder
		var firsts []int
		seen := map[string]bool{}
		for i, e := range all {
			file.WriteString(e.line() + "\n")
			if e.api != "" && !seen[e.api] {
				firsts = append(firsts, i)
			}
			seen[e.api] = true
		}
		steps, err := track(t, "s.jsonl", []byte(file.String()), source.Options{Note: func(thread.Note) {}})
		if err != nil {
			t.Fatal(err)
		}
		calls, lists := callsOf(t, steps)
		if len(calls) != len(firsts) {
			t.Fatalf("seed %d: %d calls of %d", seed, len(calls), len(firsts))
		}
		for n, items := range lists {
			got := []string{}
			for _, item := range items {
				if id := item.Part.ID; len(got) == 0 || got[len(got)-1] != id {
					got = append(got, id)
				}
			}
			want := append([]string{}, sentAt(all, firsts[n])...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d call %d of line %d: %s", seed, n, firsts[n]+1, diff)
			}
			total++
		}
	}
	t.Logf("%d calls", total)
}

// TestAttachmentsWithoutTexts checks what is sent of attachments whose texts are not in the log,
// and that a call says which text it lacks.
func TestAttachmentsWithoutTexts(t *testing.T) {
	for _, c := range []struct{ attachment, want, missing string }{
		{`{"type":"agent_listing_delta","addedTypes":["a"],"addedLines":["- a: one"],"isInitial":true,"showConcurrencyNote":true}`,
			"Available agent types for the Agent tool:\n- a: one\n\nWhen you launch multiple agents for independent work, send them in a single message with multiple tool uses so they run concurrently.", ""},
		{`{"type":"agent_listing_delta","removedTypes":["a"],"isInitial":false,"showConcurrencyNote":true}`,
			"The following agent types are no longer available:\n- a\n\nThis is ambient context — do not narrate it to the user unless they ask or it is directly relevant to their request.", ""},
		{`{"type":"hook_success","hookEvent":"UserPromptSubmit","hookName":"UserPromptSubmit","content":"Be kind."}`, "UserPromptSubmit hook success: Be kind.", ""},
		{`{"type":"hook_success","hookEvent":"PostToolUse","hookName":"PostToolUse:Bash","content":"done"}`, "", ""},
		{`{"type":"task_reminder","content":[{"id":"1"}],"itemCount":1}`, "", "text of the attachment task_reminder"},
		{`{"type":"output_style","style":"brief"}`, "", "text of the attachment output_style"},
		{`{"type":"command_permissions","allowedTools":[]}`, "", ""},
	} {
		log := `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Go."}}
{"type":"attachment","uuid":"x","parentUuid":"u","sessionId":"s","attachment":` + c.attachment + `}
{"type":"assistant","uuid":"a","parentUuid":"x","sessionId":"s","message":{"id":"m","model":"claude-opus-5-5","role":"assistant","content":[]}}
`
		var got, missing string
		err := source.ReadFiles(t.Context(), []source.File{source.Bytes("in.jsonl", []byte(log))}, source.Options{}, func(r *series.Request) error {
			if r.Event != nil {
				return nil
			}
			for _, m := range r.Messages[1:] {
				var v struct {
					Role    string
					Content []struct{ Text string }
				}
				if err := json.Unmarshal([]byte(m.Value), &v); err != nil || v.Role != "system" || len(v.Content) != 1 {
					t.Error(m.Value)
				}
				got += v.Content[0].Text
			}
			for _, m := range r.Missing {
				if strings.Contains(m, "attachment") {
					missing += m
				}
			}
			return nil
		})
		if err != nil || got != c.want || missing != c.missing {
			t.Errorf("%s: %v\n got %s\nwant %s\nmissing %q, want %q", c.attachment, err, got, c.want, missing, c.missing)
		}
	}
}

// TestUnanswered checks that prompts that the model did not answer are one message.
func TestUnanswered(t *testing.T) {
	const prompts = 100
	var b strings.Builder
	parent := ""
	record := func(kind, message string) {
		id := fmt.Sprintf("r%d", b.Len())
		fmt.Fprintf(&b, `{"uuid":%q,"parentUuid":%q,"sessionId":"s","type":%q,"message":%s}`+"\n", id, parent, kind, message)
		parent = id
	}
	for i := range prompts {
		record("user", fmt.Sprintf(`{"role":"user","content":"Prompt %d."}`, i))
		record("user", `{"role":"user","content":"[Request interrupted by user]"}`)
	}
	record("user", `{"role":"user","content":"Go on."}`)
	record("assistant", `{"id":"m","role":"assistant","content":[{"type":"text","text":"Yes."}]}`)
	calls := allCalls(t, []source.File{source.Bytes("s.jsonl", []byte(b.String()))})
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	if sent := calls[0].Sent; len(sent) != 1 || len(sent[0].Parts) != 2*prompts+1 {
		t.Errorf("the call was sent %d messages, the first with %d parts", len(sent), len(sent[0].Parts))
	}
}
