package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// selectKind returns a selection of the blocks of a kind.
func selectKind(kind string) func(*engine.Timeline) ([]engine.Node, error) {
	return func(t *engine.Timeline) (list []engine.Node, err error) {
		for n := range t.At(0).All() {
			if k, _ := n.Kind(); k == kind && n.Base() == engine.BaseBlock {
				list = append(list, n)
			}
		}
		return list, nil
	}
}

func show(text string) func(engine.Node, int, int) (string, bool) {
	return func(engine.Node, int, int) (string, bool) { return text, true }
}

// commitTurn inserts a question, a call and its result of a number of tokens, and commits.
func commitTurn(t *testing.T, c *engine.Context, i, tokens int) *engine.Snapshot {
	t.Helper()
	call := map[string]engine.Value{"call_id": engine.Text(fmt.Sprint("call-", i)), "name": engine.Text("read")}
	for _, d := range []engine.Draft{
		{ID: fmt.Sprint("q", i), Role: "user", Content: engine.Text(strings.Repeat("q", 40))},
		{ID: fmt.Sprint("c", i), Role: "assistant", Kind: "call", Members: call, Content: engine.Text(`{"path":"a"}`)},
		{ID: fmt.Sprint("r", i), Role: "tool", Kind: "result", Members: call, Content: engine.Text(strings.Repeat("r", 4*tokens))},
	} {
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			t.Fatal(err)
		}
	}
	return engineCommit(t, c)
}

func newWith(t *testing.T, p engine.Policy) *engine.Context {
	t.Helper()
	c, err := engine.New(engine.Options{Policy: &p})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// causesOf writes the causes of a snapshot, without those of containers.
func causesOf(s *engine.Snapshot) string {
	var out []string
	if info := s.Info(); info != nil {
		for _, c := range info.Causes {
			out = append(out, fmt.Sprintf("%s %s by %q rule %q, %s, saved %d", c.ID, c.Cause, c.By, c.Rule, c.Trigger, c.Saved))
		}
	}
	return strings.Join(out, "\n")
}

// TestStandIn shows that a cleared result keeps its content and its place, and that renderings show
// the text in it (E81, E83).
func TestStandIn(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 150, KeepSegments: 1, Steps: []engine.Step{
		{Rule: "clear", Select: selectKind("result"), Show: show("[gone]")},
	}})
	commitTurn(t, c, 1, 100)
	s := commitTurn(t, c, 2, 100)
	if got, want := causesOf(s), `r1 cleared by "block:9" rule "clear", budget, saved 98`; !strings.Contains(got, "r1 cleared by") || !strings.HasSuffix(got, `rule "clear", budget, saved 98`) {
		t.Errorf("causes\n got %s\nwant %s", got, want)
	}
	n, _ := s.Find("r1")
	if text, _ := n.Content().Text(); len(text) != 400 {
		t.Errorf("the content of a sealed node changed: %q", text)
	}
	out, err := thread.Render(s, thread.Anthropic, thread.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := `"tool_use_id":"call-1","content":"[gone]"`
	if !strings.Contains(string(out.JSON), want) || strings.Count(string(out.JSON), "rrrr") == 0 {
		t.Errorf("the thread has no %s: %s", want, out.JSON)
	}
	run := s.Info().Policy
	if run == nil || run.Before-run.After != 98 || run.Trigger != engine.TriggerBudget {
		t.Errorf("run %+v", run)
	}
	if s = commitTurn(t, c, 3, 100); len(s.StandIns()) != 2 {
		t.Errorf("%d nodes are cleared, want 2: %s", len(s.StandIns()), causesOf(s))
	}
}

