package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// forms are the operations on a context: those of a script, and those of the worker.
var forms = func() operation.Forms {
	all := operation.Script()
	all["open"] = operation.Form{May: []string{"policy", "edition", "clock", "seed", "system", "summarise", "must"}}
	all["add"] = operation.Form{Needs: []string{"from"}}
	all["answer"] = operation.Form{May: []string{"from"}}
	all["render"] = operation.Form{May: []string{"at", "fit"}}
	all["fork"] = operation.Form{May: []string{"to", "at"}}
	all["rewind"] = operation.Form{May: []string{"keep"}}
	all["watch"] = operation.Form{May: []string{"as", "stored"}}
	for _, name := range []string{"unwatch", "prepare", "complete", "pin", "unpin", "seal", "checkpoint", "describe", "policy", "shrink", "reload", "close"} {
		all[name] = operation.Form{}
	}
	return all
}()

// result is the answer to an operation.
type result struct {
	State     *state           `json:"state,omitempty"`
	Node      *json.RawMessage `json:"node,omitempty"` // null if nothing was selected
	Nodes     *[]rawNode       `json:"nodes,omitempty"`
	Commit    *committed       `json:"commit,omitempty"`
	Thread    json.RawMessage  `json:"thread,omitempty"`
	Notes     []thread.Note    `json:"notes,omitempty"`
	MoreNotes int              `json:"more_notes,omitempty"`
	Usage     json.RawMessage  `json:"usage,omitempty"`
	Keep      string           `json:"keep,omitempty"`
	Watched   *watched         `json:"watched,omitempty"`
	Warnings  []string         `json:"warnings,omitempty"`
}

// rawNode is a node in JSON.
type rawNode = json.RawMessage

// committed describes the end of a cycle.
type committed struct {
	Cycle   int64      `json:"cycle"`
	Left    []cause    `json:"left"`
	Changed []cause    `json:"changed"`
	Policy  *policyRun `json:"policy,omitempty"`
}

