package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// Kind is the kind of program that wrote a file.
type Kind string

// The kinds of files.
const (
	Auto       Kind = ""               // recognized from the content
	Requests   Kind = "requests"       // request bodies of OpenAI (chat and Responses), Anthropic or Gemini, one per line
	Inspect    Kind = "inspect"        // logs of Inspect AI, .eval and .json
	ClaudeCode Kind = "claude-code"    // session files of Claude Code
	Codex      Kind = "codex"          // rollouts of Codex CLI
	ATIF       Kind = "atif"           // trajectories of terminal agents
	OTel       Kind = "otel"           // spans of OpenTelemetry with GenAI or OpenInference attributes, in OTLP JSON
	GeminiCLI  Kind = "gemini-cli"     // sessions of Gemini CLI
	Opencode   Kind = "opencode"       // sessions of opencode
	MiniSWE    Kind = "mini-swe-agent" // trajectories of mini-swe-agent
	SWEAgent   Kind = "swe-agent"      // trajectories of SWE-agent
	LangChain  Kind = "langchain"      // messages of LangChain, states of LangGraph
	PydanticAI Kind = "pydantic-ai"    // messages of Pydantic AI
	AISDK      Kind = "ai-sdk"         // messages of the Vercel AI SDK
	Aider      Kind = "aider"          // LLM histories of aider
	Cline      Kind = "cline"          // tasks of Cline and Roo Code
	Langfuse   Kind = "langfuse"       // traces and observations of Langfuse
	LangSmith  Kind = "langsmith"      // runs of LangSmith
	Copilot    Kind = "copilot"        // prompts that Copilot Chat of VS Code exports
	Agents     Kind = "openai-agents"  // states of runs of the OpenAI Agents SDK
	OpenHands  Kind = "openhands"      // events and trajectories of OpenHands
	Goose      Kind = "goose"          // sessions of Goose, in lines or exported
	Recording  Kind = "recording"      // logs of pactkit record
)

// kinds has the parser of each kind, in the order in which they are tried. is reports whether a
// file with these first documents is of the kind; marks says what it looks for. records calls each
// with the records of a document, if they are inside it.
var kinds = []struct {
	Kind
	is      func(first []value) bool
	open    func(*group) parser
	marks   string
	records func(doc value, each func(value))
}{
	{Recording, isRecording, openRecording, "a first line whose format is pactkit-recording", nil},
	{Aider, func([]value) bool { return false }, openAider, "a text that begins with TO LLM and a time", nil}, // found before JSON is read
	{Inspect, isInspect, openInspect, "a zip archive, or an object with eval and version", nil},
	{OTel, isExport(OTel), openExport, "resourceSpans, resourceLogs, batches, traces of Jaeger in data, or spans with ids or with an attribute that says what they are", eachSpan},
	{Langfuse, isExport(Langfuse), openExport, "observations with a type and a trace, alone or in the traces", eachObservation},
	{LangSmith, isExport(LangSmith), openExport, "runs with a run_type and a trace_id or dotted_order", eachRun},
	{Copilot, isCopilot, openCopilot, "prompts with logs of requests and tool calls", eachEntry},
	{ATIF, isATIF, openTrajectories, "schema_version ATIF, or steps and agent, in an object, a list, or lines", eachStep},
	{GeminiCLI, isGeminiCLI, openGeminiSessions, "sessionId and projectHash", in("messages")},
	{Opencode, isOpencode, openRuns(readOpencode), "info and messages with info and parts, or a database with the tables message, part and session", eachOpencodePart},
	{MiniSWE, isMini, openRuns(readMini), "trajectory_format mini-swe-agent, or mini_version in info", in("messages")},
	{SWEAgent, isSWEAgent, openRuns(readSWEAgent), "trajectory or history with steps of SWE-agent, or attempts with these", in("trajectory", "history", "attempts")},
	{Codex, isCodex, openRollouts, "lines with a payload and a type such as session_meta or response_item", nil},
	{ClaudeCode, isClaudeCode, openSession, "lines with a type, and a uuid, leafUuid or sessionId", nil},
	{LangChain, langChain.recognizes, langChain.open, "messages whose type is human, ai, system or tool, or that are constructors; states and checkpoints with these", langChain.each},
	{PydanticAI, pydanticAI.recognizes, pydanticAI.open, "messages of kind request or response whose parts have a part_kind", pydanticAI.each},
	{AISDK, aiSDK.recognizes, aiSDK.open, "messages with parts such as step-start and tool-NAME, or with tool-call and tool-result in their content", aiSDK.each},
	{Cline, isCline, openCline, "api_conversation_history.json with <environment_details>, ui_messages.json with say and ask", eachOf},
	{Agents, isAgents, openAgents, "original_input and model_responses of the state of a run, items with a callId, or a database with agent_sessions and agent_messages", in("items", "history")},
	{OpenHands, isOpenHands, openOpenHands, "events with a source and an action and args, an observation and content, or a kind such as ActionEvent", eachEvent},
	{Goose, isGoose, openGoose, "a first line or an object with working_dir and description or name, and messages with created after it or in conversation", in("conversation")},
	{Requests, isRequests, openRequests, "messages, contents or input with messages to a model, alone or in request, body, params, ...", eachBody},
}

