package calls_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/internal/prices"
)

// asked is a line of a log of requests to Anthropic. Messages and usage are JSON.
func asked(model, time, messages, usage string) string {
	return fmt.Sprintf(`{"time":%q,"request":{"model":%q,"max_tokens":9,"messages":[%s]},"response":{"role":"assistant","content":[{"type":"text","text":"ok"}],"usage":%s}}`,
		time, model, messages, usage)
}

func billed(in, read, minutes, hour, out int) string {
	return fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":%d},"output_tokens":%d}`,
		in, read, minutes+hour, minutes, hour, out)
}

// marked is a message with a marker of the cache.
func marked(role, text string) string {
	return fmt.Sprintf(`{"role":%q,"content":[{"type":"text","text":%q,"cache_control":{"type":"ephemeral"}}]}`, role, text)
}

// TestCosts checks windows, costs, misses and breaks, one line for each call.
func TestCosts(t *testing.T) {
	const sonnet, early, later = "claude-sonnet-4-5", "2026-03-07T10:00:00Z", "2026-03-07T10:04:00Z"
	talk := user("a") + "," + said("ok") + "," + user("b")
	for _, c := range []struct {
		name, log string
		options   calls.Options
		want      []string
	}{
		{name: "cache writes by lifetime", log: asked(sonnet, early, user("a"), billed(1000, 2000, 3000, 4000, 500)), want: []string{
			"window 200000 table; 0.046350 = 0.003000 + 0.000600 + 0.035250 + 0.007500 exact",
		}},
		{name: "a tier counts for the whole call", log: asked(sonnet, early, user("a"), billed(200001, 0, 0, 0, 100)), want: []string{
			"no window; 1.202256 = 1.200006 + 0.000000 + 0.000000 + 0.002250 exact",
		}},
		{name: "an unknown model", log: asked("claude-x", early, user("a"), billed(10, 0, 0, 0, 1)), want: []string{"no window; unknown model"}},
		{name: "the configuration", log: asked("my-model", early, user("a"), billed(10, 0, 0, 0, 1)),
			options: calls.Options{Prices: prices.Table{"my-model": {Input: 1e5, Output: 1e6}}, Windows: prices.Windows{"my-model": 100}},
			want:    []string{"window 100 configuration; 2.000000 = 1.000000 + 0.000000 + 0.000000 + 1.000000 exact"}},
		{name: "idle for longer than five minutes", log: asked(sonnet, early, user("a"), billed(10, 0, 5000, 0, 1)) + "\n" + asked(sonnet, "2026-03-07T10:07:00Z", talk, billed(10, 0, 5020, 0, 1)), want: []string{
			"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact",
			"window 200000 table; 0.018870 = 0.000030 + 0.000000 + 0.018825 + 0.000015 exact; 5000 missed: idle 420 of 300 for 0.01725; wrote 5020, 5000 again",
		}},
		{name: "idle for less than an hour", log: asked(sonnet, early, user("a"), billed(10, 0, 0, 5000, 1)) + "\n" + asked(sonnet, "2026-03-07T10:59:00Z", talk, billed(10, 0, 0, 5020, 1)), want: []string{
			"window 200000 table; 0.030045 = 0.000030 + 0.000000 + 0.030000 + 0.000015 exact",
			"window 200000 table; 0.030165 = 0.000030 + 0.000000 + 0.030120 + 0.000015 exact; 5000 missed: unknown 3540 of 3600 for 0.0285; wrote 5020, 5000 again",
		}},
		{name: "all was read", log: asked(sonnet, early, user("a"), billed(10, 0, 5000, 0, 1)) + "\n" + asked(sonnet, later, talk, billed(10, 5000, 20, 0, 1)), want: []string{
			"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact",
			"window 200000 table; 0.001620 = 0.000030 + 0.001500 + 0.000075 + 0.000015 exact",
		}},
		{name: "a change after the last marker breaks nothing",
			log: asked(sonnet, early, marked("user", "a")+","+said("ok")+","+user("x"), billed(10, 0, 5000, 0, 1)) + "\n" +
				asked(sonnet, later, marked("user", "a")+","+said("ok")+","+user("y y y"), billed(10, 5000, 0, 0, 1)),
			want: []string{
				"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact",
				"window 200000 table; 0.001545 = 0.000030 + 0.001500 + 0.000000 + 0.000015 exact",
			}},
		{name: "a change before the last marker breaks the cache",
			log: asked(sonnet, early, user("x")+","+said("ok")+","+marked("user", "a"), billed(10, 0, 5000, 0, 1)) + "\n" +
				asked(sonnet, later, user("y y y")+","+said("ok")+","+marked("user", "a"), billed(10, 0, 5000, 0, 1)),
			want: []string{
				"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact",
				"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact; broke for 0.000007; wrote 5000, 2 again",
			}},
		{name: "another message in a request that Claude Code recorded breaks the cache", log: recorded, want: []string{
			"window 200000 table; 0.018795 = 0.000030 + 0.000000 + 0.018750 + 0.000015 exact",
			"window 200000 table; 0.004995 = 0.000030 + 0.001200 + 0.003750 + 0.000015 exact; broke for 0.000000",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Cache = true
			var got []string
			for _, h := range read(t, "log.jsonl", []byte(c.log)) {
				for _, x := range collect(t, h, c.options) {
					got = append(got, costLine(x))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// recorded is a log of Claude Code with two requests, whose markers are at the system prompt and at
// the last message.
const recorded = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Count to nine."}}
{"type":"api-request-shape","sessionId":"s","shapeHash":"k","shape":{"system":[{"type":"text","text":"You count."}]}}
{"type":"api-request-blob","sessionId":"s","hash":"h1","message":{"role":"user","content":[{"type":"text","text":"Count to nine."}]}}
{"type":"api-request","sessionId":"s","id":"q1","shapeHash":"k","params":{"model":"claude-sonnet-4-5"},"keep":0,"tail":["h1"],"cacheControl":[{"path":["system",0],"value":{"type":"ephemeral"}},{"path":["messages",0,"content",0],"value":{"type":"ephemeral"}}]}
{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-03-07T10:00:00Z","sessionId":"s","requestRef":"q1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"One."}],"usage":{"input_tokens":10,"cache_creation_input_tokens":5000,"output_tokens":1}}}
{"type":"user","uuid":"u2","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Count to ten."}}
{"type":"api-request-blob","sessionId":"s","hash":"h2","message":{"role":"user","content":[{"type":"text","text":"Count to ten."}]}}
{"type":"api-request","sessionId":"s","id":"q2","shapeHash":"k","params":{"model":"claude-sonnet-4-5"},"keep":0,"tail":["h2"],"cacheControl":[{"path":["system",0],"value":{"type":"ephemeral"}},{"path":["messages",0,"content",0],"value":{"type":"ephemeral"}}]}
{"type":"assistant","uuid":"a2","parentUuid":"u2","timestamp":"2026-03-07T10:01:00Z","sessionId":"s","requestRef":"q2","message":{"id":"m2","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"One."}],"usage":{"input_tokens":10,"cache_read_input_tokens":4000,"cache_creation_input_tokens":1000,"output_tokens":1}}}
`

func costLine(c *calls.Call) string {
	out := []string{"no window"}
	if w := c.Window; w != nil {
		out[0] = fmt.Sprintf("window %d %s", w.Tokens, strings.Replace(w.From, prices.Source(), "table", 1))
	}
	k := c.Cache
	if out = append(out, k.NoCost); k.Cost != nil {
		x := k.Cost
		out[1] = fmt.Sprintf("%.6f = %.6f + %.6f + %.6f + %.6f %s", x.Total, x.Input, x.CacheRead, x.CacheWrite, x.Output, x.Label)
		if k.Broken != nil {
			out = append(out, fmt.Sprintf("broke for %.6f", x.Break))
		}
	}
	if m := k.Miss; m != nil {
		out = append(out, fmt.Sprintf("%d missed: %s %d of %d for %v", m.Tokens, m.Why, m.Idle, m.Lifetime, *m.Cost))
	}
	if written, again := c.Rewritten(); again > 0 {
		out = append(out, fmt.Sprintf("wrote %d, %d again", written, again))
	}
	return strings.Join(out, "; ")
}

// TestUnknownModel checks that a call without a model does not count as a change of model, and that
// a change from the call before it to the call after it does.
func TestUnknownModel(t *testing.T) {
	const usage = `{"input_tokens":900,"output_tokens":5,"total_tokens":905}`
	compacted := `{"type":"token_usage_record","payload":{"response_id":"r0","usage":` + usage + `}}
{"type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Summary"}]}],"compaction_response_id":"r0"}}
`
	turn := func(model string) string {
		return fmt.Sprintf(`{"type":"turn_context","payload":{"model":%q}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}
{"type":"token_usage_record","payload":{"response_id":"r1","usage":%s}}
`, model, usage)
	}
	const meta = `{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"Rules."}]}}