// TestRedactedTwice shows that a marker without content hides what another one shows (E81).
func TestRedactedTwice(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 50, Steps: []engine.Step{{Select: selectKind("result"), Show: show("[gone]")}}})
	commitTurn(t, c, 1, 100)
	if _, err := c.Delete(engine.ByID("r1")); err != nil {
		t.Fatal(err)
	}
	s := engineCommit(t, c)
	if len(s.StandIns()) != 0 || strings.Contains(render(t, s), "[gone]") {
		t.Errorf("a redacted node still shows a text: %s", render(t, s))
	}
	if s.Info() != nil && s.Info().Policy != nil {
		t.Errorf("the policy counts what is redacted: %+v", s.Info().Policy)
	}
}

func render(t *testing.T, s *engine.Snapshot) string {
	t.Helper()
	out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(out.JSON)
}

// TestReplacedStandIn shows that new content in the working state is shown again (E81).
func TestReplacedStandIn(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 10, Steps: []engine.Step{{Select: selectKind(""), Show: show("…")}}})
	if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "a", Content: engine.Text(strings.Repeat("a", 80))}); err != nil {
		t.Fatal(err)
	}
	s, err := c.Step()
	if err != nil || len(s.StandIns()) != 1 {
		t.Fatal(err, causesOf(s))
	}
	if _, err := c.Replace(engine.ByID("a"), engine.Draft{Content: engine.Text("new")}); err != nil {
		t.Fatal(err)
	}
	if s = engineCommit(t, c); len(s.StandIns()) != 0 || !strings.Contains(render(t, s), "new") {
		t.Errorf("the new content is hidden: %s", render(t, s))
	}
}

// TestMinGain shows that steps that would save too little change nothing (E83).
func TestMinGain(t *testing.T) {
	for gain, want := range map[int]int{99: 0, 98: 1} {
		c := newWith(t, engine.Policy{Budget: 120, MinGain: gain, Steps: []engine.Step{{Select: selectKind("result"), Show: show("[gone]")}}})
		commitTurn(t, c, 1, 100)
		if s := commitTurn(t, c, 2, 1); len(s.StandIns()) != want {
			t.Errorf("min-gain %d: %d changes, want %d: %s", gain, len(s.StandIns()), want, causesOf(s))
		}
	}
}

// TestSummary shows what a summary replaces, and what happens if it fails (E84).
func TestSummary(t *testing.T) {
	fails := true
	c := newWith(t, engine.Policy{Budget: 150, KeepSegments: 1, Steps: []engine.Step{{
		Rule:   "sum",
		Select: func(t *engine.Timeline) (list []engine.Node, err error) { return []engine.Node{t.At(0).Root()}, nil },
		Summarize: func(nodes []engine.Node) (engine.Draft, error) {
			if fails {
				return engine.Draft{}, errors.New("no connection")
			}
			return engine.Draft{Content: engine.Text("They read a file.")}, nil
		},
	}}})
	commitTurn(t, c, 1, 100)
	s := commitTurn(t, c, 2, 100)
	if run := s.Info().Policy; run.Before != run.After || fmt.Sprint(run.Failed) != "[sum: no connection]" || causesOf(s) != "" {
		t.Errorf("a failed summary: %+v, causes %s", run, causesOf(s))
	}
	fails = false
	s = commitTurn(t, c, 3, 10)
	got := causesOf(s)
	for _, id := range []string{"q1", "c1", "r1"} {
		if !strings.Contains(got, id+" compacted by \"block:") || !strings.Contains(got, `rule "sum", budget`) {
			t.Errorf("%s is not replaced by a summary:\n%s", id, got)
		}
	}
	text := render(t, s)
	if at := strings.Index(text, "They read a file."); at < 0 || at > strings.Index(text, "call-2") {
		t.Errorf("the summary is not where the nodes were: %s", text)
	}
}

