package pactkit

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// Sizes of the caches. Programs have tens of selectors; one that makes them
// up as it goes must not fill the memory.
const (
	cacheEntries = 256
	cacheText    = 4096 // bytes of the longest text that is kept
)

// source is a text and all that decides what it means.
type source struct {
	text    string
	edition ast.Edition
}

// cache keeps what was made of the texts last used, for any number of
// goroutines. Finding an entry takes no memory.
type cache[V any] struct {
	mu      sync.RWMutex
	entries map[source]*cached[V]
	clock   []*cached[V] // every entry, in a ring
	hand    int          // the entry to go next, unless it was used
}

type cached[V any] struct {
	source source
	value  V
	used   atomic.Bool // since the hand was here
}

// get returns what was made of a source, or makes it. An error is not kept.
func (c *cache[V]) get(src source, create func(source) (V, error)) (V, error) {
	c.mu.RLock()
	e, ok := c.entries[src]
	c.mu.RUnlock()
	if ok {
		if !e.used.Load() {
			e.used.Store(true)
		}
		return e.value, nil
	}
	if len(src.text) > cacheText {
		return create(src)
	}
	src.text = strings.Clone(src.text) // it may be a part of something large
	v, err := create(src)
	if err == nil {
		c.put(&cached[V]{source: src, value: v})
	}
	return v, err
}

func (c *cache[V]) put(e *cached[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[e.source]; ok {
		return
	}
	if c.entries == nil {
		c.entries = make(map[source]*cached[V])
	}
	c.entries[e.source] = e
	if len(c.clock) < cacheEntries {
		c.clock = append(c.clock, e)
		return
	}
	for c.clock[c.hand].used.Swap(false) {
		c.hand = (c.hand + 1) % len(c.clock)
	}
	delete(c.entries, c.clock[c.hand].source)
	c.clock[c.hand] = e
	c.hand = (c.hand + 1) % len(c.clock)
}

// Plans depend on nothing but their source, so that all contexts share them.
var (
	reads     cache[*query]
	targets   cache[*query]
	positions cache[*position]
)

// query is a selector ready to run.
type query struct {
	plan     *eval.Plan
	warnings []diag.Diagnostic // what reading it found
	now      bool              // it looks at @t0, written or not
	compares bool              // it looks at several snapshots and answers with more than nodes
	key      string            // set when it is a key and nothing else
	optional bool              // a trailing ?
}

// read prepares a selector that asks.
func read(text string, e ast.Edition) (*query, error) { return reads.get(source{text, e}, newRead) }

// target prepares a selector that names what to change.
func target(text string, e ast.Edition) (*query, error) {
	return targets.get(source{text, e}, newTarget)
}

func newRead(s source) (*query, error) {
	return newQuery(s, parser.Options{Edition: s.edition})
}

func newTarget(s source) (*query, error) {
	return newQuery(s, parser.Options{Edition: s.edition, Mutation: true})
}

func newQuery(s source, o parser.Options) (*query, error) {
	tree, found := parser.ParseSelector(s.text, o)
	if diag.HasErrors(found) {
		return nil, &SelectorError{s.text, found}
	}
	plan, wrong := eval.Compile(tree)
	if plan == nil {
		return nil, &SelectorError{s.text, wrong}
	}
	q := &query{plan: plan, warnings: found, now: tree.Time == nil, optional: tree.Optional(), key: keyOf(tree)}
	if t := tree.Time; t != nil {
		q.now = t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0
		union := slices.ContainsFunc(tree.Controls(), func(c ast.Control) bool { return c.Name == "mode" && c.Value == "union" })
		q.compares = t.Kind != ast.TimeAt && t.Kind != ast.TimeEvery && !union
	}
	return q, nil
}

// keyOf returns the key of a selector that is a key and nothing else, else "".
func keyOf(q *ast.Query) string {
	if len(q.Union) != 1 || len(q.Union[0].Chains) != 1 {
		return ""
	}
	return keyOfChain(&q.Union[0].Chains[0])
}

func keyOfChain(c *ast.Chain) string {
	if len(c.Steps) != 1 {
		return ""
	}
	k, ok := c.Steps[0].Anchor.(*ast.Key)
	if !ok || k.ID || len(c.Steps[0].Qualifiers) > 0 {
		return ""
	}
	return k.Name
}

// position is an insertion position ready to be looked up.
type position struct {
	text      string
	container query
	core      bool // the container is (d0,0), the core of the active head
	slot      ast.Slot
	n         int64
}

func readPosition(text string, e ast.Edition) (*position, error) {
	return positions.get(source{text, e}, newPosition)
}

func newPosition(s source) (*position, error) {
	tree, found := parser.ParsePosition(s.text, parser.Options{Edition: s.edition})
	if tree == nil {
		return nil, &SelectorError{s.text, found}
	}
	chain := tree.Container
	fragment := ast.Fragment{Extent: chain.Extent, Chains: []ast.Chain{*chain}}
	plan, wrong := eval.Compile(&ast.Query{Extent: chain.Extent, Union: []ast.Fragment{fragment}})
	if plan == nil {
		return nil, &SelectorError{s.text, wrong}
	}
	return &position{
		text: s.text, slot: tree.Slot, n: tree.N, core: isCore(chain),
		container: query{plan: plan, warnings: found, now: true, key: keyOfChain(chain), optional: tree.Optional},
	}, nil
}

// isCore tells whether a container is written (d0,0).
func isCore(c *ast.Chain) bool {
	if len(c.Steps) != 1 || len(c.Steps[0].Qualifiers) > 0 {
		return false
	}
	places, ok := c.Steps[0].Anchor.(*ast.Coordinates)
	if !ok || len(places.List) != 1 {
		return false
	}
	p := places.List[0]
	return p.From == 0 && p.To == 0 && slices.Equal(p.Offsets, []int64{0})
}
