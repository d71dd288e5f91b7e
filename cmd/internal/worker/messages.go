package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
)

// format returns the format with a name.
func format(name string) (thread.Format, error) {
	f, err := thread.ParseFormat(name)
	if err != nil {
		return f, failed(ErrRequest, "", "%s", err)
	}
	return f, nil
}

// render renders a state. With fit, it first ends the cycle: lifetimes and policies apply before
// the model is asked.
func render(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var name, at string
	var fit bool
	if err := readMembers(op, members.Object{"render": members.String(&name), "at": members.String(&at), "fit": members.Bool(&fit)}); err != nil {
		return nil, err
	}
	f, err := format(name)
	if err != nil {
		return nil, err
	}
	if at != "" && fit {
		return nil, failed(ErrRequest, "", "fit renders the working state, and at another one; write only one of them")
	}
	r := &result{}
	if at == "" {
		err = c.tree.Refresh(ctx)
	}
	if err == nil && fit {
		r.Commit, err = c.fit()
	}
	if err != nil {
		return nil, err
	}
	snap, wrong, err := c.shown(ctx, at, fit)
	if err != nil {
		return nil, err
	}
	made, err := thread.Render(snap, f, thread.RenderOptions{})
	if err != nil {
		if errors.Is(err, engine.ErrMemory) {
			return nil, err
		}
		return nil, failed(ErrRequest, "", "%s", err)
	}
	c.format, r.Thread = name, made.JSON
	if f == thread.ClaudeCode { // one document on each line
		r.Thread = canonjson.AppendString(nil, string(made.JSON))
	}
	made.Notes = append(made.Notes, wrong...)
	r.Notes = made.Notes[:min(len(made.Notes), maxNotes)]
	r.MoreNotes = max(len(made.Notes)-maxNotes, 0)
	return r, nil
}

// fit ends the cycle in memory. What completes the call stores it.
func (c *live) fit() (*committed, error) {
	call := &engine.Call{Recorded: true, Number: c.calls}
	c.tree.Engine().Describe(engine.CommitInfo{Call: call})
	snap, err := c.tree.Step()
	if err != nil {
		return nil, err
	}
	c.sent = call
	c.calls++
	return c.committed(snap), nil
}

// prepare is render with fit for callers that make the request themselves.
func prepare(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	if err := checkTrue(op); err != nil {
		return nil, err
	}
	if err := c.tree.Refresh(ctx); err != nil {
		return nil, err
	}
	ended, err := c.fit()
	return &result{Commit: ended}, err
}

// complete sets the call of the cycle that prepare ended: the model, the usage. The caller inserts
// the answer itself.
func complete(_ *server, _ context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	info, err := journal.ParseInfo(`{"call":` + string(op.Members["complete"]) + `}`)
	if err != nil {
		return nil, failure.Shape(ErrRequest, "complete", err)
	}
	if c.sent == nil {
		return nil, contextError("end the cycle with prepare first", "no call is waiting for its answer")
	}
	info.Call.Number, info.Call.Recorded = c.sent.Number, true
	if err := c.tree.Engine().Amend(*info.Call); err != nil {
		return nil, err
	}
	c.sent = nil
	return &result{}, nil
}

// shown returns the state to render, with what attachments refer to, and notes about those that
// refer to nothing. sealed asks for the newest snapshot instead of the working state.
func (c *live) shown(ctx context.Context, address string, sealed bool) (*engine.Snapshot, []thread.Note, error) {
	whole := c.tree.Timeline()
	if address == "" && !sealed && whole.Working() == nil { // edition 0.1 does not count it
		whole = c.tree.Engine().Working().Timeline()
	}
	t, err := c.tree.Show(ctx, whole)
	if err != nil {
		return nil, nil, err
	}
	var notes []thread.Note
	for _, w := range t.Warnings()[len(whole.Warnings()):] {
		notes = append(notes, thread.Note{Kind: thread.Lost, Code: w.Code, Msg: w.Msg})
	}
	switch {
	case address != "":
		snap, err := pactkit.FromTimeline(t).At(address)
		return snap, notes, err
	case sealed:
		return t.Recorded().At(0), notes, nil
	}
	return t.Working(), notes, nil
}

