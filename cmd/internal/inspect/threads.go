package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// threadStep is the thread of a call, as the difference from that of the previous call. Values are
// numbers of parts.
type threadStep struct {
	Same int      `json:"same"` // leading messages that it shares with the previous call
	Add  [][2]int `json:"add"`  // the messages that follow: of each run of parts the first, and how many
	// Rest is the request without its messages; nil if it has not changed.
	Rest map[string]int `json:"rest,omitempty"`
}

// threads renders the states of a session. Rendering each separately would take quadratic time. So
// a run of states that only grow is rendered once, at its end, and the others are prefixes of that.
type threads struct {
	out    []threadStep
	value  func(engine.Value) string // of the options of the rendering
	parts  []json.RawMessage         // the different messages and other values
	number map[string]int            // of each part
	states []*engine.Snapshot        // of the run
	entry  map[string]int            // the state of the run at which a node entered, unless it is the first
	there  map[string]bool           // the nodes that were there at any state
	before *rendered                 // the last thread of out
	length int                       // of before, in messages
}

// rendered is a thread in parts.
type rendered struct {
	messages []json.RawMessage
	rest     map[string]json.RawMessage
	entry    []int // of each message
	upTo     []int // for each state of the run the number of its messages; -1 if it must be rendered to know that
}

// add adds a state, and the versions that the step to it begins and ends.
func (t *threads) add(ctx context.Context, s *engine.Snapshot, st steps.Step) error {
	if !t.grows(s, st) {
		if err := t.flush(ctx); err != nil {
			return err
		}
	}
	for _, r := range st.Open {
		if len(t.states) > 0 && !t.there[r.ID] {
			t.entry[r.ID] = len(t.states)
		}
		t.there[r.ID] = true
	}
	t.states = append(t.states, s)
	return nil
}

// newThreads returns an empty list of threads, in which a function replaces values.
func newThreads(value func(engine.Value) string) *threads {
	return &threads{value: value, number: map[string]int{}, entry: map[string]int{}, there: map[string]bool{}}
}

// grows reports whether a state has everything that the previous one has, plus independent blocks.
// Containers may have moved, as those of a turn do when the next one begins.
func (t *threads) grows(s *engine.Snapshot, st steps.Step) bool {
	moved := 0
	for _, r := range st.Open {
		n, _ := s.Find(r.ID)
		region, _ := n.Region()
		if region == engine.RegionSys || len(n.Refs()) > 0 || t.there[r.ID] && n.Base() == engine.BaseBlock {
			return false
		}
		if t.there[r.ID] {
			moved++
		}
	}
	return moved == len(st.Close)
}

// flush renders the run.
func (t *threads) flush(ctx context.Context) error {
	if len(t.states) == 0 {
		return nil
	}
	last := len(t.states) - 1
	whole, err := t.render(t.states[last], t.entry, last)
	if err != nil {
		return err
	}
	for i, s := range t.states {
		if err := ctx.Err(); err != nil {
			return err
		}
		now, n := whole, whole.upTo[i]
		if n < 0 {
			if now, err = t.render(s, nil, 0); err != nil {
				return err
			}
			n = len(now.messages)
		}
		t.put(now, n)
	}
	t.states, t.entry = nil, map[string]int{}
	return nil
}

// put adds the first n messages of a thread.
func (t *threads) put(now *rendered, n int) {
	st := threadStep{Add: [][2]int{}}
	before := t.before
	if before == now {
		st.Same = min(t.length, n)
	} else {
		for st.Same < min(t.length, n) && bytes.Equal(before.messages[st.Same], now.messages[st.Same]) {
			st.Same++
		}
		if before == nil || !maps.EqualFunc(before.rest, now.rest, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			st.Rest = map[string]int{}
			for _, name := range slices.Sorted(maps.Keys(now.rest)) {
				st.Rest[name] = t.part(now.rest[name])
			}
		}
	}
	for _, m := range now.messages[st.Same:n] {
		at := t.part(m)
		if last := len(st.Add) - 1; last >= 0 && st.Add[last][0]+st.Add[last][1] == at {
			st.Add[last][1]++
		} else {
			st.Add = append(st.Add, [2]int{at, 1})
		}
	}
	t.out, t.before, t.length = append(t.out, st), now, n
}

