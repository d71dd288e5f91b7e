package thread

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// ImportOptions configures an import. The zero value makes a history of edition
// 1.0 from a file of one log.
type ImportOptions struct {
	Edition engine.Edition
	// Messages is the path of the member that holds the messages, such as traj or
	// request.messages, for files that wrap a log or hold many of them. A list on
	// the way, such as that of samples in samples.messages, holds a log in each of
	// its elements, and so does every line of a .jsonl file.
	Messages string
	// Start is the instant of the first message of a log without times of its own;
	// zero means the first second of 1970. Messages are a second apart.
	Start time.Time
	// MaxBytes limits the size of a file; 0 means 256 MiB. A history
	// takes some ten times the memory of its log.
	MaxBytes int64
	// Progress, if set, is called before each message with the number of bytes that are done and
	// the size of the file.
	Progress func(done, total int)
}

// Timeline returns the history without a working state: the last turn is @t0.
func (l Log) Timeline() *engine.Timeline { return l.Context.Timeline().Recorded() }

const defaultMaxBytes = 256 << 20

func (o ImportOptions) limit() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// Log is an imported conversation.
type Log struct {
	// Name is the name in the log's record, else its number in the file, from 1. It is empty if the
	// file is a single log and not a list. Names are unique within a file and may hold any
	// character.
	Name string
	// Context is the live history: a cycle for every turn, all of them sealed. It has the
	// capability System.
	Context *engine.Context
	// Notes report what does not fit the tree, in the order of the file.
	Notes []Note
}

// Import reads the logs of a file. Errors use its name, and the ending .jsonl or .ndjson means that
// every line is a document: a record, or a message. Errors are of type [*engine.Error] with the
// file, the JSON path and the line. Logs that were read before an error are returned with it.
//
// The same bytes give the same history: ids and instants come from the log, or are counted. The
// time is linear in the size of the file. Import checks the context before each message; once it is
// done, Import returns its error with the logs that are complete.
func Import(ctx context.Context, name string, data []byte, f Format, o ImportOptions) ([]Log, error) {
	if !f.Imports() {
		return nil, fmt.Errorf("%s cannot be imported", f)
	}
	if int64(len(data)) > o.limit() {
		return nil, tooLarge(name, o)
	}
	rd := &reader{name: name, data: data, format: f, opts: o, line: 1, names: map[string]bool{}}
	if o.Messages != "" {
		rd.path = strings.Split(o.Messages, ".")
	}
	err := rd.file(ctx)
	return rd.logs, err
}

