package calls

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/tokens"
)

// Compaction describes a compaction of a conversation: which nodes left, and which results were
// fetched again later. Its JSON is described by docs/schemas/stats.json.
type Compaction struct {
	Cycle    int64    `json:"cycle"` // of the state after it, or of the first call that lacks what left
	Trigger  string   `json:"trigger,omitempty"`
	Inferred bool     `json:"inferred,omitempty"` // the log does not state it
	Before   int64    `json:"before"`             // tokens: as the log states them, else of the call before and its answer; 0 if unknown
	After    int64    `json:"after"`              // as the log states them, else of the call after it; 0 if unknown
	Window   *Window  `json:"window,omitempty"`
	Free     *int64   `json:"free,omitempty"` // tokens of the window that were free before; nil if unknown
	By       string   `json:"by,omitempty"`   // the node that stands for what left
	Left     []Kind   `json:"left"`           // the most nodes first
	Again    []*Again `json:"again"`          // in the order of the calls
}

// Kind counts the nodes of a kind that left: the calls or the results of a tool, or the messages of
// a role, as [Share] names them.
type Kind struct {
	What  string `json:"what"`
	Name  string `json:"name,omitempty"` // of the tool
	Nodes int    `json:"nodes"`
}

// Again is a call of a tool whose result a compaction took away: the same tool with the same
// arguments, or for the same file.
type Again struct {
	Cycle int64  `json:"cycle"` // of the first line that has the call
	ID    string `json:"id"`    // of the call
	Of    string `json:"of"`    // of the call that left
	Tool  string `json:"tool"`
	Same  string `json:"same"` // arguments, or file
	File  string `json:"file,omitempty"`
	// Tokens and Cost are those of the result, as it was sent the first time. They are 0 and nil if
	// they were not requested, or are unknown.
	Tokens int64    `json:"tokens"`
	Cost   *float64 `json:"cost,omitempty"`
}

// Compactions collects the compactions of one history.
type Compactions struct {
	NoTokens bool // count nothing
	Prices   prices.Table
	Counts   *tokens.Cache // as in [Options]

	list    []*Compaction
	last    *engine.Snapshot // of the line before
	before  *Call
	waiting *Compaction // the latest compaction, until its After is known
	gone    map[request]forgotten
	results map[string]*Again // by the id of the call
	// present has the calls that asked for something when they entered, the latest one last; nil
	// until it is needed. Some of them may have left.
	present map[request][]string
}

// request is what a tool is asked for: arguments or a file.
type request struct{ tool, arguments, file string }

// forgotten is a call that left.
type forgotten struct {
	id string
	in *Compaction
}

// Add takes the next call or state of the history, as [Of] yields them with [Options].States.
func (k *Compactions) Add(c *Call) {
	if c.Side != nil {
		return
	}
	if c.Event == nil && k.waiting != nil {
		k.waiting.After = cmp.Or(k.waiting.After, c.Tokens.In)
		k.waiting = nil
	}
	if k.present != nil {
		for _, id := range c.Added {
			if n, ok := c.Snapshot.Find(id); ok {
				k.enter(n)
			}
		}
		for _, x := range c.Changed {
			if n, ok := c.Snapshot.Find(x.ID); ok {
				k.enter(n)
			}
		}
	}
	isCompacted := func(d Departure) bool { return d.Cause == "compacted" }
	if c.Event != nil && c.Event.Kind == "compaction" || slices.ContainsFunc(c.Left, isCompacted) {
		k.compaction(c)
	}
	k.again(c)
	if k.last = c.Snapshot; c.Event == nil {
		k.before = c
	}
}

// List returns the compactions.
func (k *Compactions) List() []*Compaction { return k.list }

