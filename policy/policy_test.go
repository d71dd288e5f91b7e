package policy_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/thread"
)

// TestParse reads policies as JSON, writes them again, and refuses wrong ones with their field.
func TestParse(t *testing.T) {
	const text = `{"window":"gpt-4o","reserve":1000,"keep-first":["^sys"],"keep-last":2,"step":[{"truncate":".block","over":9,"to":3},{"drop":".block"}]}`
	p, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(p); string(again) != text {
		t.Errorf("written again: %s", again)
	}
	for text, want := range map[string]string{
		`{"windows":1}`:           `windows: there is no such member; did you mean "window"?`,
		`{"window":1,"window":2}`: "duplicate member",
		`{"window":1.5}`:          "window: this is 1.5; write a whole number",
		`{"window":[1]}`:          "window: this is a list; write a whole number",
		`5`:                       "this is a number; write an object",
		`{"step":[{"drop":".block"},{"drop":5}]}`:   "step[1].drop: this is a number; write a string",
		`{"step":[{"drop":"@t-1..@t0 .block"}]}`:    "step[0].drop: it compares states",
		`{"keep-first":["@t-1..@t0 .block"]}`:       "keep-first[0]: it compares states",
		`{"step":[{"clear":".block","drop":"."}]}`:  "step[0]: a step has exactly one of",
		`{"step":[{"drop":".block["}]}`:             "step[0].drop: ",
		`{"step":[{"truncate":".block","to":3}]}`:   "step[0].truncate: it needs",
		`{"step":[{"drop":".block","to":3}]}`:       "step[0].drop: only truncate",
		`{"step":[{"drop":".block","with":"x"}]}`:   "step[0].drop: only clear",
		`{"step":[{"drop":".block","except":"["}]}`: "step[0].except: ",
		`{"keep-first":["["]}`:                      "keep-first[0]: ",
		`{"reserve":-1}`:                            "reserve: this is -1; write",
		`{"window":5,"reserve":5}`:                  "reserve: nothing is left",
		`{} {}`:                                     "offset 3",
	} {
		if _, err := policy.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	p = &policy.Policy{Window: policy.Window{Model: "no-such-model"}}
	if _, err := p.Compile(policy.Options{}); err == nil || !strings.Contains(err.Error(), `window: the window of the model "no-such-model" is not known`) {
		t.Errorf("error %v", err)
	}
}

// agent runs a policy over turns with a question, a call and its result.
func agent(t testing.TB, p policy.Policy, o policy.Options, results ...string) *engine.Timeline {
	t.Helper()
	compiled, err := p.Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.New(engine.Options{Policy: compiled})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range results {
		id := map[string]engine.Value{"call_id": engine.Text(string(rune('a' + i)))}
		call := map[string]engine.Value{"call_id": id["call_id"], "name": engine.Text("read_file")}
		for _, d := range []engine.Draft{
			{Role: "user", Content: engine.Text("Read it.")},
			{Role: "assistant", Kind: "call", Members: call, Content: engine.Text(`{"path":"a.txt"}`)},
			{Role: "tool", Kind: "result", Members: id, Content: engine.Text(text)},
		} {
			if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return c.Timeline().Recorded()
}

func rendered(t *testing.T, s *engine.Snapshot) string {
	t.Helper()
	out, err := thread.Render(s, thread.Anthropic, thread.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(out.JSON)
}

// TestSteps runs each step in a live context, and shows what a provider is sent then.
func TestSteps(t *testing.T) {
	long := strings.Repeat("one two three ", 100)
	for name, c := range map[string]struct {
		step    policy.Step
		results []string
		want    string // a part of the thread
		not     string
	}{
		"truncate":  {policy.Step{Truncate: ".block+tool", Over: 60, To: 50}, []string{long, "short"}, "tokens left out", long},
		"clear":     {policy.Step{Clear: ".block+tool"}, []string{long, "short"}, `"content":"[cleared: read_file, 30`, long},
		"with":      {policy.Step{Clear: ".block+tool", With: "{kind} of {name}"}, []string{long, "short"}, `"content":"result of read_file"`, long},
		"dedupe":    {policy.Step{Dedupe: ".block+tool"}, []string{long, long}, "the same as a later result of read_file", long + `"}]},{"role":"user","content":"Read it."`},
		"drop":      {policy.Step{Drop: ".block+tool"}, []string{long, "short"}, "short", "toolu_a"},
		"except":    {policy.Step{Drop: ".block", Except: ".block+user"}, []string{long, "short"}, "Read it.", long},
		"summarise": {policy.Step{Summarise: "^seq .seg:depth(>1)"}, []string{long, "short"}, "They read a file.", long},
	} {
		p := policy.Policy{Window: policy.Window{Tokens: 300}, KeepLast: 1, Steps: []policy.Step{c.step}}
		s := agent(t, p, policy.Options{Summarise: func([]engine.Node) (engine.Draft, error) {
			return engine.Draft{Content: engine.Text("They read a file.")}, nil
		}}, c.results...).At(0)
		text := rendered(t, s)
		if !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: want %q and not %q in %s\n%+v", name, c.want, c.not, text, s.Info())
		}
	}
}

// TestWaiting shows that a call stays until it has its result: a policy may act in between.
func TestWaiting(t *testing.T) {
	for _, step := range []policy.Step{{Drop: ".block"}, {Summarise: ".block"}} {
		p := policy.Policy{Window: policy.Window{Tokens: 1}, Nodes: 6, Steps: []policy.Step{step}}
		compiled, err := p.Compile(policy.Options{Summarise: func([]engine.Node) (engine.Draft, error) { return engine.Draft{Content: engine.Text("S")}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		c, err := engine.New(engine.Options{Policy: compiled})
		if err != nil {
			t.Fatal(err)
		}
		insert := func(kind, id, text string) {
			d := engine.Draft{ID: kind + id, Kind: kind, Content: engine.Text(text), Members: map[string]engine.Value{"call_id": engine.Text(id)}}
			if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
				t.Fatal(err)
			}
		}
		insert("text", "", "Read both, please, and then tell me which one is newer.")
		insert("call", "a", `{"path":"a.txt"}`)
		insert("call", "b", `{"path":"b.txt"}`)
		insert("result", "a", "the first file of the two")
		for _, want := range []string{"callb", ""} {
			s, err := c.Step()
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for n := range s.All() {
				if id, _ := engine.ToolPair(n); id != "" {
					left = append(left, n.ID())
				}
			}
			if got := strings.Join(left, " "); got != want {
				t.Errorf("%v leaves %q, want %q", step, got, want)
			}
			insert("result", "b", "the second file of the two")
		}
	}
}

// TestTrialLikeLive compares what a policy does in a live context with what a trial says about the
// same turns without one.
func TestTrialLikeLive(t *testing.T) {
	p := policy.Policy{Window: policy.Window{Tokens: 150}, KeepLast: 1, Steps: []policy.Step{
		{Truncate: ".block+tool", Over: 40, To: 30}, {Clear: ".block+tool"}, {Drop: ".block"},
	}}
	var results []string
	for i := range 12 {
		results = append(results, strings.Repeat("a few words ", 3+7*i%40))
	}
	live := agent(t, p, policy.Options{}, results...).At(0)
	recorded := agent(t, policy.Policy{}, policy.Options{}, results...)
	compiled, err := p.Compile(policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trial := compiled.NewTrial()
	var out *engine.Outcome
	for s := range recorded.Sealed() {
		if out, err = trial.Next(recorded, s.Cycle()); err != nil {
			t.Fatal(err)
		}
	}
	if run := live.Info().Policy; run == nil || run.After != out.After {
		t.Errorf("live %+v, trial %+v with %d tokens", run, out.Run, out.After)
	}
}

// TestEarlierState selects what was in an earlier state: nothing, until the history is that long.
func TestEarlierState(t *testing.T) {
	p := policy.Policy{Window: policy.Window{Tokens: 20}, Steps: []policy.Step{{Drop: "@t-2 .block"}}}
	results := slices.Repeat([]string{strings.Repeat("a few words ", 10)}, 4)
	live := agent(t, p, policy.Options{}, results...)
	var dropped []int
	for s := range live.Sealed() {
		if info := s.Info(); info != nil && len(info.Causes) > 0 {
			dropped = append(dropped, int(s.Cycle()))
		}
	}
	if len(dropped) == 0 || dropped[0] != 3 {
		t.Errorf("nodes left in the cycles %v, want 3 as the first", dropped)
	}
}

// TestError shows where a mistake is.
func TestError(t *testing.T) {
	_, err := policy.Parse([]byte(`{"step":[{"drop":".block"},{"clear":"#"}]}`))
	if e, ok := errors.AsType[*policy.Error](err); !ok || e.Field != "step[1].clear" {
		t.Errorf("error %v", err)
	}
}