// Marks returns what the files of a kind are recognized by, in words.
func Marks(k Kind) string {
	for _, x := range kinds {
		if x.Kind == k {
			return x.marks
		}
	}
	return ""
}

// parser reads the files of a group in order.
type parser interface {
	file(context.Context, *reader) error
	end(context.Context) error // after the last file
}

// Kinds returns the kinds that files can have.
func Kinds() []Kind {
	var out []Kind
	for _, k := range kinds {
		out = append(out, k.Kind)
	}
	return out
}

// Options configures [Read]. The zero value recognizes the kind.
type Options struct {
	Kind Kind
	// MaxBytes limits the size of a line, a document or a member of an archive after decompression;
	// 0 means 256 MiB. All decompressed data of one file may be 16 times as large, and the
	// attachments inserted into the messages of an Inspect AI sample 4 times.
	MaxBytes int64
	// Note, if set, is called for everything that is malformed or unexpected, in the order of the
	// file.
	Note func(thread.Note)
}

const defaultMaxBytes = 256 << 20

func (o Options) limit() int64 { return budget.Buffer(cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes)) }

// Read reads a file and calls each with its requests in order. A request is passed on when the next
// one or the end of the file is found. The requests of one sample are consecutive. name is the name
// of the file in errors and notes. The file may be compressed with gzip or Zstandard. The time is
// linear in the size of the file.
//
// Errors are of type [*engine.Error] with file, line and JSON path, except those of r, the context
// and each, which are returned immediately. Malformed lines are not errors but notes.
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, o Options, each func(*series.Request) error) error {
	return ReadFiles(ctx, []File{Reader(name, r, size)}, o, each)
}

// ReadFiles is [Read] for files that belong together, in the order in which [Group] returns them. A
// conversation may continue in the next file, and a record that is in two files counts once. At
// most two files are open at a time.
func ReadFiles(ctx context.Context, files []File, o Options, each func(*series.Request) error) error {
	g := &group{opts: o, files: files, each: each, prompted: map[string]bool{}}
	err := g.read(ctx)
	if !g.stopped && ctx.Err() == nil {
		if last := g.release(); err == nil {
			err = last
		}
	}
	return err
}

// read reads the files.
func (g *group) read(ctx context.Context) error {
	if logs, recorded := g.apart(); len(logs) > 0 && len(recorded) > 0 {
		return g.readBoth(ctx, logs, recorded)
	}
	var p parser
	var first Kind
	for i, file := range g.files {
		err := g.withFile(file, func(rd *reader) error {
			kind, err := rd.kindOr(ctx, cmp.Or(file.Kind, g.opts.Kind))
			if err != nil && (kind == Auto || len(g.files) == 1) {
				return err
			}
			if p == nil {
				if p = g.parser(kind); p == nil {
					return fmt.Errorf("unknown kind of source %q", kind)
				}
				first, g.kind = kind, kind
			}
			if kind != first {
				return rd.fail(value{}, engine.ErrFileShape, "the file is of kind %s, but %s is of kind %s; they cannot be read together", kind, g.files[0].Name, first)
			}
			rd.number = i
			return p.file(ctx, rd)
		})
		if err != nil {
			return err
		}
	}
	if p == nil {
		return nil
	}
	return p.end(ctx)
}

// parser returns the reader of a kind of file, or nil.
func (g *group) parser(kind Kind) parser {
	for _, k := range kinds {
		if k.Kind == kind {
			return k.open(g)
		}
	}
	return nil
}

// Recognize returns the kind of a file. It reads the first lines, or the whole file if that is a
// single document. An unknown kind is an error of type [*engine.Error]; of what is only read
// together with requests, such as the answer to one, the kind is [Requests] nevertheless.
func Recognize(ctx context.Context, name string, r io.ReaderAt, size int64, o Options) (Kind, error) {
	return RecognizeFile(ctx, Reader(name, r, size), o)
}

