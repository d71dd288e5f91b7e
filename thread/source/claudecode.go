package source

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isClaudeCode recognizes records of Claude Code. Logs of other clients in its format may lack all
// ids, and then have messages of the Messages API below the type.
func isClaudeCode(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("type", "uuid", "leafUuid", "sessionId", "message")
		kind := got[0].text()
		return kind != "" && (got[1].is('"') || got[2].is('"') || got[3].is('"') ||
			(kind == "user" || kind == "assistant") && got[4].is('{') && !got[4].get("content").missing())
	})
}

// claudeKinds says what becomes of each kind of record.
var claudeKinds = map[string]fate{
	"user": fromClient, "assistant": fromModel, "attachment": attachedTexts, "system": byType,
	"api-request": recordedCall, "api-request-blob": recordedMessage, "api-request-shape": recordedShape, "fork-context-ref": forkedFrom,
	"summary": bookkeeping, "progress": bookkeeping, "ai-title": bookkeeping, "custom-title": bookkeeping, "agent-name": bookkeeping, "agent-color": bookkeeping,
	"agent-setting": bookkeeping, "atis-latch": bookkeeping, "cost-state": bookkeeping, "file-history-snapshot": bookkeeping, "file-history-delta": bookkeeping,
	"last-prompt": bookkeeping, "mode": bookkeeping, "permission-mode": bookkeeping, "queue-operation": bookkeeping, "tools-used": bookkeeping, "tag": bookkeeping,
	"task-summary": bookkeeping, "pr-link": bookkeeping, "worktree-state": bookkeeping, "saved_hook_context": bookkeeping, "content-replacement": bookkeeping,
	"attribution-snapshot": bookkeeping, "speculation-accept": bookkeeping, "marble-origami-commit": bookkeeping, "marble-origami-snapshot": bookkeeping,
	"bridge-session": bookkeeping, "started": bookkeeping, "result": bookkeeping,
}

// claudeSubtypes says what becomes of the subtypes of system records. The others are bookkeeping.
var claudeSubtypes = map[string]fate{"compact_boundary": stated, "microcompact_boundary": stated, "local_command": fromClient}

// mark is what else a record is, apart from what is sent of it.
type mark uint8

const (
	noMark       mark = iota
	isBoundary        // a compaction: chains end here
	isMicro           // results are cleared for what follows
	isClearEcho       // the echo of /clear: the chain before it ends
	isStripped        // thinking before it is no longer sent
	isInterrupt       // the user interrupted the model
	isProgress        // where a client resumed a conversation by mistake
	isApiError        // the client's text about a failed call
	isTypedInput      // a person wrote it
)

// record is a record of a session file that has a place in a chain. Records are chained by their
// parents, and a request is a chain.
type record struct {
	uuid, parent, logical string
	up                    *record // resolved, and corrected where a compaction kept records
	same                  *record // the record of which it is a copy, or nil
	next                  *record // the first one that follows it, of a boundary also before it in the source
	conversation          *conversation
	answer                *answer // for the assistant
	after                 *answer // the answer that it follows, with no other in between
	fate                  fate
	mark                  mark
	summary, side, sent   bool
	continued             bool // its file has a record that follows it
	hidden                bool // virtual, or only displayed
	shared                bool // its parts are part of a message
	text                  bool // the content is a string
	parts                 []*series.Part
	attachment            *addition
	boundary              *boundary
	about                 string
	file                  *claudeFile
	session, agent        string
	started               string // the agent that the call answered by the record started
	cleared               []string
	attached              []*record // attachments that follow a result
	restored              *record   // the boundary after which it was written again
	base                  *record   // the result that an attachment follows
	api, request, ref     string    // ids of the message and the request, and that of the recorded request
	model, usage          string
	time                  time.Time
	line, pos             int // pos counts the records of all files
}

