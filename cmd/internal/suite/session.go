package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/parser"
)

// Failure is an expectation that was not met.
type Failure struct {
	Expected string     `json:"expected"` // the expectation, as it is written in an archive
	Line     int        `json:"line"`     // its line in the suite
	Message  string     `json:"message"`
	Evidence []Evidence `json:"evidence"`       // in the order of the calls; at most mostEvidence
	More     int        `json:"more,omitempty"` // how many more pieces of evidence there are
}

// mostEvidence is the maximum number of pieces of evidence in a failure.
const mostEvidence = 100

// Evidence is what happened at a call that an expectation does not allow.
type Evidence struct {
	Cycle    int64         `json:"cycle"`
	Source   *calls.Source `json:"source"`          // where the call is recorded; nil if the history does not say
	Event    string        `json:"event"`           // left, changed, broke, sent, called or stated
	Node     string        `json:"node,omitempty"`  // the node that left or changed, or at which the cache broke
	Cause    string        `json:"cause,omitempty"` // why it left or changed; for a break, what happened; the kind of a stated event
	By       string        `json:"by,omitempty"`    // the node that replaced it; for a break, the setting that changed
	Inferred bool          `json:"inferred,omitempty"`
	Tokens   int64         `json:"tokens,omitempty"` // how many were sent; for a break, how many were sent again
	Label    calls.Label   `json:"label,omitempty"`  // how Tokens is known
	calls.ByPolicy
}

// String describes the evidence in one line, which begins with the time address of the call and
// where it is recorded.
func (v Evidence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "@c%d", v.Cycle)
	if src := v.Source; src != nil {
		fmt.Fprintf(&b, " %s", src.File)
		if src.Line > 0 {
			fmt.Fprintf(&b, ":%d", src.Line)
		}
		if src.Sample != "" {
			fmt.Fprintf(&b, " sample %s", src.Sample)
		}
		fmt.Fprintf(&b, " call %d", src.Call)
	}
	about := ""
	if v.Label != calls.Exact {
		about = "~"
	}
	switch v.Event {
	case "called":
		b.WriteString(": the last call")
	case "stated":
		fmt.Fprintf(&b, ": %s", v.Cause)
	case "sent":
		fmt.Fprintf(&b, ": %s%d tokens", about, v.Tokens)
	case "broke":
		at := v.Node
		if at == "" {
			at = v.By
		}
		fmt.Fprintf(&b, ": the cache broke at %s (%s), ~%d tokens sent again", at, v.Cause, v.Tokens)
	default:
		fmt.Fprintf(&b, ": %s %s: %s", v.Node, v.Event, v.Cause)
		if v.Inferred {
			b.WriteString(", inferred")
		}
		if v.Rule != "" {
			fmt.Fprintf(&b, " by %s (%s)", v.Rule, v.Trigger)
		}
		if v.By != "" {
			fmt.Fprintf(&b, ", %s stands for it", v.By)
		}
	}
	return b.String()
}

// sessionCalls holds the calls of a history.
type sessionCalls struct {
	calls []*calls.Call
	err   error
}

// session returns the calls of a history. It reads each history once, and counts tokens only if a
// case of the suite needs them.
func (r *Runner) session(ctx context.Context, t *engine.Timeline) sessionCalls {
	if s, ok := r.sessions[t]; ok {
		return s
	}
	var s sessionCalls
	for c, err := range calls.Of(ctx, t, calls.Options{NoTokens: !r.suite.countsTokens(), Cache: true}) {
		if err != nil {
			return sessionCalls{err: err} // ctx is done; not kept
		}
		s.calls = append(s.calls, c)
	}
	r.sessions[t] = s
	return s
}

// countsTokens reports whether a case is about tokens.
func (s *Suite) countsTokens() bool {
	return slices.ContainsFunc(s.Cases, func(c *Case) bool {
		return slices.ContainsFunc(c.Want.Expect, func(e *Expectation) bool { return e.What == "tokens" || e.What == "cache" })
	})
}

