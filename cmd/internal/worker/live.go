package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

// inMemory is the address of a context that is not stored.
const inMemory = "memory:"

// live is an open context.
type live struct {
	tree  *pactkit.Tree
	kept  *pactkit.Live // nil in memory
	store *shared
	id    string // the id of the history in the store
	setup

	format string             // the format of the last rendering
	sent   *engine.Call       // the call whose answer is awaited; nil if its cycle has not ended
	calls  int                // the number of the next call
	nodes  *thread.NodeReader // makes nodes from messages
	// answered holds the history after each answer, by the cycle of the call. A fork in memory
	// begins there, as a fork in a store does. It is nil for a context in a store.
	answered map[int64]*engine.Timeline
	watchers map[string]*watcher
}

// setup is how a context was opened.
type setup struct {
	options   engine.Options
	summarise bool
}

// shared is a store that several contexts use.
type shared struct {
	store.Store
	address string
	users   int
}

// shelf holds the open contexts of a worker.
type shelf struct {
	open   map[string]*live
	stores map[string]*shared
}

// contextError returns an error about the name of a context.
func contextError(hint, format string, args ...any) error {
	return failed(ErrContext, hint, format, args...)
}

// take opens the store of an address if it is not open, and returns it with the id of the history.
func (s *server) take(ctx context.Context, address string) (*shared, string, error) {
	base, id, err := store.SplitAddress(address)
	if err != nil {
		return nil, "", err
	}
	if st := s.shelf.stores[base]; st != nil && id != "" {
		st.users++
		return st, id, nil
	}
	opened, id, err := sessions.OpenStore(ctx, address, s.Folder)
	if err == nil && id == "" {
		err = errors.Join(sessions.NoID(ctx, opened, address), opened.Close())
	}
	if err != nil {
		return nil, "", err
	}
	st := &shared{opened, base, 1}
	s.shelf.stores[base] = st
	return st, id, nil
}

// leave ends one use of a store, and closes the store after the last one.
func (s *server) leave(st *shared) {
	if st == nil {
		return
	}
	if st.users--; st.users == 0 {
		delete(s.shelf.stores, st.address)
		_ = st.Close() // everything that was answered is durable
	}
}

// openContext opens a context.
func (s *server) openContext(ctx context.Context, name string, op *operation.Operation) (*live, error) {
	if s.shelf.open[name] != nil {
		return nil, contextError("close it first, or choose another name", "the context %q is open", name)
	}
	var address, must string
	c := &live{}
	if err := s.readSetup(op, c, &address, &must); err != nil {
		return nil, err
	}
	var err error
	if address == inMemory {
		c.tree, err = pactkit.New(c.options)
	} else if c.store, c.id, err = s.take(ctx, address); err == nil {
		if err = s.attach(ctx, c, must); err != nil {
			s.leave(c.store)
		}
	}
	if err != nil {
		return nil, err
	}
	s.shelf.open[name] = c
	s.share(c)
	c.count()
	return c, nil
}

// share gives a context in memory the other contexts in memory, by their names, to attach subtrees
// of them.
func (s *server) share(c *live) {
	if c.kept != nil {
		return
	}
	c.tree.SetSource(func(_ context.Context, name string) (*engine.Timeline, error) {
		if other := s.shelf.open[name]; other != nil && other.kept == nil {
			return other.tree.Timeline(), nil
		}
		return nil, nil
	})
}

// readSetup reads the members of an operation that opens a context.
func (s *server) readSetup(op *operation.Operation, c *live, address, must *string) error {
	var clock, edition string
	seed := -1
	if err := readMembers(op, members.Object{
		"open": members.String(address), "edition": members.String(&edition), "clock": members.String(&clock), "seed": members.Count(&seed),
		"system": members.Bool(&c.options.System), "summarise": members.Bool(&c.summarise), "must": members.String(must), "policy": (*canonjson.Scanner).Skip,
	}); err != nil {
		return err
	}
	if edition != "" {
		var ok bool
		if c.options.Edition, ok = ast.ParseEdition(edition); !ok {
			return failed(ErrRequest, "", "edition: unknown edition %q; use 1.0 or 0.1", edition)
		}
	}
	if clock != "" {
		t, err := time.Parse(time.RFC3339Nano, clock)
		if err != nil {
			return failed(ErrRequest, "write 2026-01-02T15:04:05Z", "clock: %q is not a time", clock)
		}
		if ns := t.UnixNano(); ns < 0 || !time.Unix(0, ns).Equal(t) {
			return failed(ErrRequest, "write a time from 1970 to 2262", "clock: nodes cannot have the time %s", clock)
		}
		c.options.Clock = func() time.Time { return t } // the engine advances a clock that does not move
	}
	if seed >= 0 {
		n := uint64(seed)
		c.options.Seed = &n
	}
	switch *must {
	case "", "exist", "begin":
	default:
		return failed(ErrRequest, "", "must: unknown value %q; use exist or begin", *must)
	}
	if *must == "exist" && *address == inMemory {
		return contextError("leave out must, or name a history of a store", "a context in memory begins empty, so it cannot exist")
	}
	p, err := s.readPolicy(op.Members["policy"], c.options.Edition)
	c.options.Policy = p
	return err
}