// RecognizeFile is [Recognize] for a file that may have others beside it.
func RecognizeFile(ctx context.Context, file File, o Options) (kind Kind, err error) {
	err = (&group{opts: o}).withFile(file, func(rd *reader) (err error) {
		kind, err = rd.kind(ctx)
		return err
	})
	return kind, err
}

// group is the state of one call of ReadFiles.
type group struct {
	opts  Options
	files []File
	each  func(*series.Request) error
	calls int             // of all files
	noted map[string]bool // messages of notes that were reported once
	// startedBy has, by conversation, the call that started it, until its first call is read.
	startedBy map[string]series.StartedBy
	kind      Kind
	thoughts  map[string]string            // by signature, in the log of the session
	answered  map[conversationKey]*answers // of the latest request
	prompted  map[string]bool              // whether the latest request of a conversation has system messages
	kept      []series.Kept                // since the latest request
	last      *series.Request              // the latest request, which is not passed on yet
	stopped   bool                         // each returned an error
}

// reader is the state of reading one file.
type reader struct {
	*group
	name     string
	number   int // in the group
	beside   func(path string) (Input, error)
	file     io.ReaderAt
	size     int64
	messages map[string]*series.Message // made so far, by their JSON
	calls    int                        // number of calls in the file, or in the sample
	total    int64                      // decompressed bytes
	grows    bool                       // the file may be read while it is written
	cut      bool                       // the current line ends with the file, and not with a line break

	// What peek found:
	peeked  bool
	byLines bool      // each line is a document
	first   []value   // the first lines, if they are documents; they do not stay in memory
	several bool      // documents follow each other, on several lines each
	single  *document // the whole file, for the next call of whole
}

// send numbers a request among all calls of the sample, or of the group, and passes on the previous
// request. A state has the number of the next call.
func (g *group) send(r *series.Request) error {
	if r.Number = r.Origin.Call; r.Origin.Sample == "" {
		r.Number = g.calls
		if r.Event == nil {
			g.calls++
		}
	}
	g.check(r)
	if by, ok := g.startedBy[r.ConversationID]; ok {
		r.By = &by
		delete(g.startedBy, r.ConversationID)
	}
	if err := g.pass(); err != nil {
		return err
	}
	g.last, r.Kept, g.kept = r, g.kept, nil
	return nil
}

// pass calls each with the latest request, if there is one.
func (g *group) pass() error {
	r := g.last
	if r == nil {
		return nil
	}
	g.last = nil
	g.declare(r)
	err := g.each(r)
	g.stopped = err != nil
	return err
}

// release passes on the last request, with what was kept after it.
func (g *group) release() error {
	if g.last != nil {
		g.last.Kept = append(g.last.Kept, g.kept...)
	}
	return g.pass()
}

// start records that the answer to an open request, which is the next one to be sent, started a
// conversation. If a tool call is recorded several times, the last one counts.
func (g *group) start(r *series.Request, x series.Start) {
	if i := slices.IndexFunc(r.Starts, func(y series.Start) bool { return y.Call == x.Call && x.Call != "" }); i >= 0 {
		delete(g.startedBy, r.Starts[i].ConversationID)
		r.Starts[i] = x
	} else {
		r.Starts = append(r.Starts, x)
	}
	g.startAt(series.StartedBy{ConversationID: r.ConversationID, Number: g.calls, Call: x.Call}, x.ConversationID)
}

func (g *group) startAt(by series.StartedBy, conversation string) {
	if g.startedBy == nil {
		g.startedBy = map[string]series.StartedBy{}
	}
	g.startedBy[conversation] = by
}

// kindOr returns want, or, if that is Auto, the recognized kind of the file.
func (rd *reader) kindOr(ctx context.Context, want Kind) (Kind, error) {
	if want != Auto {
		return want, nil
	}
	return rd.kind(ctx)
}

// maxPeek is the number of documents that are used to recognize the kind of a file.
const maxPeek = 20