// runSession runs a case of expectations.
func (r *Runner) runSession(ctx context.Context, c *Case, out *Outcome) {
	s := r.session(ctx, out.History)
	if out.Err = s.err; out.Err != nil {
		return
	}
	if len(s.calls) == 0 {
		out.Err = problem(c.Line, "there are no model calls in the history, and no sealed snapshots that stand for them")
		return
	}
	ask := question{calls: s.calls, history: out.History}
	if c.Policy != nil {
		if out.Err = ask.trial(ctx, c); out.Err != nil {
			return
		}
	}
	if c.Selector != "" {
		q, plan, found := compiled.Compile(c.Selector, parser.Options{Edition: out.Edition, NoLegacy: c.NoLegacy || r.NoLegacy})
		if out.Found = found; plan == nil {
			out.Err = selectorProblem(c, OnlyErrors(found))
			return
		}
		if q.Time != nil || len(q.Controls()) > 0 {
			out.Err = problem(c.Line, "the selector is evaluated at each call: remove its time and its controls")
			return
		}
		ask.plan = plan
	}
	out.Answer = Answer{Kind: Session}
	for _, e := range c.Want.Expect {
		now, failures, err := ask.check(ctx, e)
		if err != nil {
			out.Err = err
			return
		}
		if len(failures) > 0 && e.Cycle > 0 {
			if hint := moved(out.History, e.Cycle); hint != "" {
				out.Hints = append(out.Hints, hint)
			}
		}
		out.Answer.Expect = append(out.Answer.Expect, now)
		out.Failures = append(out.Failures, failures...)
	}
	if len(out.Failures) == 0 && ask.plan != nil && r.History == nil {
		isThere, err := ask.selects(ctx)
		if err != nil {
			out.Err = err
			return
		}
		if !isThere {
			out.Failures = []Failure{{
				Expected: c.Want.Expect[0].String(), Line: c.Line, Message: "no call was sent a node that the selector selects", Evidence: []Evidence{},
			}}
		}
	}
	out.Passed = len(out.Failures) == 0
}

// selectorProblem is the error for a selector that cannot be run.
func selectorProblem(c *Case, found []diag.Diagnostic) *Problem {
	texts := make([]string, len(found))
	for i, d := range found {
		texts[i] = fmt.Sprintf("%s [%s]", d.Message, d.Code)
	}
	return problem(c.Line, "the selector has an error: %s", strings.Join(texts, "; "))
}

// question holds what expectations are checked against.
type question struct {
	calls   []*calls.Call
	history *engine.Timeline
	plan    *eval.Plan // the plan of the selector; nil if there is none
	isTrial bool       // the calls are as a policy would have made them
}

