package policy

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/tokens"
)

// selection returns the nodes of a state, the newest of the timeline.
type selection func(*engine.Timeline) ([]engine.Node, error)

// Compile makes the policy of an engine. The first mistake is an [*Error]. The result may be used
// by several contexts at a time, if the functions of the options may.
func (p *Policy) Compile(o Options) (*engine.Policy, error) {
	if o.Window == nil {
		o.Window = func(model string) int64 { return prices.Known(model).Window("", 0) }
	}
	if o.Counter == nil {
		o.Counter = tokens.For(p.Window.Model)
	}
	if err := p.checkNumbers(); err != nil {
		return nil, err
	}
	budget, err := p.budget(o.Window)
	if err != nil {
		return nil, err
	}
	out := &engine.Policy{Budget: budget, MinGain: p.MinGain, Tokens: o.Counter.Node}
	if p.Nodes > 0 {
		out.Limits = []engine.Limit{{Nodes: p.Nodes}}
	}
	var keep []selection
	for i, text := range p.KeepFirst {
		s, err := selectorOf("keep-first["+strconv.Itoa(i)+"]", text, o.Edition)
		if err != nil {
			return nil, err
		}
		keep = append(keep, s)
	}
	out.Keep = func(t *engine.Timeline) ([]engine.Node, error) {
		list := append(lastTurns(t.At(0), p.KeepLast), waiting(t.At(0))...)
		for _, s := range keep {
			more, err := s(t)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		return list, nil
	}
	for i := range p.Steps {
		st, err := p.Steps[i].compile(fieldOf(i), &o)
		if err != nil {
			return nil, err
		}
		out.Steps = append(out.Steps, st)
	}
	return out, nil
}

// lastTurns returns the nodes at the top of the newest turns: the head, if it is not empty, and the
// newest segments.
func lastTurns(s *engine.Snapshot, turns int) (list []engine.Node) {
	if head, ok := s.Region(engine.RegionHead); ok && turns > 0 {
		if _, ok := head.LastChild(); ok {
			list, turns = append(list, head), turns-1
		}
	}
	for depth := 1; depth <= turns; depth++ {
		if n, ok := s.Segment(depth); ok {
			list = append(list, n)
		}
	}
	return list
}

// waiting returns the calls in the turn in progress that have no result yet. Without them, the
// results that follow would have no calls.
func waiting(s *engine.Snapshot) []engine.Node {
	calls := map[string]engine.Node{}
	var look func(engine.Node)
	look = func(n engine.Node) {
		if id, begins := engine.ToolPair(n); begins {
			calls[id] = n
		} else {
			delete(calls, id)
		}
		for c := range n.Children() {
			look(c)
		}
	}
	if head, ok := s.Region(engine.RegionHead); ok {
		look(head)
	}
	return slices.Collect(maps.Values(calls))
}

// selectorOf compiles a selector.
func selectorOf(field, text string, e engine.Edition) (selection, error) {
	q, wrong := compiled.Select(text, e)
	if len(wrong) > 0 {
		return nil, &Error{field, wrong[0].Message, wrong[0].Hint}
	}
	if q.Compares {
		return nil, &Error{field, "it compares states, and a policy asks for the nodes of one", "write @t0 or no time"}
	}
	return func(t *engine.Timeline) ([]engine.Node, error) {
		r, err := q.Plan.Select(context.Background(), t, eval.Options{})
		if e, ok := errors.AsType[*eval.Error](err); ok && e.Diagnostics[0].Code == diag.SnapshotUnknown {
			return nil, nil // the history is not that long yet
		}
		if err != nil {
			return nil, &Error{field, err.Error(), ""}
		}
		var list []engine.Node
		for _, n := range r.Nodes {
			if n.Snapshot() != t.At(0) { // selected at another time
				var ok bool
				if n, ok = t.At(0).Find(n.ID()); !ok {
					continue
				}
			}
			list = append(list, n)
		}
		return list, nil
	}, nil
}

// compile makes a step of an engine.
func (s *Step) compile(field string, o *Options) (engine.Step, error) {
	action, text := s.selector()
	if err := s.check(field, action); err != nil {
		return engine.Step{}, err
	}
	out := engine.Step{Rule: action + " " + text}
	find, err := selectorOf(field+"."+action, text, o.Edition)
	if err != nil {
		return out, err
	}
	out.Select = find
	if s.Except != "" {
		except, err := selectorOf(field+".except", s.Except, o.Edition)
		if err != nil {
			return out, err
		}
		out.Select = without(find, except)
	}
	switch action {
	case "truncate":
		out.Cause = engine.CauseTruncated
		out.Show = func(n engine.Node, size, _ int) (string, bool) {
			return truncate(n, size, s.Over, s.To, o.Counter.Count)
		}
	case "clear":
		with := s.with("[cleared: {name}, {tokens} tokens]")
		out.Show = filled(with)
	case "dedupe":
		out.Cause = engine.CauseDeduplicated
		with := s.with("[the same as a later result of {name}]")
		out.Show = filled(with)
		find := out.Select
		out.Select = func(t *engine.Timeline) ([]engine.Node, error) {
			list, err := find(t)
			return repeated(t.At(0), list), err
		}
	case "summarise":
		out.Summarize = o.Summarise
		if out.Summarize == nil {
			out.Summarize = func([]engine.Node) (engine.Draft, error) {
				return engine.Draft{}, errors.New("the program that uses the policy has no function for summaries")
			}
		}
	}
	return out, nil
}

func (s *Step) with(usual string) string {
	if s.With != "" {
		return s.With
	}
	return usual
}

// without returns the nodes of one selection that are not, and are not in, those of another.
func without(find, except selection) selection {
	return func(t *engine.Timeline) ([]engine.Node, error) {
		list, err := find(t)
		if err != nil {
			return nil, err
		}
		out, err := except(t)
		if err != nil {
			return nil, err
		}
		isOut := map[string]bool{}
		for _, n := range out {
			isOut[n.ID()] = true
		}
		var left []engine.Node
		var add func(n engine.Node)
		add = func(n engine.Node) {
			if isOut[n.ID()] {
				return
			}
			if n.Base() == engine.BaseBlock {
				left = append(left, n)
			}
			for c := range n.Children() {
				add(c)
			}
		}
		for _, n := range list {
			if !isInside(n, isOut) {
				add(n)
			}
		}
		return left, nil
	}
}

func isInside(n engine.Node, set map[string]bool) bool {
	for ok := true; ok; n, ok = n.Parent() {
		if set[n.ID()] {
			return true
		}
	}
	return false
}

// isReasoning reports whether a node is reasoning, which only the model that wrote it accepts, and
// only unchanged.
func isReasoning(n engine.Node) bool {
	kind, _ := n.Kind()
	return kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning"
}

// truncate returns the beginning and the end of a text, with a line between them.
func truncate(n engine.Node, size, over, to int, count func(string) int) (string, bool) {
	text, ok := plainText(n)
	if !ok || size <= over || isReasoning(n) {
		return "", false
	}
	for room := len(text) * to / size; room > 0; room = room * 9 / 10 {
		head, tail := cut(text, room*2/3), len(text)-room/3
		for tail < len(text) && !utf8.RuneStart(text[tail]) {
			tail++
		}
		short := text[:head] + "\n[… " + strconv.Itoa(size-to) + " tokens left out …]\n" + text[tail:]
		if count(short) <= to {
			return short, true
		}
	}
	return "", false
}

// cut returns the last position up to n at which a rune begins.
func cut(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// filled returns a function that shows a text in place of nodes.
func filled(with string) func(n engine.Node, shown, whole int) (string, bool) {
	var parts []string // texts and words in turn
	for rest := with; ; {
		at := words.FindStringIndex(rest)
		if at == nil {
			parts = append(parts, rest)
			break
		}
		parts = append(parts, rest[:at[0]], rest[at[0]:at[1]])
		rest = rest[at[1]:]
	}
	return func(n engine.Node, _, whole int) (string, bool) { return fill(parts, n, whole), !isReasoning(n) }
}

var words = regexp.MustCompile(`\{(name|tokens|id|kind)\}`)

// fill puts texts and words in braces together. size is the number of tokens of the content before
// it was truncated.
func fill(parts []string, n engine.Node, size int) string {
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case part == "{name}":
			b.WriteString(nameOf(n))
		case part == "{tokens}":
			b.WriteString(strconv.Itoa(size))
		case part == "{id}":
			b.WriteString(n.ID())
		default:
			kind, _ := n.Kind()
			b.WriteString(kind)
		}
	}
	return b.String()
}

