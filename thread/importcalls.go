package thread

import (
	"time"

	"github.com/pactkit/pactkit/engine"
)

// stepper finds the model calls of a log: an answer of the model ends one.
type stepper struct {
	made     []*engine.Call
	answered bool // the previous message is part of the answer to the latest call
	spoke    bool // the part of the turn that is in the tree has a message
}

// step makes the snapshot of the call that a message is the answer to, or the beginning of the
// answer. The snapshot has everything before that message.
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
	b.calls.spoke = b.hasSpeaker()
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

// isItems are the formats in which an answer of the model may be several items.
var isItems = [len(names)]bool{OpenAIResponses: true, Flat: true}

// finish ends a log with the snapshot that has the last answer, and ends the turn unless calls in
// it are waiting for results.
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
