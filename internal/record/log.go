package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/redact"
	"github.com/pactkit/pactkit/thread/source"
)

const (
	// mostQueued limits the lines that wait to be written.
	mostQueued = 4096
	// mostBody limits the size of a recorded body, and mostHeld that of all bodies in memory; both
	// are smaller if there is little memory.
	mostBody = 128 << 20
	mostHeld = 512 << 20
	// The writer writes a line after a pause of quiet in the traffic. It waits at most mostWait for
	// one, and less, the more lines wait.
	quiet    = 2 * time.Millisecond
	mostWait = 50 * time.Millisecond
)

// bodyLimit returns how many bytes a recorded body may have. Until it is written, there are several
// copies of its parts.
func bodyLimit() int64 { return budget.Buffer(2*mostBody) / 2 }

// Log writes a recording. Its methods are safe for concurrent use and never fail: calls that cannot
// be written are counted. Only Close waits for the disk.
type Log struct {
	folder  string
	queue   chan func(*writer)
	done    chan struct{}
	held    atomic.Int64 // bytes of bodies in memory
	lost    atomic.Int64 // number of calls that are missing, wholly or in part
	traffic atomic.Int64 // time at which the last piece of a body passed, in nanoseconds
	writing *writer

	mu     sync.Mutex // guards the fields below
	notes  []string
	closed bool
}

// writer is the state of the goroutine that writes the files.
type writer struct {
	log           *Log
	file, streams atomicfile.Growing
	scrubber      scrubber
	redactor      *redact.Redactor // if it is nil, texts are not redacted
	sharer        sharer
	calls         int
	encoder       *zstd.Encoder
}

// Create creates the folder of a recording and its log. If the folder has a log, the error is
// [fs.ErrExist]. Credentials in the command of the header are replaced. With a redactor in the
// header, no streams are written, because a secret may be spread over several pieces of a stream.
// The caller closes the log.
func Create(folder string, h Header) (*Log, error) {
	if err := atomicfile.MakePrivateFolder(folder); err != nil {
		return nil, err
	}
	l := &Log{folder: folder, queue: make(chan func(*writer), mostQueued), done: make(chan struct{})}
	w := &writer{log: l, redactor: h.Redactor}
	var err error
	if w.file.File, err = atomicfile.CreatePrivate(filepath.Join(folder, LogName)); err != nil {
		return nil, err
	}
	if _, err = w.file.TryLock(); err == nil {
		w.streams.File, err = atomicfile.CreatePrivate(filepath.Join(folder, StreamsName))
	}
	if err == nil {
		w.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	}
	if err == nil {
		w.sharer.parts = map[string][]*part{}
		h.Format, h.Version, h.Command, h.Redacted = Format, Version, w.scrubber.command(h.Command), h.Redactor != nil
		err = w.file.Append(w.line(h, "", ""))
	}
	if err != nil {
		if w.streams.File != nil {
			err = errors.Join(err, w.streams.Close())
		}
		return nil, errors.Join(err, w.file.Close())
	}
	l.writing = w
	go l.run()
	return l, nil
}

// Folder returns the folder of the recording.
func (l *Log) Folder() string { return l.folder }

// run writes what is queued.
func (l *Log) run() {
	defer close(l.done)
	for do := range l.queue {
		l.awaitQuiet(mostWait / time.Duration(1+len(l.queue)))
		if !l.guard(func() { do(l.writing) }) {
			l.lost.Add(1)
		}
		runtime.Gosched()
	}
}

// passing notes that a piece of a body passes now.
func (l *Log) passing() { l.traffic.Store(time.Now().UnixNano()) }

// awaitQuiet waits for a short pause in the traffic, because the writer would take the processor
// from it. It does not wait after the log is closed.
func (l *Log) awaitQuiet(most time.Duration) {
	for start := time.Now(); time.Since(start) < most; time.Sleep(quiet / 2) {
		l.mu.Lock()
		closed := l.closed
		l.mu.Unlock()
		if closed || time.Now().UnixNano()-l.traffic.Load() > int64(quiet) {
			return
		}
	}
}

// guard calls f. If f panics, it notes that and returns false: a bug in the recorder must not stop
// the traffic.
func (l *Log) guard(f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			l.note(fmt.Sprintf("an internal error: %v", p))
		}
	}()
	f()
	return true
}

// note adds a message for the user to the last line, unless the line has it or has enough.
func (l *Log) note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.notes) < 20 && !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

// add queues work for the writer. It returns false if the queue is full or the log is closed.
func (l *Log) add(do func(*writer)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	select {
	case l.queue <- do:
		return true
	default:
		return false
	}
}

