package calls

import (
	"context"
	"iter"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/tokens"
)

// Options configures [Of]. The zero value counts the texts of calls for which the log records no
// usage, and those of the first call of each model that it records usage for.
type Options struct {
	History  string           // the name of the history in the calls
	NoTokens bool             // do not count: use only the numbers of the log
	Shares   bool             // count all texts of all calls, and fill in Tokens.Shares
	SharesOf *engine.Snapshot // with Shares, the only call whose shares are filled in; nil for all
	Files    int              // with Shares, how many files of a tool have a share each; 0 for 200
	States   bool             // yield the states between calls, too, and compare with them
	Cache    bool             // count the tokens that were sent again after the cache broke, and fill in Cache.Cost
	// Counts keeps the tokens of texts for other walks. It may be nil.
	Counts *tokens.Cache
	// Prices and Windows are those of the configuration, which precede what is known.
	Prices  prices.Table
	Windows prices.Windows
}

// Recorded reports whether the history records which of its snapshots are model calls.
func Recorded(t *engine.Timeline) bool {
	for s := range t.Sealed() {
		if isRecorded(s) {
			return true
		}
	}
	return false
}

func isRecorded(s *engine.Snapshot) bool {
	info := s.Info()
	return info != nil && (info.Call != nil || info.Side != nil || info.Event != nil)
}