type cause struct {
	ID       string `json:"id"`
	Cause    string `json:"cause"`
	By       string `json:"by,omitempty"`
	Inferred bool   `json:"inferred,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Trigger  string `json:"trigger,omitempty"`
	Saved    int64  `json:"saved,omitempty"`
}

type policyRun struct {
	Trigger string   `json:"trigger"`
	Budget  int64    `json:"budget,omitempty"`
	Before  int64    `json:"before"`
	After   int64    `json:"after"`
	Failed  []string `json:"failed,omitempty"`
}

// do runs the operations of a request on a context.
func (s *server) do(ctx context.Context, q *request) []byte {
	b := begin(q.id)
	b.WriteString(`,"done":[`)
	for i, text := range q.do {
		r, err := s.operate(ctx, q, text)
		if err != nil {
			b.WriteByte(']')
			s.appendError(ctx, b, err, q)
			b.WriteByte('}')
			return b.Bytes()
		}
		b.WriteString(comma(i))
		b.Write(canonjson.EncodeLine(r))
	}
	b.WriteString("]}")
	return b.Bytes()
}

// operate runs one operation.
func (s *server) operate(ctx context.Context, q *request, text string) (*result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	op, err := operation.Parse([]byte(text), forms)
	if err != nil {
		return nil, wrong(err)
	}
	if op.Name == "open" {
		c, err := s.openContext(ctx, q.source.Context, op)
		if err != nil {
			return nil, err
		}
		return &result{State: c.state()}, nil
	}
	c, err := s.context(q.source.Context)
	if err != nil {
		return nil, err
	}
	if f := operations[op.Name]; f != nil {
		return f(s, ctx, q.source.Context, c, op)
	}
	return c.script(ctx, op)
}

// context returns an open context.
func (s *server) context(name string) (*live, error) {
	c := s.shelf.open[name]
	if c == nil {
		return nil, contextError("begin with the operation open", "the context %q is not open", name)
	}
	return c, nil
}

// runner runs an operation on the context that is open under a name.
type runner func(s *server, ctx context.Context, name string, c *live, op *operation.Operation) (*result, error)

// operations runs the operations of the worker, except open.
var operations = map[string]runner{
	"pin": pin(true), "unpin": pin(false), "seal": seal, "checkpoint": checkpoint, "describe": describe, "add": add, "render": render,
	"prepare": prepare, "complete": complete,
	"answer": answer, "policy": setPolicy, "shrink": shrink, "fork": fork, "rewind": rewind, "watch": watch, "unwatch": unwatch,
	"reload": reload, "close": closed,
}

// script runs an operation of a script.
func (c *live) script(ctx context.Context, op *operation.Operation) (*result, error) {
	n, snap, err := op.Run(ctx, operation.Tree{
		Tree:   c.tree,
		Commit: func() (*engine.Snapshot, error) { return c.commit(ctx) },
		Step:   func() (*engine.Snapshot, error) { return c.step(ctx) },
	})
	if err != nil {
		return nil, err
	}
	r := &result{}
	switch op.Name {
	case "insert", "replace", "move", "delete", "attach":
		r.Node = nodeOf(n)
		for _, w := range op.Node.Warnings() {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s [%s]", w.Msg, w.Code))
		}
	case "commit", "step":
		c.sent = nil
		r.Commit = c.committed(snap)
	}
	return r, nil
}

// nodeOf returns a node as JSON, or null for the zero Node.
func nodeOf(n engine.Node) *json.RawMessage {
	text := json.RawMessage("null")
	if !n.IsZero() {
		var b bytes.Buffer
		appendNode(&b, n)
		text = b.Bytes()
	}
	return &text
}

func nodesOf(list []engine.Node) *[]rawNode {
	out := make([]rawNode, 0, len(list))
	for _, n := range list {
		out = append(out, *nodeOf(n))
	}
	return &out
}

// committed describes a snapshot that a commit or step made.
func (c *live) committed(s *engine.Snapshot) *committed {
	out := &committed{Cycle: s.Cycle(), Left: []cause{}, Changed: []cause{}}
	var info engine.CommitInfo
	if s.Info() != nil {
		info = *s.Info()
	}
	known := map[string]bool{}
	for _, why := range info.Causes {
		known[why.ID] = true
		if _, stays := s.Find(why.ID); stays {
			out.Changed = append(out.Changed, cause(why))
		} else {
			out.Left = append(out.Left, cause(why))
		}
	}
	if t := c.tree.Engine().Timeline().Recorded(); t.Len() > 1 && t.At(0).Cycle() == s.Cycle() {
		for _, n := range engine.Diff(t.At(1), t.At(0)).Removed {
			if !known[n.ID()] { // it expired: the headers of the node are the record (E44)
				out.Left = append(out.Left, cause{ID: n.ID(), Cause: engine.CauseExpired})
			}
		}
		slices.SortStableFunc(out.Left, func(a, b cause) int { return strings.Compare(a.ID, b.ID) })
	}
	if p := info.Policy; p != nil {
		run := policyRun(*p)
		out.Policy = &run
	}
	return out
}

// wrong returns the error for a malformed operation. An error of the engine about a node keeps its
// code.
func wrong(err error) error {
	if _, ok := errors.AsType[*engine.Error](err); ok {
		return err
	}
	return failure.Shape(ErrRequest, "", err)
}

// readMembers reads the members of an operation.
func readMembers(op *operation.Operation, o members.Object) error {
	if err := op.Read(o); err != nil {
		return wrong(err)
	}
	return nil
}

// checkTrue checks the value of an operation without arguments.
func checkTrue(op *operation.Operation) error {
	if string(op.Members[op.Name]) != "true" {
		return failed(ErrRequest, "", "%s must be true", op.Name)
	}
	return nil
}

// pin sets whether a node of the working state is pinned.
func pin(pinned bool) runner {
	return func(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
		var selector string
		if err := readMembers(op, members.Object{op.Name: members.String(&selector)}); err != nil {
			return nil, err
		}
		n, err := c.tree.Pin(ctx, selector, pinned)
		if err != nil {
			return nil, err
		}
		return &result{Node: nodeOf(n)}, nil
	}
}

func seal(_ *server, _ context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	if err := checkTrue(op); err != nil {
		return nil, err
	}
	return &result{}, c.tree.Engine().Seal()
}

func checkpoint(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	if err := checkTrue(op); err != nil {
		return nil, err
	}
	c.sent = nil // a stored call cannot get its answer
	return &result{}, c.checkpoint(ctx)
}

func describe(_ *server, _ context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	info, err := journal.ParseInfo(string(op.Members["describe"]))
	if err != nil {
		return nil, failure.Shape(ErrRequest, "describe", err)
	}
	c.tree.Engine().Describe(*info)
	return &result{}, nil
}

func setPolicy(s *server, _ context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	p, err := s.readPolicy(op.Members["policy"], c.tree.Timeline().Edition())
	if err != nil {
		return nil, err
	}
	c.options.Policy = p
	c.tree.Engine().SetPolicy(p)
	return &result{}, nil
}

func shrink(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var by int
	if err := readMembers(op, members.Object{"shrink": members.Count(&by)}); err != nil {
		return nil, err
	}
	snap, err := c.shrink(ctx, by)
	if err != nil {
		return nil, err
	}
	c.sent = nil
	return &result{Commit: c.committed(snap)}, nil
}

func reload(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	if err := checkTrue(op); err != nil {
		return nil, err
	}
	if c.kept == nil {
		return nil, contextError("", "a context in memory has nothing to reload")
	}
	if err := c.kept.Reload(ctx); err != nil {
		return nil, err
	}
	c.count()
	return &result{State: c.state()}, nil
}

func closed(s *server, _ context.Context, name string, _ *live, op *operation.Operation) (*result, error) {
	if err := checkTrue(op); err != nil {
		return nil, err
	}
	s.closeContext(name)
	return &result{}, nil
}
