package thread

import (
	"context"
	"fmt"
	"maps"

	"github.com/pactkit/pactkit/engine"
)

// NodeReader makes nodes of messages without a history. The zero value is ready for use. It reuses
// memory between calls: the nodes of a call, and their members, are valid until the next one. It is
// not safe for concurrent use.
type NodeReader struct {
	First int // the number of the first message of the next call
	rd    reader
	b     *builder // of the latest call
}

// Read returns the nodes that [Import] makes of one log, given as JSON: a list of messages or the
// body of a request. First are the container for the rest of the body and the system prompt, then
// the blocks of the messages in order. The provenance of a block has the number of its message,
// from 0. Errors are those of Import, with name as the file. The formats [ClaudeCode] and [Pact]
// are errors, because they have no list of messages.
func (n *NodeReader) Read(ctx context.Context, name, text string, f Format) ([]engine.Draft, error) {
	b, err := n.builder(name, f)
	if err != nil {
		return nil, err
	}
	v, err := n.rd.parse(text, noElement)
	if err == nil {
		err = b.read(ctx, v)
	}
	return append(b.sys, b.turn...), err
}

// ReadMessages is like Read for a list of messages, each of which is a text. The nodes share the
// memory of the texts.
func (n *NodeReader) ReadMessages(ctx context.Context, name string, texts []string, f Format) ([]engine.Draft, error) {
	b, err := n.builder(name, f)
	for _, text := range texts {
		if err != nil {
			return nil, err
		}
		var v *value
		if v, err = n.rd.parse(text, noElement); err == nil {
			err = n.rd.message(ctx, b, v)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(b.sys) == 0 {
		return b.turn, nil
	}
	return append(b.sys, b.turn...), nil
}

func (n *NodeReader) builder(name string, f Format) (*builder, error) {
	if !f.Imports() || f == ClaudeCode {
		return nil, fmt.Errorf("%s: the format %s has no list of messages", name, f)
	}
	n.rd.format = f
	if n.rd.src == nil || n.rd.src.name != name {
		n.rd.src = &textReader{name: name}
	}
	if n.b == nil || !n.b.reset() {
		n.b = n.rd.builder()
	}
	n.b.noHistory, n.b.number = true, n.First
	return n.b, nil
}

// reset makes the builder, which made only nodes, a new one. It reuses the memory of the drafts,
// the parts and the maps, unless that is much: then it returns false.
func (b *builder) reset() bool {
	if max(cap(b.turn), len(b.members), len(b.parts), len(b.ids)-len(regions), len(b.keys), len(b.waiting)) > maxReused {
		return false
	}
	b.release(b.sys)
	b.release(b.turn)
	clear(b.ids)
	clear(b.keys)
	clear(b.waiting)
	maps.Copy(b.ids, regions)
	*b = builder{
		rd: b.rd, ids: b.ids, keys: b.keys, waiting: b.waiting, args: b.args, message: b.message, scratch: b.scratch, parts: b.parts, members: b.members,
		sys: b.sys[:0], sysAt: b.sysAt[:0], turn: b.turn[:0], times: b.times[:0],
	}
	return true
}
