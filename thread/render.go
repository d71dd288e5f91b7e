package thread

import (
	"github.com/pactkit/pactkit/engine"
)

// RenderOptions configures a rendering. The zero value gives compact JSON in
// the edition of the snapshot.
type RenderOptions struct {
	// Edition decides the members of a unit of [Pact]; nil means that of the
	// snapshot. No other format depends on it.
	Edition *engine.Edition
	// Pretty indents by two spaces and ends with a newline.
	Pretty bool
}

// Rendered is a thread.
type Rendered struct {
	// JSON is the thread: ASCII, without white space and newline unless Pretty
	// asks for them. [ClaudeCode] is a document a line instead.
	JSON []byte
	// Notes say what does not fit the format, in the order of the thread.
	Notes []Note
	// Units say where each node is, in the order of the thread.
	Units []Unit
}

// Unit is the part of a thread that came from one node.
type Unit struct {
	Node       string `json:"node"` // id; empty for a placeholder
	Start, End int    // JSON[Start:End]
}

// Render writes the thread of a snapshot. The same snapshot gives the same
// bytes on every run.
func Render(s *engine.Snapshot, f Format, o RenderOptions) (Rendered, error) {
	return Rendered{}, nil
}

type renderer struct{}