`
	request := func(model, messages string) string {
		return fmt.Sprintf(`{"request":{%s"messages":[%s]},"response":{"role":"assistant","content":"ok","usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}}`, model, messages)
	}
	a, b := user("a"), user("a")+","+said("ok")+","+user("b")
	c := b + "," + said("ok") + "," + user("c")
	for _, x := range []struct {
		name, log string
		want      []string // the model of each call that differs from the one before it
	}{
		{"the first call is a compaction", meta + compacted + turn("gpt-5"), nil},
		{"and then the model changes", meta + compacted + turn("gpt-5") + turn("gpt-6"), []string{"gpt-6"}},
		{"a call between does not say it", request(`"model":"m",`, a) + "\n" + request("", b) + "\n" + request(`"model":"m",`, c), nil},
		{"a call between hides a change", request(`"model":"m",`, a) + "\n" + request("", b) + "\n" + request(`"model":"n",`, c), []string{"n"}},
	} {
		var got []string
		for _, call := range collect(t, read(t, "log.jsonl", []byte(x.log))[0], calls.Options{}) {
			if b := call.Cache.Broken; slices.Contains(call.Settings, "model") || b != nil && b.Setting == "model" {
				got = append(got, call.Model)
			}
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", x.name, diff)
		}
	}
}