// readPolicy compiles a policy. It returns nil for nil and null.
func (s *server) readPolicy(text []byte, edition engine.Edition) (*engine.Policy, error) {
	if text == nil || bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	p, err := policy.Parse(text)
	if err != nil {
		return nil, policyError(err)
	}
	o := policy.Options{Edition: edition, Summarise: s.summary}
	if len(s.Windows) > 0 {
		o.Window = func(model string) int64 {
			if n, ok := s.Windows.Of(model); ok {
				return n
			}
			return 0
		}
	}
	compiled, err := p.Compile(o)
	return compiled, policyError(err)
}

func policyError(err error) error {
	if e, ok := errors.AsType[*policy.Error](err); ok {
		f := failed(ErrRequest, e.Hint, "%s", e.Msg)
		f.Path = strings.TrimSuffix("$.policy."+e.Field, ".")
		return f
	}
	if err != nil {
		return failed(ErrRequest, "docs/schemas/policy.json describes a policy", "policy: %v", err)
	}
	return nil
}

// attach attaches a context to its history in the store.
func (s *server) attach(ctx context.Context, c *live, must string) error {
	if must != "" {
		_, err := c.store.Head(ctx, c.id)
		switch exists := err == nil; {
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return err
		case exists && must == "begin":
			return &store.Error{Code: store.ErrConflict, Store: store.Redacted(c.store.address), ID: c.id, Msg: "the history exists"}
		case !exists && must == "exist":
			return &store.Error{Code: store.ErrNotFound, Store: store.Redacted(c.store.address), ID: c.id, Msg: "there is no such history", Err: err}
		}
	}
	kept, err := pactkit.Attach(ctx, c.store, c.id, c.options)
	if err != nil {
		return err
	}
	c.kept, c.tree = kept, kept.Tree
	return nil
}

// closeContext closes a context.
func (s *server) closeContext(name string) {
	c := s.shelf.open[name]
	delete(s.shelf.open, name)
	s.leave(c.store)
}

// closeAll closes the contexts that are still open.
func (s *server) closeAll() {
	for name := range s.shelf.open {
		s.closeContext(name)
	}
}

// count finds the numbers of the next message and the next call.
func (c *live) count() {
	c.nodes, c.calls, c.sent = &thread.NodeReader{}, 0, nil
	for n := range c.tree.Engine().Working().All() {
		from := struct{ Message int }{-1}
		if p := n.Header("provenance").String(); p != "" && json.Unmarshal([]byte(p), &from) == nil {
			c.nodes.First = max(c.nodes.First, from.Message+1)
		}
	}
	t := c.tree.Timeline()
	for back := range t.Len() {
		if info := t.At(back).Info(); info != nil && info.Call != nil {
			c.calls = info.Call.Number + 1
			return
		}
	}
}

// state describes a context after open, fork, rewind or reload.
type state struct {
	Cycle   int64  `json:"cycle"`
	Newest  *int64 `json:"newest"`
	Edition string `json:"edition"`
}

func (c *live) state() *state {
	e := c.tree.Engine()
	st := &state{Cycle: e.Working().Cycle(), Edition: e.Working().Edition().String()}
	if _, newest, ok := e.Timeline().Recorded().Cycles(); ok {
		st.Newest = &newest
	}
	return st
}

// newest returns the newest snapshot, or nil.
func newest(e *engine.Context) *engine.Snapshot {
	t := e.Timeline().Recorded()
	if t.Len() == 0 {
		return nil
	}
	return t.At(0)
}

// The methods below store what they do if the context is in a store.

func (c *live) commit(ctx context.Context) (*engine.Snapshot, error) {
	if c.kept != nil {
		return c.kept.Commit(ctx)
	}
	return c.tree.Commit()
}

func (c *live) step(ctx context.Context) (*engine.Snapshot, error) {
	if c.kept != nil {
		return c.kept.Step(ctx)
	}
	return c.tree.Step()
}

func (c *live) shrink(ctx context.Context, by int) (*engine.Snapshot, error) {
	if c.kept != nil {
		return c.kept.Shrink(ctx, by)
	}
	return c.tree.Engine().Shrink(by)
}

func (c *live) checkpoint(ctx context.Context) error {
	if c.kept != nil {
		return c.kept.Checkpoint(ctx)
	}
	return nil
}
