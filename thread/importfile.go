package thread

import (
	"context"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/names"
)

// reader is the state of one import.
type reader struct {
	src    *textReader
	format Format
	opts   ImportOptions
	yield  func(Log, error) bool
	count  int // number of logs so far
	names  names.Set
	path   []string // of Messages
	notes  []Note   // for the next log
	doc    document // the current document
	start  int64    // offset of its text in the file
}

// errStop ends an import when the caller ends the iteration.
var errStop = errors.New("stop")

// step is called before each message and each line.
func (rd *reader) step(ctx context.Context, v *value) error {
	rd.doc.begin(v.off)
	if rd.opts.Progress != nil {
		rd.opts.Progress(rd.start + int64(v.off))
	}
	return ctx.Err()
}

// parse makes the text that was just read from src the current document, and returns its value.
// element is its index in the list at the top of the file, or noElement.
func (rd *reader) parse(text string, element int) (*value, error) {
	rest := strings.TrimLeft(text, " \t\r\n")
	lead := text[:len(text)-len(rest)]
	rest = strings.TrimSpace(rest)
	rd.start = rd.src.at + int64(len(lead))
	line := rd.src.atLine + strings.Count(lead, "\n")
	v, err := rd.doc.parse(rest, element, line)
	if err == nil {
		return v, nil
	}
	_, err = engine.JSON(rest) // the same error, with its line and path
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return nil, err
	}
	at := *e
	at.File, at.Line, at.Path = rd.src.name, max(e.Line, 1)+line-1, rd.doc.path()+strings.TrimPrefix(e.Path, "$")
	return nil, &at
}

// file reads the logs of a file.
func (rd *reader) file(ctx context.Context) error {
	if rd.format == ClaudeCode {
		if err := rd.src.checkSize(); err != nil {
			return err
		}
	}
	if err := rd.src.skipBOM(ctx); err != nil {
		return err
	}
	if rd.format == ClaudeCode {
		if rd.opts.Messages != "" {
			return rd.fail(&missing, engine.ErrFileShape, "a session file is a single log, which has no member %s", rd.opts.Messages)
		}
		return rd.session(ctx)
	}
	form := strings.ToLower(path.Ext(rd.src.name))
	if form == ".jsonl" || form == ".ndjson" {
		return rd.lines(ctx, "")
	}
	head := ""
	switch c, err := rd.src.peek(ctx); {
	case err != nil:
		return err
	case c == '[':
		return rd.list(ctx)
	case c == '{' && form != ".json":
		if head, err = rd.src.nextLine(ctx); err != nil {
			return err
		}
		if _, err := engine.JSON(strings.TrimSpace(head)); err != nil {
			break // a document of several lines
		}
		// Every line is a document if there are more lines.
		if c, err = rd.src.peek(ctx); err != nil {
			return err
		}
		if c != 0 {
			return rd.lines(ctx, head)
		}
	}
	text, err := rd.src.whole(ctx, head)
	if err != nil {
		return err
	}
	v, err := rd.parse(text, noElement)
	if err != nil {
		return err
	}
	return rd.record(ctx, v, rd.path, false)
}

// lines reads a file with a document on each line: records, or the messages of one log. line is the
// first line if it was already read.
func (rd *reader) lines(ctx context.Context, line string) error {
	var log *builder
	for first := true; ; {
		if log == nil {
			rd.src.begun = rd.src.off
		}
		var err error
		if line == "" {
			line, err = rd.src.nextLine(ctx)
		}
		if err == io.EOF {
			break
		}
		if err == nil && strings.TrimSpace(line) != "" {
			err = rd.line(ctx, line, first, &log)
			first = false
		}
		if line = ""; err == nil {
			continue
		}
		if _, ok := errors.AsType[*engine.Error](err); ok && log != nil && log.number > 0 { // keep the messages before the error
			if bad := rd.add(log, &missing, &missing, false); bad != nil {
				return bad
			}
		}
		return err
	}
	if log != nil {
		return rd.add(log, &missing, &missing, false)
	}
	return nil
}

// line reads one line. If the first line is a message, all lines are the messages of one log.
func (rd *reader) line(ctx context.Context, text string, first bool, log **builder) error {
	v, err := rd.parse(text, noElement)
	if err != nil {
		return err
	}
	if first && rd.path == nil && rd.isMessage(v) {
		if _, found := rd.messagesOf(v); !found {
			if *log, err = rd.bareList(); err != nil {
				return err
			}
		}
	}
	if *log == nil {
		return rd.record(ctx, v, rd.path, true)
	}
	return rd.message(ctx, *log, v)
}

