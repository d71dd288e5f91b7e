package thread

import (
	"io"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// ImportOptions configures an import. The zero value makes a history of edition
// 1.0 from a file of one log.
type ImportOptions struct {
	Edition engine.Edition
	// Messages is the path of the member that holds the messages, such as traj or
	// request.messages, for files that wrap a log or hold many of them. Every
	// element of a list, and every line of a .jsonl file, is a log then.
	Messages string
	// Start is the instant of the first message of a log without times of its own;
	// zero means the beginning of 1970. Messages are a second apart.
	Start time.Time
	// MaxBytes limits the size of a file; 0 means 512 MiB.
	MaxBytes int64
}

// Log is one imported conversation.
type Log struct {
	// Name is what the log calls itself, else its number in the file from 1, else
	// empty when it is the only one. Names are unique within a file.
	Name string
	// Context is the history: one cycle for every turn, all of them sealed. It
	// has the capability System.
	Context *engine.Context
	// Notes say what had no place in the tree, in the order of the file.
	Notes []Note
}

// Import reads the logs of a file; name is how errors call it, and decides by
// its end (.jsonl) whether every line is a document. Errors are of type
// [*engine.Error] and name the file, the JSON path and the line. Logs that
// were read before the error are returned with it.
//
// The same bytes give the same history: ids and instants come from the log
// where it has them, else from counting.
func Import(name string, data []byte, f Format, o ImportOptions) ([]Log, error) {
	return nil, nil
}

// ImportFrom is [Import] of a stream. It never holds more than MaxBytes of it.
func ImportFrom(name string, r io.Reader, f Format, o ImportOptions) ([]Log, error) {
	return nil, nil
}

type reader struct{}