// Close writes the queued lines and the last line, closes the files, and returns the last line.
// exit is the exit code of the command, or nil without a command. Close must be called once, after
// the proxy is closed.
func (l *Log) Close(exit *int) End {
	l.mu.Lock()
	l.closed = true
	close(l.queue)
	l.mu.Unlock()
	<-l.done
	w := l.writing
	e := End{End: time.Now().UTC().Round(time.Millisecond), Exit: exit, Calls: w.calls, Lost: int(l.lost.Load())}
	l.guard(func() {
		if named, err := atomicfile.Stat(filepath.Join(l.folder, LogName)); err != nil {
			l.note("the recording was moved or removed while it was written")
			e.Lost, e.Calls = max(e.Lost, e.Calls), 0
		} else if mine, err := w.file.Stat(); err != nil || !os.SameFile(named, mine) || mine.Size() != w.file.Size {
			l.note("the recording was replaced or changed while it was written")
		}
	})
	e.Notes = l.notes
	if w.redactor != nil {
		report := w.redactor.Report()
		e.Redacted = &report
	}
	l.guard(func() { w.failed(w.file.Append(append(canonjson.EncodeLine(e), '\n'))) })
	e.Notes = l.notes
	w.encoder.Close()
	_ = errors.Join(w.file.Close(), w.streams.Close()) // errors of writing are noted
	return e
}

// failed notes an error of the disk. It reports whether there was one.
func (w *writer) failed(err error) bool {
	if err != nil {
		w.log.note("cannot be written: " + atomicfile.Reason(err))
	}
	return err != nil
}

// sentLine is the line of a call without the member "request".
type sentLine struct {
	Call        int               `json:"call"`
	Time        time.Time         `json:"time"`
	Method      string            `json:"method"`
	URL         string            `json:"url"`
	API         string            `json:"api,omitempty"`
	Headers     map[string]string `json:"headers"`
	Credentials int               `json:"credentials,omitempty"`
	Body        *Body             `json:"body,omitempty"`
	Kept        map[string][]int  `json:"kept,omitempty"`
	Drop        map[string][]int  `json:"drop,omitempty"`
}

// answerLine is the line of an answer without the member "response".
type answerLine struct {
	Answer      int               `json:"answer"`
	Ms          float64           `json:"ms"`
	FirstMs     float64           `json:"first_ms,omitempty"`
	Status      int               `json:"status,omitempty"`
	Headers     map[string]string `json:"headers"`
	Credentials int               `json:"credentials,omitempty"`
	End         string            `json:"end"`
	Error       string            `json:"error,omitempty"`
	Body        *Body             `json:"body,omitempty"`
	Stream      []int64           `json:"stream,omitempty"`
}

// lineShape is the shape of the lines of a log without the bodies.
var lineShape = redact.Shape{Below: map[string]bool{"headers": true, "body": true, "kept": true, "drop": true, "stream": true}}

// line returns the line of v. Unless value is empty, the line has one more member, whose value is
// the given JSON.
func (w *writer) line(v any, name, value string) []byte {
	line := canonjson.EncodeLine(v)
	if w.redactor != nil {
		line = []byte(w.redactor.JSON(string(line), lineShape))
	}
	if value != "" {
		line = append(line[:len(line)-1], `,"`+name+`":`...)
		line = append(append(line, value...), '}')
	}
	return append(line, '\n')
}

// clean returns a JSON body without credentials and, if texts are redacted, without secrets. If the
// body cannot be searched for secrets, it returns the reason.
func (w *writer) clean(body string) (out, why string) {
	out = w.scrubber.body(body)
	if w.redactor == nil {
		return out, ""
	}
	out, ok := w.redactor.Value(out, redact.Shape{})
	if !ok {
		w.log.note("bodies were left out, because they cannot be searched for secrets")
		return "", "cannot be searched for secrets"
	}
	return out, ""
}

// sent writes the line of a call.
func (w *writer) sent(x *exchange) {
	number := w.calls
	w.scrubber.learn(x.request.header)
	line := sentLine{Call: number, Time: x.start.UTC(), Method: x.method, API: apiOf(x.url.Path), Headers: w.scrubber.headers(x.request.header)}
	line.URL = w.scrubber.address(x.url)
	body, why := x.request.text()
	body = strings.Trim(body, " \t\r\n")
	switch {
	case why == "" && isPrivate(x.url.Path):
		why = "a login"
	case why == "" && body != "" && (body[0] != '{' || !isJSON(body)):
		why = "not a JSON object"
	}
	if why == "" && body != "" {
		body, why = w.clean(oneLine(body))
	}
	if why != "" {
		line.Body, body = x.request.describe(why), ""
	}
	var made shared
	if body != "" {
		made = w.sharer.share(number, body)
		line.Kept, line.Drop = made.kept, made.drop
	}
	line.Credentials = w.scrubber.counted()
	if w.failed(w.file.Append(w.line(line, "request", made.body))) {
		w.log.lost.Add(1)
		return
	}
	w.sharer.add(made)
	x.number = number
	w.calls++
}

