package thread

import (
	"context"
	"fmt"

	"github.com/pactkit/pactkit/engine"
)

// NodeReader makes nodes from messages without a history. The zero value is ready for use. It
// reuses its memory in the next call, and is not safe for concurrent use.
type NodeReader struct{ rd reader }

// Read returns what [Import] makes of the JSON text of one log, a list of messages or the body of a request: first the
// container of what surrounds the messages and the system prompt, then the blocks of the messages in order. Of each, the
// provenance names its message, from 0. Errors are those of Import and use the name. [ClaudeCode] and [Pact] have no such
// text, which is an error.
func (n *NodeReader) Read(ctx context.Context, name, text string, f Format) ([]engine.Draft, error) {
	if !f.Imports() || f == ClaudeCode {
		return nil, fmt.Errorf("%s: %s has no list of messages that can be read", name, f)
	}
	n.rd.src, n.rd.format = &textReader{name: name}, f
	b := n.rd.builder()
	b.loose = true
	v, err := n.rd.parse(text, noElement)
	if err == nil {
		err = b.read(ctx, v)
	}
	return append(b.sys, b.turn...), err
}
