package history

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// Writer makes the entries of the history of one conversation. The zero value is ready for use. It
// is not safe for concurrent use.
type Writer struct {
	begun   bool
	entries []engine.Entry
	current state                     // of the latest entry
	main    []series.Item             // of the latest step that is not a side call
	ids     map[string]bool           // used so far
	keys    map[string]bool           // of nodes in the tree
	made    map[string]int            // latest number of the ids with a base
	left    map[*series.Node][]string // ids of the blocks of parts that left
	number  int                       // of messages
	index   int64                     // creation index of the next node
	reader  thread.NodeReader
	change  change // the latest one, whose memory the next one uses
}

// state describes a tree: its messages and what else is in it.
type state struct {
	cycle   int64
	list    []*item
	system  []block // nodes other than messages, such as the container of the settings
	setting []series.Setting
	format  string // of the request
	member  string // the member with its messages
	side    bool   // the tree of a side call
	same    int    // for a side call, the length of the prefix it shares with its main call
	isText  bool   // the request has a text instead of a list of messages
}

// item is a part of a message in the tree.
type item struct {
	node    *series.Node
	part    *series.Part
	message *series.Message
	index   int // of the part in the message
	number  int // of the message; it groups the parts when they are rendered
	blocks  []block
	ns      int64 // instant of the first block; each further one is a nanosecond later
	turn    *turn // nil in ^sys
}

func (i *item) end() int64 { return i.ns + int64(max(len(i.blocks), 1)) - 1 }

// turn has the ids of the core of a turn and, once it is finished, of its segment.
type turn struct {
	core, segment string
	ns            int64 // instant of the segment
}

// block is a node and its members, except those for its position in the tree.
type block struct {
	id  string
	typ string
	members
}

// members has the members of a node or of another object, sorted by name.
type members []engine.Member

// at returns where a member is or would be.
func (m members) at(name string) (int, bool) {
	return slices.BinarySearchFunc(m, name, func(x engine.Member, name string) int { return strings.Compare(x.Name, name) })
}

// get returns the value of a member, or "".
func (m members) get(name string) string {
	if i, ok := m.at(name); ok {
		return m[i].Value
	}
	return ""
}

func (m *members) set(name, value string) {
	i, ok := m.at(name)
	if ok {
		(*m)[i].Value = value
		return
	}
	*m = slices.Insert(*m, i, engine.Member{Name: name, Value: value})
}

func (m *members) drop(name string) {
	if i, ok := m.at(name); ok {
		*m = slices.Delete(*m, i, i+1)
	}
}

// Add takes the next step of the conversation and returns its entries. The cost is proportional to
// the difference from the previous step.
func (w *Writer) Add(ctx context.Context, c *series.Step) ([]engine.Entry, error) {
	w.init()
	var list []series.Item
	if c.Side == nil {
		w.main = append(w.main[:c.Same], series.Tail(w.main, c)...)
		list = w.main
	} else {
		list = series.Apply(w.main, c)
	}
	err := w.write(ctx, list, c)
	return w.take(), err
}

func (w *Writer) init() {
	if w.ids == nil {
		w.number = 1 // 0 is for what is not a message
		w.ids, w.keys, w.made = map[string]bool{}, map[string]bool{}, map[string]int{}
		w.left = map[*series.Node][]string{}
		for _, id := range [...]string{"root", "^sys", "^seq", "^ah"} {
			w.ids[id] = true
		}
	}
}

func (w *Writer) take() []engine.Entry {
	entries := w.entries
	w.entries = nil
	return entries
}

// write adds the entry that turns the latest tree into the one of a list of messages.
func (w *Writer) write(ctx context.Context, list []series.Item, c *series.Step) error {
	ch := &w.change
	ch.reset(w, c)
	if err := ch.items(ctx, list); err != nil {
		return err
	}
	ch.turns()
	ch.times()
	if err := ch.settings(ctx); err != nil {
		return err
	}
	ch.count()
	if !w.begun {
		w.entries = append(w.entries, engine.Entry{Kind: engine.EntryHistory, Text: `{"spec_version":"` + engine.Edition10.SpecVersion() + `"}`})
		w.entries = append(w.entries, engine.Entry{Kind: engine.EntrySnapshot, Cycle: c.Cycle, Text: "{}", Nodes: ch.whole(), Info: ch.info()})
		w.begun = true
	} else {
		nodes := ch.added() // before the rest, which continues their creation indexes
		w.entries = append(w.entries, engine.Entry{Kind: engine.EntryDelta, Cycle: c.Cycle, Nodes: nodes, Text: ch.delta(), Info: ch.info()})
	}
	w.current = ch.next
	return nil
}

// firstInstant is the first instant of a history whose source has no times.
var firstInstant = time.Unix(1, 0).UTC()
