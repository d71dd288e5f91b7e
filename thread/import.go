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
	"github.com/pactkit/pactkit/thread/internal/usednames"
)

// ImportOptions configures an import. The zero value makes a history of edition
// 1.0 from a file of one log.
type ImportOptions struct {
	Edition engine.Edition
	// Messages is the path of the member that holds the messages, such as traj or request.messages,
	// for files that wrap a log or hold many of them. If there is a list on the path, such as
	// samples in samples.messages, each of its elements holds a log, and so does every line of a
	// .jsonl file.
	Messages string
	// ByCall makes a snapshot of what the model was sent at each call, and a last one with its last
	// answer: an assistant message is the answer to a call. Otherwise there is a snapshot for each
	// turn, at its end.
	ByCall bool
	// Start is the instant of the first message of a log without times of its own;
	// zero means the first second of 1970. Messages are a second apart.
	Start time.Time
	// MaxBytes limits the size of what is in memory at once: of a log, or of a file that is a single
	// JSON object; 0 means 256 MiB. A file of many logs may be larger, if it is a list or has one on each
	// line.
	MaxBytes int64
	// Progress, if set, is called before each message with the number of bytes that are done.
	Progress func(done int64)
}

// Timeline returns the history without a working state: the last turn is @t0.
func (l Log) Timeline() *engine.Timeline { return l.Context.Timeline().Recorded() }

const defaultMaxBytes = 256 << 20

func (o ImportOptions) limit() int64 { return cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes) }

// Log is an imported conversation.
type Log struct {
	// Name is the name in the log's record, else its number in the file, from 1. It is empty if the
	// file is a single log and not a list. Names are unique within a file and may hold any
	// character.
	Name string
	// Context is the live history: a cycle for every turn, or every call, all turns sealed. It has the
	// capability System.
	Context *engine.Context
	// Notes report what does not fit the tree, in the order of the file.
	Notes []Note
}

// Import returns all the logs of a file, as [ImportSeq] yields them. Logs that were read before an
// error are returned with it.
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
// one. Errors use the name of the file, and its ending .jsonl or .ndjson means that every line is a
// document: a record, or a message. Errors in the file are of type [*engine.Error] with the file, the
// JSON path and the line.
//
// The same bytes give the same histories: ids and instants come from the log, or are counted. The
// time is linear in the size of the file. Besides the history that is being built, one message is
// in memory if the file is a list or has lines, else the text of the file. If r has a method Len,
// it must return the size of the file.
//
// ImportSeq checks the context before each message and each read. Once it is done, the error of the
// context is the last that is yielded.
func ImportSeq(ctx context.Context, name string, r io.Reader, f Format, o ImportOptions) iter.Seq2[Log, error] {
	return func(yield func(Log, error) bool) {
		if !f.Imports() {
			yield(Log{}, fmt.Errorf("%s cannot be imported", f))
			return
		}
		rd := &reader{src: newTextReader(name, r, o.limit()), format: f, opts: o, names: usednames.Set{}, yield: yield}
		if o.Messages != "" {
			rd.path = strings.Split(o.Messages, ".")
		}
		if err := rd.file(ctx); err != nil && err != errStop {
			yield(Log{}, err)
		}
	}
}
