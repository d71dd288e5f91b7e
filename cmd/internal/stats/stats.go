// Package stats summarizes the model calls of a session: turns, tokens, tools and their errors,
// what left and why, the cache.
package stats

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

// Session is a row: one session, or all of them.
type Session struct {
	File      string   `json:"file,omitempty"`
	Name      string   `json:"session,omitempty"`
	Sessions  int      `json:"sessions,omitempty"` // of the sum
	Models    []string `json:"models"`             // sorted
	Calls     int      `json:"calls"`              // of the conversation
	SideCalls int      `json:"side_calls"`
	Turns     int      `json:"turns"`
	Nodes     int      `json:"nodes"`             // blocks that were ever there
	Recorded  int      `json:"recorded"`          // calls, also side calls, whose requests the log has as they were sent
	Missing   []string `json:"missing,omitempty"` // what of the requests the log does not record, sorted
	Failed    int      `json:"failed,omitempty"`  // calls without an answer, whose tokens are not summed
	// FromCache counts the calls that a cache answered; their tokens are not summed.
	FromCache int      `json:"from_cache,omitempty"`
	Tokens    Tokens   `json:"tokens"`
	Tools     []Tool   `json:"tools"`            // by name
	Events    []Events `json:"events,omitempty"` // that the source states, by kind
	Left      []Left   `json:"left"`             // by cause
	Cache     Cache    `json:"cache"`
	// Cost is nil if it was not requested. Cost.Unknown names the models whose calls it lacks.
	Cost        *Cost               `json:"cost,omitempty"`
	Window      *Window             `json:"window,omitempty"`      // of one session; nil if no window is known
	Compactions []*calls.Compaction `json:"compactions,omitempty"` // of one session
	// Shares are what all calls together were sent, if requested, the largest first.
	Shares []calls.Share `json:"shares,omitempty"`
	Latest int64         `json:"-"` // input tokens of the latest call of the conversation
	// Capacity is the size of the window of its model, 0 if that is not known.
	Capacity int64 `json:"-"`
}

// Tokens are those of all calls, as the provider counted them or as they are estimated.
type Tokens struct {
	In       int64       `json:"in"`
	Out      int64       `json:"out"`
	Cached   int64       `json:"cached"`            // of In, as far as the log records it
	IsPart   bool        `json:"-"`                 // whether Cached lacks calls, because the log does not record theirs
	Label    calls.Label `json:"label"`             // the worst grade of the inputs
	OutLabel calls.Label `json:"out_label"`         // the worst grade of the known outputs
	Session  int64       `json:"session,omitempty"` // the input as the log itself sums it, if it does
	Rest     int64       `json:"rest,omitempty"`    // of the input of each call, what is in no text of the log
}

// Tool counts the calls of a tool, and those of its results that are errors: the provider says so
// (is_error), or the text begins with Error or Traceback.
type Tool struct {
	Name   string `json:"name"`
	Calls  int    `json:"calls"`
	Errors int    `json:"errors"`
}

// Left counts the nodes that left for a cause.
type Left struct {
	Cause string `json:"cause"`
	Nodes int    `json:"nodes"`
}

// Events counts the events of a kind, such as compaction.
type Events struct {
	Kind   string `json:"kind"`
	Events int    `json:"events"`
}

// Cache counts the calls that did not continue the previous call, and the tokens that had to be
// sent again; and the calls that did not read from the cache what it had. Rewritten are the tokens
// of Written that had been written before, as far as the log says what was written.
type Cache struct {
	Breaks    int   `json:"breaks"`
	Resent    int64 `json:"resent"`
	Misses    int   `json:"misses,omitempty"`
	Missed    int64 `json:"missed,omitempty"`
	Written   int64 `json:"written,omitempty"`
	Rewritten int64 `json:"rewritten,omitempty"`
}

// counter counts the parts of a session.
type counter struct {
	out     Session
	models  map[string]bool
	tools   map[string]*Tool
	left    map[string]int
	events  map[string]int
	turns   map[string]bool // by the ids of their cores
	names   map[string]string
	seen    map[string]bool
	missing map[string]bool
	figures figures
}