// claudeFile is one of the files that are read together.
type claudeFile struct {
	name    string
	number  int
	agent   string
	fork    string           // the record of the session after which the chain of the agent branches off
	copies  map[*record]bool // records of other files that the file repeats
	records []*record
	calls   int
	linked  bool
}

// answer is the answer to one call, in one or several records.
type answer struct {
	id        string
	records   []*record
	byText    map[contentKey][]*record // the records
	results   []*record                // that answer its calls, by position
	answered  map[resultOf]bool        // the calls that have a result
	followers []*record                // by position
	starts    []series.Start
	request   *series.Request
	number    int
}

// session reads session files: first all records of all files, then the calls in their order.
type session struct {
	*group
	files         []*claudeFile
	records       []*record
	byUUID        map[string]*record
	answers       map[string]*answer
	conversations map[string]*conversation
	recorded      recordedRequests
	kept          []keptAt
	following     int // the position of the next step
	ascent        ascent
	scanner       *canonjson.Scanner
	src           string
}

// keptAt is something to keep, with its place among the records.
type keptAt struct {
	series.Kept
	pos int
}

func openSession(g *group) parser {
	return &session{
		group: g, byUUID: map[string]*record{}, answers: map[string]*answer{}, conversations: map[string]*conversation{},
		scanner: canonjson.NewScanner("", canonjson.DefaultDepth),
	}
}

// file reads the records of a file. Nothing is passed on until all files are read, because records
// may stand before their parents, and requests after their answers.
func (s *session) file(ctx context.Context, rd *reader) error {
	f := &claudeFile{name: rd.name, number: len(s.files), copies: map[*record]bool{}}
	s.files = append(s.files, f)
	return rd.rawLines(ctx, func(line []byte, number int) error {
		s.line(rd, f, line, number)
		return nil
	})
}

// line reads a line. One with several values has several records, and text that is not Unicode is
// replaced by U+FFFD.
func (s *session) line(rd *reader, f *claudeFile, text []byte, number int) {
	src := unsafe.String(unsafe.SliceData(text), len(text)) // what is kept is copied
	for start := 0; ; {
		s.src = src[start:]
		s.scanner.SetSource(s.src)
		in := recordLine{file: f, line: number}
		err := s.read(&in)
		if bad, ok := errors.AsType[*canonjson.Error](err); ok && bad.Kind == canonjson.Encoding {
			if fixed := unicodeOnly(s.src); fixed != s.src {
				if _, bad := rd.parse(s.src, number); bad != nil {
					rd.noteError(bad, "what is not Unicode is replaced by U+FFFD")
				}
				src, start = fixed, 0
				continue
			}
		}
		if err != nil {
			d, bad := rd.parse(src[start:], number)
			if bad == nil {
				s.keepAt("malformed", d.root().canonical(), false, f, number)
				rd.note(thread.Malformed, engine.ErrFileShape, d.root(), "the line is not a record; it is kept unchanged")
				return
			}
			rest := strings.ToValidUTF8(strings.TrimRight(src[start:], "\r"), "\uFFFD")
			s.keepAt("malformed", string(canonjson.AppendString(nil, rest)), true, f, number)
			rd.noteError(bad, "the line is kept unchanged")
			return
		}
		next := s.scanner.Offset()
		s.add(rd, &in, s.src[:next])
		s.scanner.Peek()
		if start += s.scanner.Offset(); start >= len(src) || strings.TrimSpace(src[start:]) == "" {
			return
		}
	}
}

func (s *session) keepAt(kind, value string, raw bool, f *claudeFile, line int) {
	s.kept = append(s.kept, keptAt{series.Kept{Kind: kind, Value: value, Raw: raw, File: f.name, Line: line}, len(s.records)})
}

