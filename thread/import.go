package thread

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/names"
)

// ImportOptions configures an import. The zero value makes a history of edition 1.0, and finds the
// messages in the usual members of the format.
type ImportOptions struct {
	Edition engine.Edition
	// Messages is the path of the member that contains the messages, such as traj or
	// request.messages, for files that wrap a log or contain many of them. If there is a list on
	// the path, such as samples in samples.messages, each of its elements contains a log, and so
	// does every line of a .jsonl file.
	Messages string
	// ByCall makes a snapshot of what the model was sent at each call, and a final one that
	// includes the last answer. Each assistant message is the answer to a call. Otherwise there is
	// a snapshot at the end of each turn.
	ByCall bool
	// Start is the time of the first message in a log without times; zero means one second after
	// the beginning of 1970. Messages are a second apart.
	Start time.Time
	// MaxBytes limits the size of a log, or of a file that is a single JSON object; 0 means 256
	// MiB. A file of many logs may be larger if it is a list or has a log on each line.
	MaxBytes int64
	// Progress, if set, is called before each message with the number of bytes before it.
	Progress func(done int64)
}

// Timeline returns the history without a working state: @t0 is the last recorded snapshot.
func (l Log) Timeline() *engine.Timeline { return l.Context.Timeline().Recorded() }

const defaultMaxBytes = 256 << 20

func (o ImportOptions) limit() int64 {
	return budget.Buffer(cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes))
}

// Log is an imported conversation.
type Log struct {
	// Name is the name in the record of the log, otherwise its number in the file, from 1. It is
	// empty if the file is a single log and not a list. Names are unique within a file and may
	// contain any character.
	Name string
	// Context is the live history, with a cycle for every turn, or every call. It has the
	// capability System.
	Context *engine.Context
	// Notes report what the tree cannot represent and what is wrong with the log, in the order of
	// the file.
	Notes []Note
}

// Import returns all logs of a file, as [ImportSeq] yields them. If there is an error, it also
// returns the logs before the error.
func Import(ctx context.Context, name string, data []byte, f Format, o ImportOptions) ([]Log, error) {
	var logs []Log
	for l, err := range ImportSeq(ctx, name, bytes.NewReader(data), f, o) {
		if err != nil {
			return logs, err
		}
		logs = append(logs, l)
	}
	return logs, nil
}

// ImportSeq yields the logs of a file, each when it is complete, and ends with an error if there is
// one. name is the name of the file in errors and notes; if it ends with .jsonl or .ndjson, every
// line is a document: a record, or a message. Errors in the file are of type [*engine.Error] with
// the file, the JSON path and the line.
//
// The same bytes give the same histories: ids and times come from the log, or are counted. The time
// is linear in the size of the file. Besides the history that is being built, one message is in
// memory if the file is a list or has lines, otherwise the whole text. If r has a method Len, it
// must return the size of the file.
//
// ImportSeq checks the context before each message and each read. When the context is done, its
// error is yielded last.
func ImportSeq(ctx context.Context, name string, r io.Reader, f Format, o ImportOptions) iter.Seq2[Log, error] {
	return func(yield func(Log, error) bool) {
		if !f.Imports() {
			yield(Log{}, fmt.Errorf("%s cannot be imported", f))
			return
		}
		rd := &reader{src: newTextReader(name, r, o.limit()), format: f, opts: o, names: names.Set{}, yield: yield}
		if o.Messages != "" {
			rd.path = strings.Split(o.Messages, ".")
		}
		if err := rd.file(ctx); err != nil && err != errStop {
			yield(Log{}, err)
		}
	}
}