// list reads a file that is a list of the messages of one log, or a list of logs.
func (rd *reader) list(ctx context.Context) error {
	text, err := rd.src.nextElement(ctx, true)
	if err == errEnd && rd.path == nil {
		v, err := rd.parse("[]", noElement)
		if err != nil {
			return err
		}
		return rd.record(ctx, v, nil, false)
	}
	var log *builder
	for i := 0; err == nil; i++ {
		var v *value
		if v, err = rd.parse(text, i); err != nil {
			return err
		}
		if _, found := rd.messagesOf(v); i == 0 && rd.path == nil && !v.is('[') && (!found || rd.isMessage(v)) {
			if log, err = rd.bareList(); err != nil {
				return err
			}
		}
		if log != nil {
			err = rd.message(ctx, log, v)
		} else {
			err = rd.record(ctx, v, rd.path, true)
			rd.src.begun = rd.src.off
		}
		if err == nil {
			text, err = rd.src.nextElement(ctx, false)
		}
	}
	switch {
	case err != errEnd:
		return err
	case log != nil:
		return rd.add(log, &missing, &missing, false)
	}
	return nil
}

// bareList begins a log that consists only of messages.
func (rd *reader) bareList() (*builder, error) {
	b := rd.builder()
	return b, b.keepAround(origin{Shape: b.listShape()}, nil)
}

// message reads the next message of a log.
func (rd *reader) message(ctx context.Context, b *builder, v *value) error {
	if err := rd.step(ctx, v); err != nil {
		return err
	}
	begin := rd.doc.nodes.next
	err := importers[rd.format](b, v)
	rd.doc.forget(v, begin)
	return err
}

// lists has the members of a request that contain the messages, by format.
var lists = [...][]string{
	OpenAI:          {"messages"},
	OpenAIResponses: {"input", "output"},
	Anthropic:       {"messages"},
	Gemini:          {"contents"},
	Flat:            {"flat_log"},
	ShareGPT:        {"conversations"},
}

// messagesOf returns the member of an object that contains the messages.
func (rd *reader) messagesOf(v *value) (*value, bool) {
	for _, name := range lists[rd.format] {
		if list, ok := v.get(name); ok {
			return list, true
		}
	}
	return &missing, false
}

// isMessage reports whether a value is a message, and not a record that contains messages.
func (rd *reader) isMessage(v *value) bool {
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

// record reads the log at a path, or the logs of a list on the path. many is set if the file may
// contain several logs.
func (rd *reader) record(ctx context.Context, v *value, path []string, many bool) error {
	if err := rd.step(ctx, v); err != nil {
		return err
	}
	around := v
	b := rd.builder()
	for i, name := range path {
		if v.is('[') {
			rd.noteOutside(b.around)
			for e := range v.elements() {
				begin := rd.doc.nodes.next
				if err := rd.record(ctx, e, path[i:], true); err != nil {
					return err
				}
				rd.doc.forget(e, begin)
			}
			return nil
		}
		w, ok := v.get(name)
		if !ok {
			return rd.fail(v, engine.ErrFileShape, "there is no member %s%s", name, rd.hint(v))
		}
		prefix := strings.Join(append(slices.Clone(path[:i]), ""), ".")
		for f := range v.fields() {
			if f.name != name {
				b.around = append(b.around, extra{ofRecord, prefix + f.name, f})
			}
		}
		v = w
	}
	if err := b.read(ctx, v); err != nil {
		return err
	}
	return rd.add(b, around, v, many)
}

// noteOutside notes the members outside a list of logs, which belong to none of them.
func (rd *reader) noteOutside(around []extra) {
	for _, x := range around {
		rd.notes = append(rd.notes, rd.noteAt(Outside, "", x.value, "is outside the list of logs; no history keeps it"))
	}
}

func (rd *reader) builder() *builder {
	return &builder{rd: rd, ids: maps.Clone(regions), keys: map[string]bool{}, waiting: calls[*part]{}}
}

// regions has the ids of the nodes that every history has.
var regions = map[string]bool{"root": true, "^sys": true, "^seq": true, "^ah": true}

// add finishes a log and gives it a name.
func (rd *reader) add(b *builder, around, v *value, many bool) error {
	rd.count++
	name := ""
	if many {
		if name = nameOf(around); name == "" {
			name = nameOf(v)
		}
		if name == "" {
			name = strconv.Itoa(rd.count)
		}
		name = rd.names.Add(strings.Clone(name)) // do not retain the text of the record
	}
	if err := b.finish(name); err != nil {
		return rd.fail(v, engine.ErrFileShape, "the log cannot be made into a tree: %v", err)
	}
	l := Log{Name: name, Context: b.ctx, Notes: append(rd.notes, b.notes...)}
	if rd.notes = nil; !rd.yield(l, nil) {
		return errStop
	}
	return nil
}

// nameOf returns the name of a log in its record, or "".
func nameOf(v *value) string {
	for f := range v.fields() {
		if nameMembers[f.name] {
			name, _ := f.text()
			if n, ok := f.json().Number(); ok {
				name = n.String()
			}
			if name != "" {
				return name
			}
		}
	}
	return ""
}

var nameMembers = map[string]bool{
	"id": true, "name": true, "task_id": true, "session_id": true, "sessionId": true, "conversation_id": true,
}

// hint returns the end of an error message that lists the members that could contain the messages.
func (rd *reader) hint(v *value) string {
	var names []string
	for f := range v.fields() {
		if f.is('[') {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; there is a list in " + strings.Join(names, ", ")
}
