package calls_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// body is a line of a log of requests with an answer. usage is JSON, or empty.
func body(model, messages, answer, usage string) string {
	return fmt.Sprintf(`{"request":{"model":%q,"messages":[%s]},"response":{"choices":[{"message":{"role":"assistant","content":%q}}],"usage":%s}}`,
		model, messages, answer, orNull(usage))
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }

func said(text string) string { return fmt.Sprintf(`{"role":"assistant","content":%q}`, text) }

// words is a text of n tokens.
func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

func used(in, out int) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d}`, in, out)
}

// claude returns the lines of a session of Claude Code: what the user says and what is answered, in
// turn. An answer is a text with its usage after a bar.
func claude(turns ...string) string {
	var out []string
	parent := "null"
	for i, text := range turns {
		id := fmt.Sprintf("%q", fmt.Sprintf("n%d", i))
		if i%2 == 0 {
			out = append(out, fmt.Sprintf(`{"type":"user","uuid":%s,"parentUuid":%s,"sessionId":"s","message":{"role":"user","content":%q}}`, id, parent, text))
		} else {
			text, usage, _ := strings.Cut(text, "|")
			out = append(out, fmt.Sprintf(`{"type":"assistant","uuid":%s,"parentUuid":%s,"sessionId":"s","message":{"id":%s,"model":"claude-x","role":"assistant","content":[{"type":"text","text":%q}],"usage":%s}}`,
				id, parent, id, text, orNull(usage)))
		}
		parent = id
	}
	return strings.Join(out, "\n")
}

// TestFigures checks the tokens of calls and their grades: in, out, then what is there at times.
func TestFigures(t *testing.T) {
	lines := func(list ...string) string { return strings.Join(list, "\n") }
	const m = "gpt-4o"
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"without usage all is counted", lines(body(m, user(words(10)), words(3), ""), body(m, user(words(10))+","+said(words(3))+","+user(words(5)), "ok", "")), []string{
			"10 counted, 3 counted", "18 counted, 1 counted",
		}},
		{"the last exact count and what was counted since", lines(body(m, user(words(10)), words(3), used(17, 3)), body(m, user(words(10))+","+said(words(3))+","+user(words(5)), "ok", "")), []string{
			"17 exact, 3 exact", "25 estimated, 1 counted",
		}},
		{"two without usage after one with", claude("go", "a|"+`{"input_tokens":20000,"output_tokens":1}`, words(50), "b", words(70), "c"), []string{
			"20000 exact, 1 exact, rest 19999", "20051 estimated, 1 counted, rest 19999", "20122 estimated, 1 counted, rest 19999",
		}},
		{"no ratio from a small prompt", claude("hi", "a|"+`{"input_tokens":4,"cache_read_input_tokens":30000,"output_tokens":1}`, words(2000), "b"), []string{
			"30004 exact, 1 exact, rest 30003", "32005 estimated, 1 counted, rest 30003",
		}},
		{"zero usage is none", lines(body(m, user(words(10)), "ok", used(0, 0)), body(m, user(words(10))+","+said("ok")+","+user("on"), "ok", used(40, 1))), []string{
			"10 counted, 1 counted", "40 exact, 1 exact",
		}},
		{"only the output is known", lines(body(m, user(words(10)), "ok", used(0, 7))), []string{"10 counted, 7 exact"}},
		{"a streamed part of the output", claude("go", words(400)+"|"+`{"input_tokens":20,"output_tokens":2}`), []string{"20 exact, 2 at-least, rest 19"}},
		{"an output that is more than the text", claude("go", words(40)+"|"+`{"input_tokens":20,"output_tokens":900}`), []string{"20 exact, 900 exact, rest 19"}},
		{"an empty output with text", lines(body(m, user("go"), words(40), used(9, 0))), []string{"9 exact, 0 at-least"}},
		{"a reset: the context shrinks without a reason", claude("go", "a|"+`{"input_tokens":50000,"output_tokens":1}`, "on", "b|"+`{"input_tokens":20000,"output_tokens":1}`), []string{
			"50000 exact, 1 exact, rest 49999", "20000 exact, 1 exact, rest 49999, fewer 30000",
		}},
		{"a small shrink is the provider's", claude("go", "a|"+`{"input_tokens":50000,"output_tokens":1}`, "on", "b|"+`{"input_tokens":49800,"output_tokens":1}`), []string{
			"50000 exact, 1 exact, rest 49999", "49800 exact, 1 exact, rest 49999",
		}},
		{"what left explains that it shrank", lines(body(m, user(words(9000))+","+said("a")+","+user("b"), "c", used(9012, 1)), body(m, user("b"), "c", used(8, 1))), []string{
			"9012 exact, 1 exact", "8 exact, 1 exact",
		}},
		{"most of the context left, and there is no usage", lines(
			body(m, user("first")+","+said(words(9000))+","+user("b"), "c", used(9012, 1)), body(m, user("first")+","+user("b")+","+said("c")+","+user(words(20)), "d", ""),
			body(m, user("first")+","+user("b")+","+said("c")+","+user(words(20))+","+said("d")+","+user("e"), "f", ""),
		), []string{
			"9012 exact, 1 exact", "33 estimated, 1 counted", "35 estimated, 1 counted",
		}},
		{"a change of model is no shrink, and measured anew", lines(body(m, user(words(10)), "a", used(30000, 1)), body("gpt-4o-mini", user(words(10))+","+said("a")+","+user("b"), "c", used(17, 1))), []string{
			"30000 exact, 1 exact, rest 29990", "17 exact, 1 exact",
		}},
		{"fewer tokens than there are", lines(body(m, user(words(9000)), "a", used(100, 1))), []string{"100 exact, 1 exact, fewer 8900"}},
		{"a rest that another vocabulary explains", lines(body("claude-x", user(words(900)), "a", used(1300, 1))), []string{"1300 exact, 1 exact"}},
		{"several requests for one call", claude("go", "a|"+`{"input_tokens":1028000,"output_tokens":5,"iterations":[{"input_tokens":513000},{"input_tokens":515000}]}`, "on", "b|"+`{"input_tokens":516000,"output_tokens":5}`), []string{
			"1028000 exact, 5 exact, iterations [513000 515000]", "516000 exact, 5 exact, rest 515997",
		}},
		{"a refused request", lines(body(m, user(words(10)), "a", used(17, 1)), `{"status":429,"request":{"model":"gpt-4o","messages":[`+user(words(10))+","+said("a")+","+user("b")+`]},"response":{"error":{"message":"slow down"}}}`), []string{
			"17 exact, 1 exact", "19 estimated, failed 429 slow down",
		}},
		{"an answer from a cache", lines(body(m, user(words(10)), "a", used(17, 1)), `{"cache_hit":true,`+body(m, user(words(10)), "a", used(17, 1))[1:]), []string{
			"17 exact, 1 exact", "17 estimated, 1 counted, from a cache",
		}},
		{"history kept by the provider", `{"request":{"model":"gpt-4o","previous_response_id":"r","input":[{"role":"user","content":"on"}]},"response":{"output":[{"type":"message","role":"assistant","content":"ok"}],"usage":{"input_tokens":800,"output_tokens":1}}}`, []string{
			"800 exact, 1 exact, rest 799, missing history kept by the provider",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, h := range read(t, "log.jsonl", []byte(c.log)) {
				for _, x := range collect(t, h, calls.Options{}) {
					got = append(got, figures(x))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// figures writes what is known about the tokens of a call.
func figures(c *calls.Call) string {
	t := c.Tokens
	text := fmt.Sprintf("%d %s", t.In, t.Label)
	if t.Out != nil {
		text += fmt.Sprintf(", %d %s", *t.Out, t.OutLabel)
	}
	if t.Rest > 0 {
		text += fmt.Sprintf(", rest %d", t.Rest)
	}
	if t.Fewer > 0 {
		text += fmt.Sprintf(", fewer %d", t.Fewer)
	}
	if t.Iterations != nil {
		text += fmt.Sprintf(", iterations %v", t.Iterations)
	}
	if c.Failed != "" {
		text += ", failed " + c.Failed
	}
	if c.FromCache {
		text += ", from a cache"
	}
	if c.Recorded && c.Missing != nil {
		text += ", missing " + strings.Join(c.Missing, ", ")
	}
	return text
}

// TestCountsLittle checks that the texts of calls are not counted if the log has their tokens.
func TestCountsLittle(t *testing.T) {
	var turns []string
	for i := range 20 {
		turns = append(turns, words(50), fmt.Sprintf(`a|{"input_tokens":%d,"output_tokens":1}`, 1000+100*i))
	}
	for _, h := range read(t, "log.jsonl", []byte(claude(turns...))) {
		for i, c := range collect(t, h, calls.Options{}) {
			if isCounted := c.Tokens.Counted != nil; isCounted != (i == 0) {
				t.Errorf("call %d: counted: %v", i, isCounted)
			}
			if !json.Valid(c.AppendJSON(nil)) {
				t.Error("invalid JSON")
			}
		}
	}
}