// Of yields the model calls of a history, in the order of their cycles. The only error is that of
// the context; it comes in the last pair. The cost of a call depends on its differences from the
// previous call, and on what follows the first difference; the tokens of a text are counted once.
func Of(ctx context.Context, t *engine.Timeline, o Options) iter.Seq2[*Call, error] {
	return func(yield func(*Call, error) bool) {
		w := &walk{
			opts: o, recorded: Recorded(t), order: order{at: map[string]*entry{}}, markers: map[string]int{},
			causes: map[string]engine.Cause{}, counts: map[textKey]counted{}, rests: map[string]rest{}, shares: map[part]*amount{}, tools: map[string][]sized{},
		}
		for s := range t.Sealed() {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			for _, c := range w.add(s) {
				if !yield(c, nil) {
					return
				}
			}
		}
		for _, c := range w.waiting {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// walk goes through the snapshots of a history. Its many fields are what a line needs from the
// lines before it.
type walk struct {
	opts     Options
	recorded bool
	main     *engine.Snapshot // of the latest call of the conversation
	sent     int              // the length of its order
	order    order            // of the latest call or, if there are states after it, of the last of them
	states   []*state         // these
	settings []setting        // of the latest call
	markers  map[string]int   // redaction markers by the id of the node they refer to
	standIns map[string]engine.Node
	standAt  *engine.Snapshot // the snapshot of standIns
	causes   map[string]engine.Cause
	counts   map[textKey]counted
	counter  *tokens.Counter
	model    string
	rests    map[string]rest // by model
	shares   map[part]*amount
	groups   []*group           // of all parts so far, in order
	ends     [2]end             // of the bands of the latest bill
	tools    map[string][]sized // by the vocabulary and the list of tools
	before   *Call              // the latest call of the conversation
	last     *engine.Snapshot   // with States, of the latest call or state of the conversation
	events   []Happened         // since that call
	waiting  []*Call            // that call and the ones after it: its answer is in a later state
	held     held               // by the provider's cache
	writes   bool               // the log counts what is written to it
}

// textKey identifies a text whose tokens are counted.
type textKey struct {
	name     string // of a setting, or the id of a node
	isNode   bool
	encoding string
}

// counted is the number of tokens of a text.
type counted struct {
	text     string
	n, media int
}

// add takes the next snapshot, and returns the calls that are complete.
func (w *walk) add(s *engine.Snapshot) []*Call {
	info := s.Info()
	if info == nil {
		info = &engine.CommitInfo{}
	}
	isSide := info.Side != nil
	isState := w.recorded && info.Event != nil && !isSide
	isCall := !isState && (!w.recorded || isRecorded(s))
	causes := w.causes
	if isSide {
		causes = map[string]engine.Cause{}
	}
	for _, c := range info.Causes {
		causes[c.ID] = c
	}
	if info.Call != nil {
		w.model = info.Call.Model
	}
	w.use(w.model)
	if !isState {
		w.toCall()
	}
	st := w.state(s)
	if !isSide {
		w.answer(st)
	}
	var done []*Call
	if isCall {
		c := w.call(s, info, st, causes)
		if isSide {
			w.waiting = append(w.waiting, c)
		} else {
			done, w.waiting = w.waiting, []*Call{c}
			w.before = c
			c.Events, w.events = w.events, nil
		}
	} else if isState {
		c := w.between(s, info.Event, st, causes)
		if c.Event.Kind != "answer" {
			w.events = append(w.events, Happened{c.Cycle, c.Event.Kind, c.cause()})
		}
		if w.opts.States {
			w.waiting = append(w.waiting, c)
		}
	}
	if w.opts.States && (isState || isCall && !isSide) {
		w.last = s
	}
	switch {
	case isState:
		w.states = append(w.states, st)
	case isSide || !isCall:
		w.undo(st)
	default:
		w.main, w.settings, w.sent = s, st.settings, len(w.order.list)
		clear(w.causes)
	}
	return done
}

// state is a snapshot, with its differences from another one.
type state struct {
	snapshot *engine.Snapshot
	base     *engine.Snapshot // the one it is compared with
	same     int              // the length of the prefix that its order shares with that of the latest call
	diff     engine.Changes
	edit     *edit
	settings []setting
	changes  []settingChange
	marked   []engine.Node // may be redacted now, or no longer
}

// state updates the order to a snapshot.
func (w *walk) state(s *engine.Snapshot) *state {
	st := &state{snapshot: s, base: w.main, same: w.sent}
	if n := len(w.states); n > 0 {
		st.base, st.same = w.states[n-1].snapshot, w.states[n-1].same
	}
	if st.base != nil {
		st.diff = engine.Diff(st.base, s)
	} else {
		for n := range s.All() {
			st.diff.Added = append(st.diff.Added, n)
		}
	}
	st.settings = settingsOf(s)
	if w.main != nil {
		st.settings = withModel(st.settings, w.settings)
		st.changes = differences(w.settings, st.settings)
	}
	st.marked = w.mark(s, st.diff.Removed, -1)
	st.marked = append(st.marked, w.mark(s, st.diff.Added, 1)...)
	st.edit = w.order.apply(st.diff, st.marked, w.entry)
	st.same = min(st.same, st.edit.same)
	w.rewind(st.edit.first, st.edit.old)
	w.share(st.edit.gone, -1)
	w.share(st.edit.made, 1)
	return st
}

// toCall makes the order that of the latest call.
func (w *walk) toCall() {
	for _, st := range slices.Backward(w.states) {
		w.undo(st)
	}
	w.states = nil
}

// undo reverts the latest state.
func (w *walk) undo(st *state) {
	w.rewind(st.edit.first, w.order.list[st.edit.first:])
	w.share(st.edit.made, -1)
	w.share(st.edit.gone, 1)
	w.order.undo(st.edit)
	w.mark(st.snapshot, st.diff.Added, -1)
	w.mark(st.snapshot, st.diff.Removed, 1)
}

// mark counts redaction markers that were added or removed, and returns the nodes of a snapshot to
// which they refer.
func (w *walk) mark(s *engine.Snapshot, list []engine.Node, by int) (about []engine.Node) {
	for _, m := range list {
		if !isMarker(m) {
			continue
		}
		for _, id := range m.Refs() {
			w.markers[id] += by
			if n, ok := s.Find(id); ok {
				below(n, func(m engine.Node) { about = append(about, m) })
			}
		}
	}
	return about
}

// isRedacted reports whether a marker refers to a node or to one of its ancestors.
func (w *walk) isRedacted(n engine.Node) bool {
	for ok := len(w.markers) > 0; ok; n, ok = n.Parent() {
		if w.markers[n.ID()] > 0 {
			return true
		}
	}
	return false
}

// below visits a node and everything below it.
func below(n engine.Node, visit func(engine.Node)) {
	visit(n)
	for c := range n.Children() {
		below(c, visit)
	}
}

// entry makes the entry of a block.
func (w *walk) entry(n engine.Node) *entry {
	region, _ := n.Region()
	x := &entry{id: n.ID(), node: n, isMarked: !n.Header("cache_control").IsZero(), system: region == engine.RegionSys, redacted: w.isRedacted(n), message: messageOf(n)}
	if x.system && isBeside(n) {
		x.message = "-"
	}
	if x.redacted {
		if s := n.Snapshot(); s != w.standAt {
			w.standAt, w.standIns = s, s.StandIns()
		}
		x.standIn = w.standIns[x.id]
	}
	return x
}