// part returns the number of a value. Equal values have one number, so what is sent again takes no
// space.
func (t *threads) part(v json.RawMessage) int {
	n, ok := t.number[string(v)]
	if !ok {
		n = len(t.parts)
		t.parts, t.number[string(v)] = append(t.parts, v), n
	}
	return n
}

// render renders the last state of a run. Nodes that are not in entry were there at its first
// state.
func (t *threads) render(s *engine.Snapshot, entry map[string]int, last int) (*rendered, error) {
	out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{Value: t.value})
	if err != nil {
		return nil, err
	}
	r, ends, err := split(out.JSON)
	if err != nil {
		return nil, err
	}
	r.upTo = make([]int, last+1)
	if last == 0 {
		r.upTo[0] = len(r.messages)
		return r, nil
	}
	// The states from begins up to, but not including, ends have only a part of the thread between
	// two positions.
	partial := make([]int, last+2)
	mark := func(begin, end int) {
		if begin < end {
			partial[begin]++
			partial[end]--
		}
	}
	if slices.ContainsFunc(out.Notes, isUnsettled) {
		mark(0, last)
	}
	r.entry = make([]int, len(r.messages))
	first := slices.Repeat([]int{last}, len(r.messages))
	for _, u := range out.Units {
		if at, _ := slices.BinarySearch(ends, u.End); at < len(ends) && u.Node != "" {
			first[at], r.entry[at] = min(first[at], entry[u.Node]), max(r.entry[at], entry[u.Node])
		}
	}
	calls := map[string]int{} // the entry of a call
	// By state: texts that enter and have no unit, less the messages in which one of them is the
	// content beside calls. Where the sum is not 0, one of these messages is still without its
	// calls.
	texts := make([]int, last+1)
	countTexts(texts, s, entry, out)
	highest := 0
	for i, m := range r.messages {
		mark(first[i], r.entry[i])
		mark(r.entry[i], highest)
		highest = max(highest, r.entry[i])
		var ids struct {
			Calls  []struct{ ID string } `json:"tool_calls"`
			Answer string                `json:"tool_call_id"`
			Text   string                `json:"content"`
		}
		if err := json.Unmarshal(m, &ids); err == nil && len(ids.Calls) > 0 && ids.Text != "" {
			texts[r.entry[i]]--
		} // otherwise content is a list, whose parts have units
		for _, c := range ids.Calls {
			calls[c.ID] = r.entry[i]
		}
		if ids.Answer != "" {
			mark(calls[ids.Answer], r.entry[i])
		}
		r.upTo[highest]++
	}
	bad, open, n := 0, 0, 0
	for i := range r.upTo {
		bad += partial[i]
		open += texts[i]
		n += r.upTo[i]
		if r.upTo[i] = n; bad > 0 || open != 0 {
			r.upTo[i] = -1
		}
	}
	return r, nil
}

// countTexts counts the blocks that enter at each state and have no unit in the thread, though they
// are in it.
func countTexts(counts []int, s *engine.Snapshot, entry map[string]int, out thread.Rendered) {
	located := map[string]bool{}
	for _, u := range out.Units {
		located[u.Node] = true
	}
	for _, n := range out.Notes {
		if n.Kind == thread.LeftOut {
			located[n.Node] = true
		}
	}
	for id, at := range entry {
		if n, ok := s.Find(id); ok && n.Base() == engine.BaseBlock && !located[id] {
			counts[at]++
		}
	}
}

// isUnsettled reports whether the subject of a note may be different in an earlier state.
func isUnsettled(n thread.Note) bool { return n.Kind != thread.LeftOut && n.Kind != thread.Refused }

// split cuts a thread into its messages and the rest, and returns where the messages end.
func split(text []byte) (r *rendered, ends []int, err error) {
	r = &rendered{rest: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(text))
	list := func() error {
		if _, err := d.Token(); err != nil {
			return err
		}
		for d.More() {
			var m json.RawMessage
			if err := d.Decode(&m); err != nil {
				return err
			}
			r.messages, ends = append(r.messages, m), append(ends, int(d.InputOffset()))
		}
		_, err := d.Token()
		return err
	}
	if len(text) > 0 && text[0] == '[' {
		return r, ends, list()
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		if name == "messages" {
			if err := list(); err != nil {
				return nil, nil, err
			}
			continue
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, err
		}
		r.rest[name.(string)] = v
	}
	return r, ends, nil
}