// add adds the record of a line.
func (s *session) add(rd *reader, in *recordLine, src string) {
	f := in.file
	in.fate = claudeKinds[in.kind]
	if in.fate != recordedCall && in.fate != recordedMessage && in.fate != recordedShape && in.kind != "" && f.agent == "" && in.agent != "" && len(f.records) == 0 && in.side {
		f.agent = in.agent
	}
	switch in.fate {
	case recordedCall, recordedMessage, recordedShape:
		s.recorded.add(in, f)
		return
	case forkedFrom:
		f.fork = in.fork
		return
	case unknownKind:
		s.unknown(rd, in, src)
	}
	if in.uuid == "" && in.fate != fromClient && in.fate != fromModel {
		return
	}
	r := &record{
		uuid: in.uuid, parent: in.parent, logical: in.logical, fate: in.fate, summary: in.summary, side: in.side, hidden: in.hidden, file: f,
		session: in.session, agent: in.agent, line: in.line, time: in.time, about: in.about, request: in.request, ref: in.ref,
	}
	if old := s.byUUID[r.uuid]; r.uuid != "" && old != nil {
		if old.file != f {
			f.copies[old] = true
		}
		if old.fate == fromModel && old.usage != "" && moreUsage(in.message.usage, old.usage) {
			old.usage = in.message.usage
		}
		return
	}
	s.fill(rd, r, in, src)
	r.complete()
	r.pos = len(s.records)
	s.records, f.records = append(s.records, r), append(f.records, r)
	if r.uuid != "" {
		s.byUUID[r.uuid] = r
	}
}

// unknown keeps a record of an unknown kind if it has content.
func (s *session) unknown(rd *reader, in *recordLine, src string) {
	d, _ := rd.parse(strings.Clone(src), in.line)
	if d == nil {
		return
	}
	what := "the kind of record " + s.copied(in.kind) + " is not known"
	if in.kind == "" {
		what = "a record has no type"
	}
	if !in.hasContent {
		s.noteKept(rd, d.root(), what+"; it has no message and no content, and is left out")
		return
	}
	s.keepAt("unsent", d.root().canonical(), false, in.file, in.line)
	s.noteKept(rd, d.root(), what+"; the record is kept, and does not count as sent")
}

// fill sets what a record has from its kind.
func (s *session) fill(rd *reader, r *record, in *recordLine, src string) {
	f := in.file
	switch in.fate {
	case fromClient, fromModel:
		m := &in.message
		if !m.has {
			d, _ := rd.parse(strings.Clone(src), in.line)
			if d != nil {
				s.keepAt("malformed", d.root().canonical(), false, f, in.line)
				rd.note(thread.Malformed, engine.ErrFileShape, d.root(), "the record has no message; it is kept unchanged")
			}
			r.fate = bookkeeping
			break
		}
		r.parts, r.text = m.parts, m.text
		if in.fate == fromModel {
			r.api, r.model, r.usage = m.id, m.model, m.usage
			if in.apiError {
				r.mark = isApiError
			}
			break
		}
		r.started = in.started
		r.mark = markOf(textOf(r.parts), in.subtype, slices.ContainsFunc(r.parts, isResult), in.isMade())
	case attachedTexts:
		r.attachment = in.attachment
		if in.attachment != nil && in.attachment.kind == "thinking_stripped" {
			r.mark = isStripped
		}
	case byType:
		r.fate = bookkeeping
		switch claudeSubtypes[in.subtype] {
		case stated:
			r.mark, r.boundary = isBoundary, in.boundary
			if in.subtype == "microcompact_boundary" {
				r.mark, r.cleared = isMicro, in.cleared
			} else if r.boundary == nil {
				r.boundary = &boundary{}
			}
		case fromClient:
			if len(in.content) > 0 {
				r.fate, r.parts, r.text = fromClient, in.content, true
				r.mark = markOf(textOf(r.parts), in.subtype, slices.ContainsFunc(r.parts, isResult), in.isMade())
			}
		}
	case bookkeeping:
		if in.kind == "progress" {
			r.mark = isProgress
		}
	}
}