// Of summarizes a session. The cost is linear in the differences between its calls. The only error
// is that of the context.
func Of(ctx context.Context, s sessions.Session, o Options) (Session, error) {
	c := newCounter()
	c.figures.compactions.NoTokens, c.figures.compactions.Prices = o.NoTokens, o.Prices
	c.out.File, c.out.Name = s.Path, s.Name
	for call, err := range calls.Of(ctx, s.Timeline, calls.Options{
		NoTokens: o.NoTokens, Shares: o.Shares, Cache: !o.NoTokens, States: true, Prices: o.Prices, Windows: o.Windows,
	}) {
		if err != nil {
			return c.out, err
		}
		c.call(call)
	}
	if last := newest(s.Timeline); last != nil { // it has the last answer, which no call was sent
		c.segments(last)
		for n := range last.All() {
			c.node(n)
		}
	}
	return c.finish(), nil
}

func newCounter() *counter {
	return &counter{
		out: Session{Tokens: Tokens{Label: calls.Exact}}, missing: map[string]bool{},
		models: map[string]bool{}, tools: map[string]*Tool{}, left: map[string]int{}, events: map[string]int{}, turns: map[string]bool{}, names: map[string]string{},
		seen: map[string]bool{}, figures: newFigures(),
	}
}

// newest returns the last sealed snapshot, or nil.
func newest(t *engine.Timeline) *engine.Snapshot {
	for _, s := range t.All() {
		if !s.Working() {
			return s
		}
	}
	return nil
}

func (c *counter) call(call *calls.Call) {
	c.figures.call(call, &c.out.Cache)
	if call.Event != nil {
		c.state(call)
		return
	}
	if call.Model != "" {
		c.models[call.Model] = true
	}
	if call.Recorded {
		c.out.Recorded++
	}
	for _, what := range call.Missing {
		c.missing[what] = true
	}
	switch {
	case call.Failed != "":
		c.out.Failed++
	case call.FromCache:
		c.out.FromCache++
	default:
		c.out.Tokens.add(&call.Tokens)
	}
	for _, id := range call.Added {
		if n, ok := call.Snapshot.Find(id); ok {
			c.node(n)
		}
	}
	if call.Side != nil {
		c.out.SideCalls++
		return
	}
	c.out.Calls++
	c.out.Latest, c.out.Capacity = call.Tokens.In, 0
	if call.Window != nil {
		c.out.Capacity = call.Window.Tokens
	}
	c.segments(call.Snapshot)
	for _, d := range call.Left {
		c.left[d.Cause]++
	}
	if b := call.Cache.Broken; b != nil {
		c.out.Cache.Breaks++
		c.out.Cache.Resent += b.Resent
	}
}

// add adds the tokens of a call.
func (t *Tokens) add(x *calls.Tokens) {
	t.In, t.Out, t.Cached = t.In+x.In, t.Out+valueOf(x.Out), t.Cached+valueOf(x.Cached)
	t.IsPart = t.IsPart || x.Cached == nil
	t.Label, t.Session = calls.Worse(t.Label, x.Label), max(t.Session, x.Session)
	t.Rest = cmp.Or(x.Rest, t.Rest)
	if x.Out != nil {
		t.OutLabel = calls.Worse(t.OutLabel, x.OutLabel)
	}
}

// state counts a state between calls.
func (c *counter) state(s *calls.Call) {
	if s.Event.Kind != "answer" {
		c.events[s.Event.Kind]++
	}
	for _, id := range s.Added {
		if n, ok := s.Snapshot.Find(id); ok {
			c.node(n)
		}
	}
	c.segments(s.Snapshot)
	for _, d := range s.Left {
		c.left[d.Cause]++
	}
}