// compaction records a compaction and what it took away.
func (k *Compactions) compaction(c *Call) {
	x := &Compaction{Cycle: c.Cycle, Window: c.Window, Left: []Kind{}, Again: []*Again{}}
	if e := c.Event; e != nil {
		x.Trigger, x.Before, x.After = e.Trigger, e.Full, e.After
		k.waiting = x
	} else {
		x.Inferred, x.After = true, c.Tokens.In
		if k.before != nil && k.before.Tokens.Label != Unknown {
			x.Before = k.before.Tokens.In + valueOf(k.before.Tokens.Out)
		}
	}
	if x.Window != nil && x.Before > 0 {
		x.Free = new(max(x.Window.Tokens-x.Before, 0))
	}
	k.list = append(k.list, x)
	if k.last == nil {
		return
	}
	kinds := map[Kind]int{}
	left := map[request]string{}
	for _, d := range c.Left {
		n, ok := k.last.Find(d.ID)
		if !ok || c.Event == nil && d.Cause != "compacted" {
			continue
		}
		p := partOf(n)
		kinds[Kind{What: p.what, Name: ToolOf(n)}]++
		x.By = cmp.Or(x.By, d.By)
		for _, r := range requestsOf(callOf(n)) {
			left[r] = callOf(n).ID()
		}
	}
	k.dropPresent(left, c.Snapshot)
	if k.gone == nil {
		k.gone, k.results = map[request]forgotten{}, map[string]*Again{}
	}
	for r, id := range left {
		k.gone[r] = forgotten{id, x}
	}
	for kind, n := range kinds {
		kind.Nodes = n
		x.Left = append(x.Left, kind)
	}
	slices.SortFunc(x.Left, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name))
	})
}

// dropPresent deletes the requests of calls that are still there: they are not forgotten. The first
// time it reads the whole snapshot, later only what entered since then.
func (k *Compactions) dropPresent(left map[request]string, s *engine.Snapshot) {
	if len(left) == 0 {
		return
	}
	if k.present == nil {
		k.present = map[request][]string{}
		for n := range s.All() {
			k.enter(n)
		}
	}
	for r := range left {
		list := k.present[r]
		for len(list) > 0 {
			n, ok := s.Find(list[len(list)-1])
			if ok && slices.Contains(requestsOf(n), r) {
				delete(left, r)
				break
			}
			list = list[:len(list)-1]
		}
		if k.present[r] = list; len(list) == 0 {
			delete(k.present, r)
		}
	}
}

// enter remembers the requests of a node that entered or changed.
func (k *Compactions) enter(n engine.Node) {
	for _, r := range requestsOf(n) {
		k.present[r] = append(k.present[r], n.ID())
	}
}

// requestsOf returns what a call asks for: its arguments, and the file that they name.
func requestsOf(n engine.Node) []request {
	if kind, _ := n.Kind(); kind != "call" {
		return nil
	}
	tool := ToolOf(n)
	list := []request{{tool: tool, arguments: normal.Value(n.Content().String())}}
	if file := pathOf(n); file != "" && reads.MatchString(tool) {
		list = append(list, request{tool: tool, file: file})
	}
	return list
}

// reads matches the names of tools that read files. Reading a file again shows that it was
// forgotten; editing it again does not.
var reads = regexp.MustCompile(`(?i)read|view|open|cat_`)

// again finds calls whose results had left.
func (k *Compactions) again(c *Call) {
	if len(k.gone)+len(k.results) == 0 {
		return
	}
	for _, id := range c.Added {
		n, ok := c.Snapshot.Find(id)
		if !ok {
			continue
		}
		if a := k.results[callID(n)]; a != nil && a.ID != id {
			delete(k.results, callID(n))
			k.count(a, n)
			continue
		}
		for _, r := range requestsOf(n) {
			f, ok := k.gone[r]
			if !ok || f.id == id {
				continue
			}
			a := &Again{Cycle: c.Cycle, ID: id, Of: f.id, Tool: r.tool, Same: "arguments", File: pathOf(n)}
			if r.file != "" {
				a.Same = "file"
			}
			f.in.Again, k.results[callID(n)] = append(f.in.Again, a), a
			for _, r := range requestsOf(n) { // it is there again
				delete(k.gone, r)
			}
			break
		}
	}
}

// count finds the size and the cost of a result.
func (k *Compactions) count(a *Again, result engine.Node) {
	if k.NoTokens || k.before == nil {
		return
	}
	a.Tokens = int64(tokens.For(k.before.Model).With(k.Counts).Node(result))
	w := walk{opts: Options{Prices: k.Prices}}
	if p, _, ok := w.priceOf(k.before); ok {
		price := p.Input
		if valueOf(k.before.Tokens.Written) > 0 {
			price = p.CacheWrite
		}
		a.Cost = new(million(float64(a.Tokens) * price))
	}
}