// complete sets what the parts of a record have from it.
func (r *record) complete() {
	by := r.by()
	for _, p := range r.parts {
		p.ID, p.Line, p.About, p.Summary = r.uuid, r.line, r.about, r.summary
		if by != "" && kindOf(p.Value) != resultPart {
			p.By = by
		}
	}
	if a := r.attachment; a != nil {
		for _, list := range a.texts {
			for _, p := range list {
				p.ID, p.Line, p.By, p.Path = r.uuid, r.line, by, "$.rendered"
			}
		}
	}
}

// by returns who wrote a record.
func (r *record) by() string {
	switch {
	case r.fate == fromModel:
		return "model"
	case r.attachment != nil && strings.HasPrefix(r.attachment.kind, "hook_"):
		return "hook"
	case r.attachment != nil && r.attachment.isPrompt:
		return "person"
	case r.mark == isTypedInput:
		return "person"
	case r.fate == fromClient && isEcho(textOf(r.parts)):
		return "command"
	}
	return "client"
}

// markOf returns what a record of the user is, from its first text and whether the client made it.
func markOf(text, subtype string, hasResult, isMade bool) mark {
	isInterrupted := strings.HasPrefix(text, interrupted)
	switch {
	case hasResult && !isInterrupted, subtype != "":
		return noMark
	case isClear(text):
		return isClearEcho
	case isInterrupted:
		return isInterrupt
	case isMade, isEcho(text):
		return noMark
	}
	return isTypedInput
}

// isMade reports whether the client made a record of the user.
func (in *recordLine) isMade() bool {
	return in.summary || in.meta || in.note || in.hook || in.origin != "" && in.origin != "human"
}

// interrupted is how the text begins that says that the user interrupted the model.
const interrupted = "[Request interrupted by user"

// echoes are how texts begin that show a command and its output.
var echoes = []string{"<command-name>", "<command-message>", "<local-command-", "<bash-input>", "<bash-stdout>", "<bash-stderr>"}

func isEcho(text string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), ">") && slices.ContainsFunc(echoes, func(e string) bool { return strings.HasPrefix(text, e) })
}

// isClear reports whether a text is the echo of the command that restarts the conversation: nothing
// but its name, message and arguments.
func isClear(text string) bool {
	const name = "<command-name>/clear</command-name>"
	rest := strings.TrimSpace(text)
	if !strings.Contains(rest, name) {
		return false
	}
	for rest != "" {
		if !strings.HasPrefix(rest, "<command-") {
			return false
		}
		tag := rest[1:max(strings.IndexByte(rest, '>'), 1)]
		_, after, ok := strings.Cut(rest, "</"+tag+">")
		if !ok {
			return false
		}
		rest = strings.TrimSpace(after)
	}
	return true
}

// moreUsage reports whether the usage of a record counts more output than that of another.
func moreUsage(a, b string) bool {
	return a != "" && countOf(a, "output_tokens") >= countOf(b, "output_tokens")
}

func countOf(usage, name string) int {
	n, _ := (value{raw: usage}).get(name).integer()
	return n
}

// noteKept notes something once.
func (s *session) noteKept(rd *reader, v value, msg string) {
	rd.noteOnce(thread.Kept, "", v, msg)
}

// noteAt reports a note at a record, each message once.
func (s *session) noteAt(r *record, code engine.Code, msg string) {
	if s.noted == nil {
		s.noted = map[string]bool{}
	}
	if s.opts.Note != nil && !s.noted[msg] {
		s.noted[msg] = true
		s.opts.Note(thread.Note{Kind: thread.Kept, Code: code, File: r.file.name, Line: r.line, Path: "$", Msg: msg})
	}
}

// copied returns a string that does not share the memory of the line.
func (s *session) copied(text string) string {
	if text == "" {
		return ""
	}
	at, from := uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(unsafe.Pointer(unsafe.StringData(s.src)))
	if at >= from && at < from+uintptr(len(s.src)) {
		return strings.Clone(text)
	}
	return text
}