// selects reports whether a call was sent a node that the selector selects.
func (q *question) selects(ctx context.Context) (bool, error) {
	for _, c := range q.calls {
		nodes, err := q.plan.Nodes(ctx, c.Snapshot)
		if err != nil || len(nodes) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// check checks an expectation. It also returns the expectation with bounds or ids that are met.
func (q *question) check(ctx context.Context, e *Expectation) (*Expectation, []Failure, error) {
	if e.Cycle > 0 && !slices.ContainsFunc(q.calls, func(c *calls.Call) bool { return c.Cycle == e.Cycle }) {
		text := fmt.Sprintf("there is no call @c%d; they are @c%d to @c%d", e.Cycle, q.calls[0].Cycle, q.calls[len(q.calls)-1].Cycle)
		if hint := moved(q.history, e.Cycle); hint != "" {
			text += "; " + hint
		}
		return nil, nil, problem(e.Line, "%s", text)
	}
	if e.takesSelector() {
		return q.checkNodes(ctx, e)
	}
	now := *e
	now.Limits = slices.Clone(e.Limits)
	var failures []Failure
	for i, l := range e.Limits {
		var m measured
		switch {
		case e.What == "calls":
			m = q.countCalls()
		case e.What == "events":
			m = q.events(e)
		case e.What == "cache":
			m = q.breaks(e, l.Measure)
		case l.Measure == totalMeasure:
			m = q.total(e)
		default:
			m = q.sizes(e, l)
		}
		var failure *Failure
		if now.Limits[i], failure = e.compare(l, m); failure != nil {
			failures = append(failures, *failure)
		}
	}
	if failure := q.grades(e, &now); failure != nil {
		failures = append(failures, *failure)
	}
	if failure := q.missing(e, &now); failure != nil {
		failures = append(failures, *failure)
	}
	return &now, failures, nil
}

// measured is a value to compare with a limit.
type measured struct {
	low, high int64                // the range of the values; equal if there is only one
	what      func(n int64) string // describes a value
	evidence  []Evidence
}

// count formats a number of things.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// compare compares a measure with its limit. It returns a limit that is met, and a failure if the
// expected limit is not.
func (e *Expectation) compare(l Limit, m measured) (Limit, *Failure) {
	isLow := l.Min != nil && m.low < *l.Min
	if !isLow && (l.Max == nil || m.high <= *l.Max) {
		return l, nil
	}
	now := Limit{Measure: l.Measure, Min: l.Min, Max: l.Max}
	bound, value := l.Max, m.high
	word := "at most"
	if isLow {
		bound, value, word = l.Min, m.low, "at least"
	}
	switch {
	case l.isExact() && m.low == m.high:
		now.Min, now.Max, word = &value, &value, "exactly"
	case isLow && value == 0: // at least 0 is always true
		now.Min, now.Max = &value, &value
	case isLow:
		now.Min = &value
		if l.Max != nil && m.high > *l.Max {
			now.Max = &m.high
		}
	default:
		now.Max = &value
	}
	text := fmt.Sprintf("%s %d", word, *bound)
	if *bound == 0 {
		text = "none"
	}
	return now, e.failure(m.what(value)+"; expected "+text, m.evidence)
}

// failure returns a failure with at most mostEvidence pieces of evidence.
func (e *Expectation) failure(message string, evidence []Evidence) *Failure {
	f := &Failure{Expected: e.String(), Line: e.Line, Message: message, Evidence: evidence}
	if n := len(evidence) - mostEvidence; n > 0 {
		f.Evidence, f.More = evidence[:mostEvidence], n
	}
	if f.Evidence == nil {
		f.Evidence = []Evidence{}
	}
	return f
}

// counts reports whether the expectation applies to a call.
func (e *Expectation) counts(c *calls.Call) bool { return e.Cycle == 0 || e.Cycle == c.Cycle }

// checkNodes checks which nodes left or changed in the conversation.
func (q *question) checkNodes(ctx context.Context, e *Expectation) (*Expectation, []Failure, error) {
	var evidence []Evidence
	var before *calls.Call
	for _, c := range q.calls {
		if c.Side != nil {
			continue
		}
		if e.counts(c) {
			list, err := q.nodes(ctx, e, before, c)
			if err != nil {
				return nil, nil, err
			}
			evidence = append(evidence, list...)
		}
		before = c
	}
	now := *e
	if e.IDs == nil {
		what := func(n int64) string {
			text := count(n, "node") + " " + e.What
			if len(e.Causes) > 0 {
				text += " (" + strings.Join(e.Causes, ", ") + ")"
			}
			return text
		}
		n := int64(len(evidence))
		limit, failure := e.compare(e.Limits[0], measured{n, n, what, evidence})
		now.Limits = []Limit{limit}
		if failure == nil {
			return &now, nil, nil
		}
		return &now, []Failure{*failure}, nil
	}
	now.IDs = []string{}
	var others []Evidence
	for _, v := range evidence {
		now.IDs = append(now.IDs, v.Node)
		if !slices.Contains(e.IDs, v.Node) {
			others = append(others, v)
		}
	}
	if slices.Equal(now.IDs, e.IDs) {
		return &now, nil, nil
	}
	message := count(int64(len(others)), "node") + " " + e.What + " and should not have"
	if missing := slices.DeleteFunc(slices.Clone(e.IDs), func(id string) bool { return slices.Contains(now.IDs, id) }); len(missing) > 0 {
		message += "; these should have and did not: " + strings.Join(missing, ", ")
	} else if len(others) == 0 {
		message = "the nodes " + e.What + " in another order, or at other calls"
	}
	return &now, []Failure{*e.failure(message, others)}, nil
}

// nodes returns the nodes that left or changed between two calls, in document order. If there is a
// selector, it returns only nodes that it selects at the first of the calls or, for what a policy
// would have done, at the second.
func (q *question) nodes(ctx context.Context, e *Expectation, before, c *calls.Call) ([]Evidence, error) {
	var out []Evidence
	add := func(d calls.Departure) {
		if len(e.Causes) == 0 || slices.Contains(e.Causes, d.Cause) {
			out = append(out, Evidence{Cycle: c.Cycle, Source: c.Source, Event: e.What, Node: d.ID, Cause: d.Cause, By: d.By, Inferred: d.Inferred, ByPolicy: d.ByPolicy})
		}
	}
	if e.What == "left" {
		for _, d := range c.Left {
			add(d)
		}
	} else {
		for _, d := range c.Changed {
			add(d.Departure())
		}
	}
	if q.isTrial {
		before = c
	}
	if q.plan == nil || len(out) == 0 || before == nil {
		return out, nil
	}
	nodes, err := q.plan.Nodes(ctx, before.Snapshot)
	if err != nil {
		return nil, err
	}
	selected := map[string]bool{}
	for _, n := range nodes {
		selected[n.ID()] = true
	}
	return slices.DeleteFunc(out, func(v Evidence) bool { return !selected[v.Node] }), nil
}

// countCalls counts the calls, including side calls.
func (q *question) countCalls() measured {
	n := int64(len(q.calls))
	last := q.calls[n-1]
	return measured{n, n, func(n int64) string { return count(n, "call") }, []Evidence{{Cycle: last.Cycle, Source: last.Source, Event: "called"}}}
}

func sent(c *calls.Call) Evidence {
	return Evidence{Cycle: c.Cycle, Source: c.Source, Event: "sent", Tokens: c.Tokens.In, Label: c.Tokens.Label}
}

// breaks counts the calls of the conversation at which the cache broke, or the tokens that were
// sent again because of that.
func (q *question) breaks(e *Expectation, measure string) measured {
	m := measured{what: func(n int64) string { return "the cache broke at " + count(n, "call") }}
	resent := int64(0)
	for _, c := range q.calls {
		b := c.Cache.Broken
		if b == nil || c.Side != nil || !e.counts(c) || len(e.By) > 0 && !slices.Contains(e.By, b.By) {
			continue
		}
		resent += b.Resent
		m.evidence = append(m.evidence, Evidence{
			Cycle: c.Cycle, Source: c.Source, Event: "broke", Node: b.Node, By: b.Setting, Cause: b.Event, Tokens: b.Resent, Label: calls.Estimated,
		})
	}
	m.low = int64(len(m.evidence))
	if measure == resentMeasure {
		m.low = resent
		m.what = func(n int64) string { return fmt.Sprintf("about %s sent again", count(n, "token")) }
	}
	m.high = m.low
	return m
}

// total adds up the tokens that calls are sent. The evidence is the largest of them.
func (q *question) total(e *Expectation) measured {
	const largest = 3
	m := measured{what: func(n int64) string { return count(n, "token") + " sent in all" }}
	for _, c := range q.calls {
		if e.counts(c) {
			m.low += c.Tokens.In
			m.evidence = append(m.evidence, sent(c))
		}
	}
	slices.SortStableFunc(m.evidence, func(a, b Evidence) int { return int(b.Tokens - a.Tokens) })
	m.evidence = m.evidence[:min(largest, len(m.evidence))]
	m.high = m.low
	return m
}

// sizes finds the tokens of the smallest and the largest call. The evidence is the calls that are
// out of bounds.
func (q *question) sizes(e *Expectation, l Limit) measured {
	m := measured{what: func(n int64) string { return "a call was sent " + count(n, "token") }, low: -1}
	for _, c := range q.calls {
		if !e.counts(c) {
			continue
		}
		n := c.Tokens.In
		if m.low < 0 || n < m.low {
			m.low = n
		}
		m.high = max(m.high, n)
		if l.Min != nil && n < *l.Min || l.Max != nil && n > *l.Max {
			m.evidence = append(m.evidence, sent(c))
		}
	}
	return m
}
