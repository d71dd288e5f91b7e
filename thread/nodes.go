package thread

import (
	"context"
	"fmt"

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