// ImportFrom is [Import] of a stream. It reads at most MaxBytes, and nothing of a stream whose
// method Len returns more. It checks the context before each read.
func ImportFrom(ctx context.Context, name string, r io.Reader, f Format, o ImportOptions) ([]Log, error) {
	var data bytes.Buffer
	if sized, ok := r.(interface{ Len() int }); ok {
		if int64(sized.Len()) > o.limit() {
			return nil, tooLarge(name, o)
		}
		data.Grow(max(sized.Len(), 0) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(io.LimitReader(contextReader{ctx, r}, o.limit()+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Import(ctx, name, data.Bytes(), f, o)
}

// contextReader reads at most 1 MB at a time and checks the context before each read.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p[:min(len(p), 1<<20)])
}

// reader is the state of one import.
type reader struct {
	name    string
	data    []byte
	format  Format
	opts    ImportOptions
	logs    []Log
	names   map[string]bool
	path    []string // of Messages
	notes   []Note   // for the next log
	lineOff int
	line    int
}

func tooLarge(name string, o ImportOptions) error {
	return &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes, the limit MaxBytes", o.limit())}
}

// step is called before each message and each line, when the bytes before off are done.
func (rd *reader) step(ctx context.Context, off int) error {
	if rd.opts.Progress != nil {
		rd.opts.Progress(off, len(rd.data))
	}
	return ctx.Err()
}

func (rd *reader) file(ctx context.Context) error {
	data, off := rd.data, 0
	if rest, ok := bytes.CutPrefix(data, []byte("\uFEFF")); ok {
		data, off = rest, 3
	}
	if rd.format == ClaudeCode {
		if rd.opts.Messages != "" {
			return rd.fail(value{path: "$"}, engine.ErrFileShape, "a session file is one log; there is no member %s to look in", rd.opts.Messages)
		}
		return rd.session(ctx, data, off)
	}
	if !rd.lined(data) {
		v, err := rd.document(data, off)
		if err != nil {
			return err
		}
		return rd.records(ctx, v)
	}
	return rd.lines(ctx, data, off)
}

// lines reads a file with a document on each line: records, or the messages of one log.
func (rd *reader) lines(ctx context.Context, data []byte, off int) error {
	var log *builder
	for first := true; len(data) > 0; {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		if len(bytes.TrimSpace(line)) > 0 {
			if err := rd.step(ctx, off); err != nil {
				return err
			}
			v, err := rd.document(line, off)
			if _, found := rd.messagesOf(v); first && err == nil && !found && rd.opts.Messages == "" && rd.isMessage(v) {
				log = rd.builder()
				err = log.keepAround(origin{Shape: log.listShape()}, nil)
			}
			first = false
			switch {
			case err != nil:
			case log != nil:
				err = importers[rd.format](log, v)
			default:
				err = rd.record(ctx, v, rd.path, true)
			}
			if err != nil {
				if log != nil && log.number > 0 { // keep the messages before the error
					if bad := rd.add(log, value{}, value{path: "$"}, false); bad != nil {
						return bad
					}
				}
				return err
			}
		}
		off += len(data) - len(rest)
		data = rest
	}
	if log != nil {
		return rd.add(log, value{}, value{path: "$"}, false)
	}
	return nil
}

// lined reports whether every line is a document: by the name of the file, else if the first line
// is an object and there are more lines.
func (rd *reader) lined(data []byte) bool {
	switch strings.ToLower(path.Ext(rd.name)) {
	case ".jsonl", ".ndjson":
		return true
	case ".json":
		return false
	}
	line, rest, _ := bytes.Cut(bytes.TrimLeft(data, " \t\r\n"), []byte{'\n'})
	if len(line) == 0 || line[0] != '{' || len(bytes.TrimSpace(rest)) == 0 {
		return false
	}
	_, err := engine.JSON(bytes.TrimSpace(line))
	return err == nil
}

// records reads a document: a log, or a list of them.
func (rd *reader) records(ctx context.Context, v value) error {
	elements := v.elements()
	many := false
	if rd.path == nil && len(elements) > 0 {
		first := elements[0]
		_, found := rd.messagesOf(first)
		many = first.is('[') || found && !rd.isMessage(first)
	}
	if !many {
		return rd.record(ctx, v, rd.path, false)
	}
	for _, e := range elements {
		if err := rd.record(ctx, e, nil, true); err != nil {
			return err
		}
	}
	return nil
}

// lists names the members of a request that hold the messages, by format.
var lists = [...][]string{
	OpenAI:          {"messages"},
	OpenAIResponses: {"input", "output"},
	Anthropic:       {"messages"},
	Gemini:          {"contents"},
	Flat:            {"flat_log"},
	ShareGPT:        {"conversations"},
}

// messagesOf returns the member of an object that holds its messages.
func (rd *reader) messagesOf(v value) (field, bool) {
	fields := v.fields()
	for _, name := range lists[rd.format] {
		for _, f := range fields {
			if f.name == name {
				return f, true
			}
		}
	}
	return field{}, false
}

// isMessage reports whether a value is a message, and not a record that holds messages.
func (rd *reader) isMessage(v value) bool {
	names := []string{"role"}
	switch rd.format {
	case OpenAIResponses:
		names = append(names, "type")
	case Gemini:
		names = append(names, "parts")
	case ShareGPT:
		names[0] = "from"
	}
	return slices.ContainsFunc(names, func(name string) bool { _, ok := v.get(name); return ok })
}

// record reads the log at a path, or the logs of a list on the path. many is set if there are
// others in the file.
func (rd *reader) record(ctx context.Context, v value, path []string, many bool) error {
	if err := rd.step(ctx, v.off); err != nil {
		return err
	}
	around := v
	b := rd.builder()
	for i, name := range path {
		if v.is('[') {
			rd.leave(b.around)
			for _, e := range v.elements() {
				if err := rd.record(ctx, e, path[i:], true); err != nil {
					return err
				}
			}
			return nil
		}
		w, ok := v.get(name)
		if !ok {
			return rd.fail(v, engine.ErrFileShape, "there is no member %s%s", name, rd.hint(v))
		}
		prefix := strings.Join(append(slices.Clone(path[:i]), ""), ".")
		for _, f := range v.fields() {
			if f.name != name {
				f.name = prefix + f.name
				b.around = append(b.around, f)
			}
		}
		v = w
	}
	if err := b.read(ctx, v); err != nil {
		return err
	}
	return rd.add(b, around, v, many)
}

// leave notes the members beside a list of logs, which belong to none of them.
func (rd *reader) leave(fields []field) {
	for _, f := range fields {
		rd.notes = append(rd.notes, rd.noteAt(Outside, "", f.value, "is beside a list of logs; no history keeps it"))
	}
}

func (rd *reader) builder() *builder {
	return &builder{rd: rd, ids: map[string]bool{"root": true, "^sys": true, "^seq": true, "^ah": true}, keys: map[string]bool{},
		waiting: calls[*part]{}}
}

// add finishes a log and gives it a name.
func (rd *reader) add(b *builder, around, v value, many bool) error {
	if err := b.seal(); err != nil {
		return rd.fail(v, engine.ErrFileShape, "the log makes no tree: %v", err)
	}
	name := ""
	if many {
		for _, w := range [...]value{around, v} {
			for _, f := range w.fields() {
				if name == "" && nameMembers[f.name] {
					name, _ = f.text()
					if n, ok := f.json().Number(); ok {
						name = n.String()
					}
				}
			}
		}
		if name == "" {
			name = strconv.Itoa(len(rd.logs) + 1)
		}
		for base, i := name, 2; rd.names[name]; i++ {
			name = base + "-" + strconv.Itoa(i)
		}
		rd.names[name] = true
	}
	rd.logs = append(rd.logs, Log{Name: name, Context: b.ctx, Notes: append(rd.notes, b.notes...)})
	rd.notes = nil
	return nil
}

var nameMembers = map[string]bool{
	"id": true, "name": true, "task_id": true, "session_id": true, "sessionId": true, "conversation_id": true,
}

// hint names the members that could hold the messages.
func (rd *reader) hint(v value) string {
	var names []string
	for _, f := range v.fields() {
		if f.is('[') {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; there is a list in " + strings.Join(names, ", ")
}