// kind recognizes the kind of the file.
func (rd *reader) kind(ctx context.Context) (Kind, error) {
	if rd.magic(zipMagic) {
		return Inspect, nil
	}
	text, bad := rd.beginning()
	if strings.HasPrefix(text, aiderRequest) {
		return Aider, nil
	}
	if readsDatabases && strings.HasPrefix(text, SQLiteMagic) {
		return rd.databaseKind(ctx)
	}
	first, err := rd.peek(ctx)
	if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == engine.ErrFileSyntax {
		if what := looksLike(text, nil); what != "" && bad == nil {
			return Auto, rd.unknown(value{}, what)
		}
		if t := strings.TrimLeft(text, " \t\r\n"); bad == nil && !strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "[") {
			return Auto, rd.fail(value{}, engine.ErrFileSyntax, "it is not JSON, and of an unknown kind%s", Readable)
		}
	}
	if err != nil {
		return Auto, err
	}
	for _, v := range first { // each object is read once for all kinds
		v.doc.seen = map[extent][]namedValue{}
		defer func() { v.doc.seen = nil }()
	}
	for _, k := range kinds {
		if k.is(first) {
			return k.Kind, nil
		}
	}
	kind := Auto
	if isBeside(first) {
		kind = Requests
	}
	return kind, rd.unknown(first[0], looksLike(text, first))
}

// Readable ends the messages about files of unknown kinds.
const Readable = "; what can be read is a history, a log of messages, or a record of model calls"

// unknown returns the error of a file of an unknown kind that begins with v; what says what it is
// otherwise, or is "".
func (rd *reader) unknown(v value, what string) error {
	return rd.fail(v, engine.ErrFileShape, "%s%s", cmp.Or(what, "it is of an unknown kind"), Readable)
}

// beginning returns the first bytes of the text of the file.
func (rd *reader) beginning() (string, error) {
	in, err := rd.quiet().decompressed()
	if err != nil {
		return "", err
	}
	return Beginning(in, 1<<10)
}

// Beginning returns up to most bytes of a text that show its kind: the first ones, or, if they are
// all blank, the next ones that are not. What can be read before an error is returned with it.
func Beginning(in io.Reader, most int) (string, error) {
	text := make([]byte, most)
	n, err := io.ReadFull(in, text)
	for err == nil && len(bytes.TrimLeft(text, " \t\r\n")) == 0 {
		n, err = io.ReadFull(in, text)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return strings.TrimPrefix(string(text[:n]), "\uFEFF"), err
}

// quiet returns a reader of the same file that reports no notes and keeps nothing.
func (rd *reader) quiet() *reader {
	g := &group{opts: Options{MaxBytes: rd.opts.MaxBytes}}
	return &reader{group: g, name: rd.name, file: rd.file, size: rd.size}
}

// peek returns the first documents of the file, and finds out how it must be read: by lines if its
// first line is a document; as a single document; as objects that follow each other, if it begins
// with two; or else by lines.
func (rd *reader) peek(ctx context.Context) (first []value, err error) {
	rd.peeked = true
	defer func() { rd.first = first }()
	if first, err = rd.firstLines(ctx, true); err != nil || len(first) > 0 {
		rd.byLines = err == nil
		return first, err
	}
	d, bad := rd.quiet().whole(ctx)
	if bad == nil {
		rd.single = d
		return []value{d.root()}, nil
	}
	err = rd.quiet().concatenated(ctx, func(d *document) error {
		if first = append(first, d.root()); len(first) == maxPeek {
			return errStop
		}
		return nil
	})
	if rd.several = len(first) > 1 && (err == nil || err == errStop); rd.several {
		return first, nil
	}
	if first, err = rd.firstLines(ctx, false); err != nil {
		return nil, err
	}
	if rd.byLines = len(first) > 0; rd.byLines {
		return first, nil
	}
	return nil, bad
}

// firstLines returns the documents on the first lines. If strict is set and the first line is not a
// document, it returns none.
func (rd *reader) firstLines(ctx context.Context, strict bool) (first []value, err error) {
	quiet := rd.quiet()
	err = quiet.rawLines(ctx, func(line []byte, number int) error {
		if d, bad := quiet.parse(string(line), number); bad == nil {
			first = append(first, d.root())
		}
		if len(first) == maxPeek || strict && len(first) == 0 {
			return errStop
		}
		return nil
	})
	if err != nil && err != errStop {
		return nil, err
	}
	return first, nil
}

// documents calls each with every document of the file: its lines, the objects that follow each
// other in it, or the file as a whole.
func (rd *reader) documents(ctx context.Context, each func(*document) error) error {
	if readsDatabases && rd.magic([]byte(SQLiteMagic)) {
		return rd.databaseDocuments(ctx, each)
	}
	if !rd.peeked {
		if _, err := rd.peek(ctx); err != nil {
			return err
		}
	}
	switch {
	case rd.byLines:
		return rd.lines(ctx, each)
	case rd.several:
		return rd.concatenated(ctx, each)
	}
	d, err := rd.whole(ctx)
	if err != nil {
		return err
	}
	return each(d)
}