// read makes nodes from messages.
func (c *live) read(ctx context.Context, messages []string, f thread.Format) ([]engine.Draft, error) {
	list, err := c.nodes.ReadMessages(ctx, "messages", messages, f)
	if err == nil {
		c.nodes.First += len(messages)
		return list, nil
	}
	if _, ok := errors.AsType[*engine.Error](err); ok || ctx.Err() != nil {
		return nil, err
	}
	return nil, failed(ErrRequest, "", "%s", err)
}

// put inserts all nodes or none: system messages into ^sys, and others at the end of the head.
func (c *live) put(ctx context.Context, list []engine.Draft) ([]engine.Node, error) {
	var made []engine.Node
	for _, d := range list {
		n, err := c.putOne(ctx, d)
		if d.ID != "" && errors.Is(err, engine.ErrNodeIDDuplicate) { // the context already has the message
			d.ID = ""
			n, err = c.putOne(ctx, d)
		}
		if err != nil {
			for _, n := range slices.Backward(made) {
				_, undo := c.tree.Engine().Delete(engine.ByID(n.ID()))
				err = errors.Join(err, undo)
			}
			return nil, err
		}
		made = append(made, n)
	}
	return made, nil
}

func (c *live) putOne(ctx context.Context, d engine.Draft) (engine.Node, error) {
	if d.Role == "system" {
		return c.tree.Engine().Insert(engine.AtDepth(-1, 0), d)
	}
	return c.tree.Insert(ctx, "(d0,0, end)", d)
}

// add inserts messages of a provider.
func add(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	var name string
	var texts []string
	if err := readMembers(op, members.Object{"from": members.String(&name), "add": members.List(func(s *canonjson.Scanner) error {
		text, err := s.Raw()
		texts = append(texts, text)
		return err
	})}); err != nil {
		return nil, err
	}
	f, err := format(name)
	if err != nil {
		return nil, err
	}
	list, err := c.read(ctx, texts, f)
	if err != nil {
		return nil, err
	}
	made, err := c.put(ctx, list)
	if err != nil {
		return nil, err
	}
	return &result{Nodes: nodesOf(made)}, nil
}

// answer adds the answer of a provider to the working state. The newest snapshot shows what the
// call was sent. In a store, both are durable when answer returns.
func answer(_ *server, ctx context.Context, _ string, c *live, op *operation.Operation) (*result, error) {
	name := c.format
	if err := readMembers(op, members.Object{"from": members.String(&name), "answer": (*canonjson.Scanner).Skip}); err != nil {
		return nil, err
	}
	if name == "" {
		return nil, failed(ErrRequest, "render first, or name the format of the answer, such as anthropic", "the format of the answer is not known, because nothing was rendered yet")
	}
	if _, err := format(name); err != nil {
		return nil, err
	}
	a, err := history.ReadAnswer("answer", string(op.Members["answer"]), name)
	if err != nil {
		return nil, err
	}
	list, err := c.read(ctx, a.Messages, a.Format)
	if err != nil {
		return nil, err
	}
	r := &result{}
	if a.Call.Usage != nil {
		r.Usage = json.RawMessage(journal.UsageText(a.Call.Usage))
	}
	if c.sent != nil {
		a.Call.Number = c.sent.Number
		if err := c.tree.Engine().Amend(a.Call); err != nil {
			return nil, err
		}
		r.Commit = c.committed(newest(c.tree.Engine()))
	} else {
		a.Call.Number = c.calls
		c.tree.Engine().Describe(engine.CommitInfo{Call: &a.Call})
		snap, err := c.tree.Step()
		if err != nil {
			return nil, err
		}
		r.Commit = c.committed(snap)
		c.calls++
	}
	c.sent = nil
	made, err := c.put(ctx, list)
	if err != nil {
		return nil, err
	}
	r.Nodes = nodesOf(made)
	if len(made) > 0 && !isAsking(made) {
		if err := c.tree.Engine().Seal(); err != nil {
			return nil, err
		}
	}
	if c.kept == nil {
		if c.answered == nil {
			c.answered = map[int64]*engine.Timeline{}
		}
		c.answered[r.Commit.Cycle] = c.tree.Engine().History()
		return r, nil
	}
	return r, c.checkpoint(ctx)
}

// isAsking reports whether an answer calls a tool and does not have its result.
func isAsking(list []engine.Node) bool {
	open := map[string]bool{}
	for _, n := range list {
		if id, begins := engine.ToolPair(n); id != "" {
			open[id] = begins
		}
	}
	for _, asks := range open {
		if asks {
			return true
		}
	}
	return false
}