// nameOf returns the name of the tool of a call or result, or else the role of a node.
func nameOf(n engine.Node) string {
	if name, ok := n.Header("name").Text(); ok {
		return name
	}
	if id, begins := engine.ToolPair(n); id != "" && !begins {
		if name := called(n, id); name != "" {
			return name
		}
	}
	if role, ok := n.Role(); ok {
		return role
	}
	return n.Type()
}

// mostBetween is how many nodes before a result its call is looked for: a log may have many results
// without one.
const mostBetween = 1000

// called returns the name of the tool of the call that a result answers, the nearest one with the
// id before it, or "".
func called(result engine.Node, id string) string {
	seen := 0
	for m := range result.Before() {
		if other, begins := engine.ToolPair(m); begins && other == id {
			name, _ := m.Header("name").Text()
			return name
		}
		if seen++; seen == mostBetween {
			break
		}
	}
	return ""
}

// repeated returns the nodes of a list that a later one repeats: with the same content, role and
// kind and, if they are results, of the same call.
func repeated(s *engine.Snapshot, list []engine.Node) (out []engine.Node) {
	calls := map[string]string{}
	for n := range s.All() {
		if id, begins := engine.ToolPair(n); begins {
			calls[id] = n.Header("name").String() + n.Content().String()
		}
	}
	newest := map[string]engine.Node{}
	for _, n := range list {
		role, _ := n.Role()
		kind, _ := n.Kind()
		if n.Base() != engine.BaseBlock || n.Content().IsZero() {
			continue
		}
		id, _ := engine.ToolPair(n)
		key := strings.Join([]string{role, kind, calls[id], n.Content().String()}, "\x00")
		old, again := newest[key]
		if !again || old.Compare(n) < 0 {
			newest[key], n = n, old
		}
		if again {
			out = append(out, n)
		}
	}
	return out
}

// plainText returns a content that is a text, or a list of parts with texts.
func plainText(n engine.Node) (string, bool) {
	if text, ok := n.Content().Text(); ok {
		return text, true
	}
	return partTexts(n.Content().String())
}

// partTexts returns the texts of a list of parts, or false if a part is something else.
func partTexts(list string) (string, bool) {
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal([]byte(list), &parts) != nil || len(parts) == 0 {
		return "", false
	}
	var texts []string
	for _, p := range parts {
		if p.Text == nil || !strings.HasSuffix(p.Type, "text") {
			return "", false
		}
		texts = append(texts, *p.Text)
	}
	return strings.Join(texts, "\n"), true
}