func valueOf(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// segments counts the turns that were not seen before, from the newest back to the first known one.
func (c *counter) segments(s *engine.Snapshot) {
	if head, ok := s.Region(engine.RegionHead); ok {
		c.cores(head)
	}
	for depth := 1; depth <= s.Segments(); depth++ {
		segment, ok := s.Segment(depth)
		if !ok || !c.cores(segment) {
			return
		}
	}
}

// cores counts the containers of a turn. It returns false if they were seen before.
func (c *counter) cores(of engine.Node) bool {
	isNew := false
	for n := range of.Children() {
		if n.Base() == engine.BaseCont && !c.turns[n.ID()] {
			c.turns[n.ID()], isNew = true, true
		}
	}
	return isNew
}

// node counts a block once.
func (c *counter) node(n engine.Node) {
	if n.Base() != engine.BaseBlock || c.seen[n.ID()] {
		return
	}
	c.seen[n.ID()] = true
	c.out.Nodes++
	kind, _ := n.Kind()
	id, _ := n.Header("call_id").Text()
	name, _ := n.Header("name").Text()
	switch kind {
	case "call":
		c.names[id] = name
		c.tool(name).Calls++
	case "result":
		if isError(n) {
			c.tool(cmp.Or(name, c.names[id])).Errors++
		}
	}
}

func (c *counter) tool(name string) *Tool {
	if c.tools[name] == nil {
		c.tools[name] = &Tool{Name: name}
	}
	return c.tools[name]
}

// isError reports whether a result is an error.
func isError(n engine.Node) bool {
	if n.Header("is_error").String() == "true" {
		return true
	}
	text, _ := n.Content().Text()
	return strings.HasPrefix(text, "Error") || strings.HasPrefix(text, "Traceback")
}

func (c *counter) finish() Session {
	c.out.Turns += len(c.turns)
	c.out.Models = slices.AppendSeq([]string{}, maps.Keys(c.models))
	slices.Sort(c.out.Models)
	if c.out.Tokens.OutLabel == "" { // no answer has a count
		c.out.Tokens.OutLabel = calls.Unknown
	}
	c.out.Missing = slices.Sorted(maps.Keys(c.missing))
	c.out.Tools, c.out.Left = []Tool{}, []Left{}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		c.out.Tools = append(c.out.Tools, *c.tools[name])
	}
	c.out.Events = nil
	for _, kind := range slices.Sorted(maps.Keys(c.events)) {
		c.out.Events = append(c.out.Events, Events{kind, c.events[kind]})
	}
	for _, cause := range slices.Sorted(maps.Keys(c.left)) {
		c.out.Left = append(c.out.Left, Left{cause, c.left[cause]})
	}
	c.figures.finish(&c.out)
	return c.out
}

// Sum adds up sessions. The zero value is ready for use.
type Sum struct{ c *counter }

// Add adds a session.
func (s *Sum) Add(x Session) {
	if s.c == nil {
		s.c = newCounter()
	}
	o := &s.c.out
	o.Sessions++
	o.Calls, o.SideCalls, o.Turns, o.Nodes = o.Calls+x.Calls, o.SideCalls+x.SideCalls, o.Turns+x.Turns, o.Nodes+x.Nodes
	o.Tokens.In, o.Tokens.Out, o.Tokens.Cached = o.Tokens.In+x.Tokens.In, o.Tokens.Out+x.Tokens.Out, o.Tokens.Cached+x.Tokens.Cached
	o.Tokens.IsPart = o.Tokens.IsPart || x.Tokens.IsPart
	if o.Tokens.Label = calls.Worse(o.Tokens.Label, x.Tokens.Label); x.Tokens.OutLabel != calls.Unknown { // that has no answers
		o.Tokens.OutLabel = calls.Worse(o.Tokens.OutLabel, x.Tokens.OutLabel)
	}
	o.Tokens.Session, o.Tokens.Rest = o.Tokens.Session+x.Tokens.Session, cmp.Or(x.Tokens.Rest, o.Tokens.Rest)
	o.Recorded, o.Failed = o.Recorded+x.Recorded, o.Failed+x.Failed
	o.FromCache += x.FromCache
	for _, what := range x.Missing {
		s.c.missing[what] = true
	}
	o.Cache.Breaks, o.Cache.Resent = o.Cache.Breaks+x.Cache.Breaks, o.Cache.Resent+x.Cache.Resent
	o.Cache.Misses, o.Cache.Missed = o.Cache.Misses+x.Cache.Misses, o.Cache.Missed+x.Cache.Missed
	o.Cache.Written, o.Cache.Rewritten = o.Cache.Written+x.Cache.Written, o.Cache.Rewritten+x.Cache.Rewritten
	s.c.figures.add(&x)
	for _, m := range x.Models {
		s.c.models[m] = true
	}
	for _, t := range x.Tools {
		s.c.tool(t.Name).Calls += t.Calls
		s.c.tool(t.Name).Errors += t.Errors
	}
	for _, e := range x.Events {
		s.c.events[e.Kind] += e.Events
	}
	for _, l := range x.Left {
		s.c.left[l.Cause] += l.Nodes
	}
}

// Total returns the sum.
func (s *Sum) Total() Session {
	if s.c == nil {
		s.c = newCounter()
	}
	return s.c.finish()
}
