package thread

import (
	"time"

	"github.com/pactkit/pactkit/engine"
)

// stepper has the model calls of a log. Each answer of the model is the answer to a call.
type stepper struct {
	made     []*engine.Call
	answered bool // the previous message is part of the answer to the latest call
	spoke    bool // the nodes of the turn in the tree include a message
}

// step makes the snapshot of a call if m is its answer, or the beginning of its answer. The
// snapshot has everything before that message.
func (b *builder) step(m *message) error {
	if !b.rd.opts.ByCall || m.inert || m.side {
		return nil
	}
	if m.role != "assistant" {
		b.calls.answered = false
		return nil
	}
	if b.calls.answered && isItems[b.rd.format] {
		return nil
	}
	b.calls.answered = true
	b.calls.spoke = b.hasMessage()
	if err := b.insert(); err != nil {
		return err
	}
	c := &engine.Call{File: b.rd.src.name, Line: m.at.line(), Number: len(b.calls.made)}
	if !m.time.IsZero() {
		c.Time = m.time.UTC().Format(time.RFC3339Nano)
	}
	b.calls.made = append(b.calls.made, c)
	b.ctx.Describe(engine.CommitInfo{Call: c})
	_, err := b.ctx.Step()
	return err
}

// isItems has the formats in which an answer of the model may be several items.
var isItems = [len(formatNames)]bool{OpenAIResponses: true, Flat: true}

// finish ends a log: it seals the last turn, or makes the snapshot with the last answer.
func (b *builder) finish(name string) error {
	if !b.rd.opts.ByCall {
		return b.seal()
	}
	for _, c := range b.calls.made {
		c.Sample = name
	}
	if err := b.insert(); err != nil {
		return err
	}
	_, err := b.ctx.Commit()
	return err
}