// TestEmptiedContainer shows that the text of a container that a step empties counts as saved.
func TestEmptiedContainer(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 5, MinGain: 8, Steps: []engine.Step{{
		Rule:   "drop",
		Select: func(t *engine.Timeline) ([]engine.Node, error) { return []engine.Node{t.At(0).Root()}, nil },
	}}})
	box := engine.Draft{ID: "box", Type: "cont", Removable: true, Content: engine.Text(strings.Repeat("x", 36)), Children: []engine.Draft{{ID: "in", Content: engine.Text("x")}}}
	if _, err := c.Insert(engine.AtDepth(0, 1), box); err != nil {
		t.Fatal(err)
	}
	s, err := c.Step()
	if err != nil {
		t.Fatal(err)
	}
	if run := s.Info().Policy; run == nil || run.Before != 10 || run.After != 0 || s.Info().Causes[0].Saved+s.Info().Causes[1].Saved != 10 {
		t.Errorf("run %+v, causes %+v", run, s.Info().Causes)
	}
}

// TestDropOverlay shows that an overlay of a container is dropped with it once the container is
// empty, although the overlay is the first victim.
func TestDropOverlay(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 5, Steps: []engine.Step{{
		Rule:   "drop",
		Select: func(t *engine.Timeline) ([]engine.Node, error) { return []engine.Node{t.At(0).Root()}, nil },
	}}})
	box := engine.Draft{ID: "box", Key: "k", Type: "cont", Removable: true, Children: []engine.Draft{{ID: "in", Content: engine.Text("xxxx")}}}
	if _, err := c.Insert(engine.AtDepth(0, 1), box); err != nil {
		t.Fatal(err)
	}
	engineCommit(t, c)
	if _, err := c.Replace(engine.ByKey("k"), engine.Draft{Key: "k", Type: "block", Priority: -1, Content: engine.Text(strings.Repeat("y", 40))}); err != nil {
		t.Fatal(err)
	}
	if run := engineCommit(t, c).Info().Policy; run == nil || run.Before != 11 || run.After != 0 {
		t.Errorf("run %+v, want 0 tokens after", run)
	}
}

// TestCorrection shows that the count follows the usage that a provider reported (E82).
func TestCorrection(t *testing.T) {
	c := newWith(t, engine.Policy{Budget: 1000, Steps: []engine.Step{{Select: selectKind("result"), Show: show("[gone]")}}})
	c.Describe(engine.CommitInfo{Call: &engine.Call{Usage: &engine.Usage{Input: 980}}})
	if s := commitTurn(t, c, 1, 100); s.Info().Policy != nil {
		t.Errorf("the policy ran: %+v", s.Info().Policy)
	}
	s := commitTurn(t, c, 2, 100)
	if run := s.Info().Policy; run == nil || run.Before != 980+113 {
		t.Errorf("run %+v, want 1093 tokens before", run)
	}
}

// TestShrink shows what happens after a provider refused a call (E85).
func TestShrink(t *testing.T) {
	c := newWith(t, engine.Policy{Steps: []engine.Step{{Rule: "drop", Select: selectKind("result")}}, MinGain: 5000})
	commitTurn(t, c, 1, 100)
	commitTurn(t, c, 2, 100)
	s, err := c.Shrink(50)
	if err != nil {
		t.Fatal(err)
	}
	got := causesOf(s)
	if want := "c1 pruned by \"\" rule \"drop\", overflow, saved 3\nr1 pruned by \"\" rule \"drop\", overflow, saved 100"; got != want {
		t.Errorf("causes\n got %s\nwant %s", got, want)
	}
	if _, ok := s.Find("r2"); !ok || s.Info().Policy.Trigger != engine.TriggerOverflow {
		t.Errorf("more left than needed: %+v", s.Info().Policy)
	}
}

// TestFailedSelector shows that a commit fails with its policy, and changes nothing.
func TestFailedSelector(t *testing.T) {
	failed := errors.New("no such thing")
	c := newWith(t, engine.Policy{Budget: 1, Steps: []engine.Step{{Select: func(*engine.Timeline) ([]engine.Node, error) { return nil, failed }}}})
	if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("some text")}); err != nil {
		t.Fatal(err)
	}
	before := string(c.AppendJSON(nil))
	if _, err := c.Commit(); !errors.Is(err, failed) || string(c.AppendJSON(nil)) != before {
		t.Errorf("error %v, and the state may have changed", err)
	}
}