// answered writes the line of an answer.
func (w *writer) answered(x *exchange) {
	if x.number < 0 {
		return
	}
	a := &x.answer
	w.scrubber.learn(a.header)
	line := answerLine{Answer: x.number, Ms: milliseconds(x.end.Sub(x.start)), Status: x.status, Headers: w.scrubber.headers(a.header), End: x.how, Error: w.scrubber.text(x.err)}
	if !x.first.IsZero() {
		line.FirstMs = milliseconds(x.first.Sub(x.start))
	}
	body, why := a.text()
	response := ""
	switch stream := strings.TrimSpace(body); {
	case why != "" || stream == "":
	case isPrivate(x.url.Path):
		why = "a login"
	case isJSON(stream):
		response, why = w.clean(oneLine(stream))
	default:
		response, why = w.stream(x, &line, body)
	}
	if why != "" {
		line.Body = a.describe(why)
	}
	line.Credentials = w.scrubber.counted()
	if w.failed(w.file.Append(w.line(line, "response", response))) {
		w.log.lost.Add(1)
	}
}

// stream writes the stream of an answer. It returns the answer in one piece, or the reason why the
// stream cannot be assembled.
func (w *writer) stream(x *exchange, line *answerLine, body string) (response, why string) {
	text, ok := source.Assemble(body)
	if !ok {
		if line.End == EndComplete {
			line.End = EndNotParsed
		}
		return "", "not an answer of a model"
	}
	if line.End == EndComplete && !isFinished(apiOf(x.url.Path), body) {
		line.End = EndServer
	}
	if w.redactor == nil {
		frame := w.encoder.EncodeAll([]byte(w.scrubber.stream(body)), nil)
		at := w.streams.Size
		if !w.failed(w.streams.Append(frame)) {
			line.Stream = []int64{at, int64(len(frame))}
		}
	}
	return w.clean(text)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// lastEvents are the names of the last event of a stream. The other APIs do not name it.
var lastEvents = map[string][]string{
	"anthropic":        {"message_stop", "event: error"},
	"openai-responses": {"response.completed", "response.incomplete", "response.failed", "event: error"},
}

// isFinished reports whether a stream has its last event.
func isFinished(api, body string) bool {
	last, isNamed := lastEvents[api]
	return !isNamed || slices.ContainsFunc(last, func(event string) bool { return strings.Contains(body, event) })
}

// isJSON reports the same as json.Valid, which is slow in long strings. It passes only the first
// bytes of the plain parts of strings to it.
func isJSON(text string) bool {
	kept := make([]byte, 0, 4096)
	for i := 0; i < len(text); {
		c := text[i]
		kept = append(kept, c)
		i++
		for inside := c == '"'; inside && i < len(text); {
			from := i
			for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
				i++
			}
			kept = append(kept, text[from:min(i, from+4)]...) // keeps the digits after \u
			if i == len(text) {
				break
			}
			inside = text[i] != '"'
			end := i + 1
			if text[i] == '\\' {
				end = min(i+2, len(text))
			}
			kept = append(kept, text[i:end]...)
			i = end
		}
	}
	return json.Valid(kept)
}

// oneLine removes the white space between the values of a JSON text that has line breaks.
func oneLine(text string) string {
	if strings.IndexByte(text, '\n') < 0 && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case ' ', '\t', '\r', '\n':
			b.WriteString(text[from:i])
			i = space(text, i)
			from = i
		default:
			i++
		}
	}
	b.WriteString(text[from:])
	return b.String()
}

// apis are the APIs of models by the ends of their paths.
var apis = []struct{ end, api string }{
	{"/messages", "anthropic"}, {"/messages/count_tokens", "anthropic"}, {"/chat/completions", "openai"}, {"/responses", "openai-responses"},
	{"/responses/compact", "openai-responses"}, {":generateContent", "gemini"}, {":streamGenerateContent", "gemini"}, {":countTokens", "gemini"},
	{"/api/chat", "ollama"},
}

// apiOf returns the API that a path belongs to, or "" for other paths.
func apiOf(path string) string {
	path = strings.TrimSuffix(path, "/")
	for _, a := range apis {
		if strings.HasSuffix(path, a.end) {
			return a.api
		}
	}
	return ""
}

// isPrivate reports whether a path is used to log in. Its bodies are not recorded.
func isPrivate(path string) bool {
	path = strings.ToLower(path)
	return strings.Contains(path, "oauth") || strings.Contains(path, "/login") || strings.HasSuffix(path, "/token")
}

// Failure returns the message for an error of [Create].
func Failure(err error) string {
	if errors.Is(err, fs.ErrExist) {
		return "it already has a recording"
	}
	return atomicfile.Reason(err)
}
