package thread_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// TestBadLogs checks the errors for logs that cannot be read, including position and code.
func TestBadLogs(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, c := range []struct {
		name   string
		format thread.Format
		log    string
		path   string // messages
		want   string
	}{
		{"empty file", thread.OpenAI, "", "", "f:1: $: "},
		{"no JSON", thread.OpenAI, "hello", "", "f:1: $: "},
		{"two documents", thread.OpenAI, "[]\n[]", "", "f:2: $: "},
		{"cut off", thread.Gemini, "{\"contents\": [\n{\"role\": \"us", "", "f:2: $.contents[0].role: "},
		{"a number", thread.Anthropic, "4", "", "f:1: $: neither a list of messages nor an object that contains one [E_FILE_SHAPE]"},
		{"a member twice", thread.OpenAI, "[{\"role\":\"user\",\n\"role\":\"user\"}]", "", "f:2: $[0].role: duplicate member \"role\" [E_FILE_SYNTAX]"},
		{"no UTF-8", thread.OpenAI, "[{\"role\":\"us\xffer\"}]", "", "f:1: $[0].role: "},
		{"half a surrogate pair", thread.OpenAI, `[{"role":"user","content":"\ud83d"}]`, "", "f:1: $[0].content: "},
		{"too deep", thread.OpenAI, `[{"role":"user","content":` + deep + `}]`, "", "f:1: $[0].content"},
		{"a message that is none", thread.OpenAI, "[\n7]", "", "f:2: $[0]: a message must be an object [E_FILE_SHAPE]"},
		{"no role", thread.Anthropic, `[{"content":"a"}]`, "", "f:1: $[0]: a message needs a role [E_FILE_SHAPE]"},
		{"a role that is no string", thread.OpenAI, `[{"role":["user"]}]`, "", "f:1: $[0].role: role is not a string [E_HEADER_TYPE]"},
		{"messages that are no list", thread.OpenAI, `{"messages":{"0":1}}`, "", "f:1: $.messages: the messages are not a list [E_FILE_SHAPE]"},
		{"parts that are no list", thread.Gemini, `{"contents":[{"role":"user","parts":"hi"}]}`, "", "f:1: $.contents[0].parts: parts is not a list [E_FILE_SHAPE]"},
		{"an item of no kind", thread.OpenAIResponses, `[{"content":"a"}]`, "", "f:1: $[0]: an item needs a role or a type [E_FILE_SHAPE]"},
		{"records", thread.OpenAI, `[{"id":1,"traj":[{"role":"user"}]}]`, "", "f:1: $[0]: a message needs a role; there is a list in traj; if it has the messages, pass its name as the option messages [E_FILE_SHAPE]"},
		{"a member in a session", thread.ClaudeCode, `{}`, "traj", "f:1: $: a session file is a single log, which has no member traj [E_FILE_SHAPE]"},
		{"a conversation without speaker", thread.ShareGPT, `[{"conversations":[{"value":"a"}]}]`, "", "f:1: $[0].conversations[0]: a message needs a from [E_FILE_SHAPE]"},
		{"no such member", thread.OpenAI, `[{"traj":[]},{"log":[]}]`, "traj", "f:1: $[1]: there is no member traj; there is a list in log [E_FILE_SHAPE]"},
		{"a member that holds no messages", thread.OpenAI, `{"a":{"b":3}}`, "a.b", "f:1: $.a.b: neither a list of messages nor an object that contains one [E_FILE_SHAPE]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := thread.Import(t.Context(), "f", []byte(c.log), c.format, thread.ImportOptions{Messages: c.path})
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || e.Code == "" || e.Path == "" || e.Line < 1 {
				t.Fatalf("%v is no error with a code and a place", err)
			}
			if got := e.Error(); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestLogsBeforeError checks that the logs before a malformed line are returned.
func TestLogsBeforeError(t *testing.T) {
	logs, err := thread.Import(t.Context(), "f.jsonl", []byte("{\"messages\":[]}\n[{\"role\":\"user\",\"content\":\"a\"}]\n{\"mess"), thread.OpenAI, thread.ImportOptions{})
	if len(logs) != 2 || !errors.Is(err, engine.ErrFileSyntax) || !strings.HasPrefix(err.Error(), "f.jsonl:3: ") {
		t.Errorf("%d logs, %v", len(logs), err)
	}
}

// TestMessageLines checks that lines may be the messages of one log, and that the messages before a
// malformed line are returned.
func TestMessageLines(t *testing.T) {
	for _, c := range []struct {
		format    thread.Format
		log, want string
	}{
		{thread.OpenAI, "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}\n{\"ro", `[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`},
		{thread.Gemini, "{\"parts\":[{\"text\":\"a\"}]}\n{", `[{"parts":[{"text":"a"}]}]`},
		{thread.ShareGPT, "{\"from\":\"human\",\"value\":\"a\"}\n7", `[{"from":"human","value":"a"}]`},
	} {
		logs, err := thread.Import(t.Context(), "f.jsonl", []byte(c.log), c.format, thread.ImportOptions{})
		e, ok := errors.AsType[*engine.Error](err)
		if len(logs) != 1 || !ok || e.Line != strings.Count(c.log, "\n")+1 {
			t.Errorf("%s: %d logs, %v", c.format, len(logs), err)
			continue
		}
		if got := renderOf(t, logs[0].Timeline().At(0), c.format); string(got) != c.want {
			t.Errorf("%s: %s", c.format, got)
		}
	}
}

// endless is an endless log that counts the bytes that are read.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += int64(len(p))
	return len(p), nil
}

// sized is an endless log with a method Len.
type sized struct {
	endless
	size int
}

func (s *sized) Len() int { return s.size }

// importFrom returns what ImportSeq yields.
func importFrom(ctx context.Context, name string, r io.Reader, f thread.Format, o thread.ImportOptions) (logs []thread.Log, err error) {
	for l, bad := range thread.ImportSeq(ctx, name, r, f, o) {
		if err != nil {
			return logs, fmt.Errorf("something follows the error %w", err)
		}
		if err = bad; err == nil {
			logs = append(logs, l)
		}
	}
	return logs, err
}

// TestLimit checks that no more of a log is read than the limit allows, and that a file of many
// logs is read completely.
func TestLimit(t *testing.T) {
	limited := thread.ImportOptions{MaxBytes: 1 << 20}
	for _, name := range []string{"big", "big.json", "big.jsonl"} {
		for _, f := range []thread.Format{thread.OpenAI, thread.ClaudeCode} {
			e := &endless{}
			_, err := importFrom(t.Context(), name, e, f, limited)
			if !errors.Is(err, engine.ErrFileLimit) || e.read > 2<<20 {
				t.Errorf("%v after %d bytes", err, e.read)
			}
		}
	}
	large := &sized{size: 1 << 40}
	if _, err := importFrom(t.Context(), "big", large, thread.ClaudeCode, thread.ImportOptions{}); !errors.Is(err, engine.ErrFileLimit) || large.read > 0 {
		t.Errorf("%v after %d bytes of a file that says it is too large", err, large.read)
	}
	if _, err := importFrom(t.Context(), "f", io.MultiReader(strings.NewReader("["), iotestError{}), thread.OpenAI, thread.ImportOptions{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a failing reader gives %v", err)
	}
	logs, err := importFrom(t.Context(), "f", strings.NewReader("[]"), thread.OpenAI, thread.ImportOptions{MaxBytes: 2})
	if err != nil || len(logs) != 1 || logs[0].Timeline().Len() != 1 {
		t.Errorf("%d logs, %v", len(logs), err)
	}
	const message = `{"role":"user","content":"hello"}`
	for _, c := range []struct {
		name, log string
		logs      int
	}{
		{"f.jsonl", strings.Repeat("["+message+"]\n", 100), 100},
		{"f", strings.Repeat(`{"messages":[`+message+"]}\n", 100), 100},
		{"f.json", "[[" + message + "]" + strings.Repeat(",["+message+"]", 99) + "]", 100},
		{"f.jsonl", strings.Repeat(message+"\n", 100), 1}, // the messages of one log
		{"f.json", "[" + message + strings.Repeat(","+message, 99) + "]", 0},
		{"f.json", `{"list":[[` + message + "]" + strings.Repeat(",["+message+"]", 99) + "]}", 0},
	} {
		logs, err := importFrom(t.Context(), c.name, strings.NewReader(c.log), thread.OpenAI, thread.ImportOptions{MaxBytes: 100})
		if len(logs) != c.logs || (err == nil) != (c.logs == 100) || err != nil && !errors.Is(err, engine.ErrFileLimit) {
			t.Errorf("%.30s…: %d logs, %v", c.log, len(logs), err)
		}
	}
}

// TestStop checks that nothing is read after the last requested log.
func TestStop(t *testing.T) {
	const record = `{"messages":[{"role":"user","content":"a message of some length"}]}` + "\n"
	stream := &repeated{text: record, left: 1 << 30}
	for l, err := range thread.ImportSeq(t.Context(), "f.jsonl", stream, thread.OpenAI, thread.ImportOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if l.Name == "3" {
			break
		}
	}
	if read := 1<<30 - stream.left; read > 1<<20 {
		t.Errorf("%d bytes were read for three logs", read)
	}
}

type iotestError struct{}

func (iotestError) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestManyLogs checks that only the names of the logs of a file stay in memory.
func TestManyLogs(t *testing.T) {
	const count = 1000
	text := strings.Repeat("a message of some length ", 2000)
	r, w := io.Pipe()
	go func() {
		for i := range count {
			fmt.Fprintf(w, `{"id":"log-%d","messages":[{"role":"user","content":%q}]}`+"\n", i, text)
		}
		w.Close()
	}()
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, logs, grown := heap(), 0, int64(0)
	for _, err := range thread.ImportSeq(t.Context(), "f.jsonl", r, thread.OpenAI, thread.ImportOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if logs++; logs == count {
			grown = heap() - before
		}
	}
	if logs != count || grown > 5<<20 {
		t.Errorf("%d logs of %d, and %d bytes of memory more than before the first", logs, count, grown)
	}
}

// TestFormats checks the names of formats, and the errors for what a format does not support.
func TestFormats(t *testing.T) {
	for _, f := range thread.Formats() {
		if g, err := thread.ParseFormat(f.String()); err != nil || g != f {
			t.Errorf("%s is read as %v, %v", f, g, err)
		}
		if _, ofFramework := frameworks[f]; !f.Renders() || f.Imports() == (f == thread.Pact || ofFramework) {
			t.Errorf("%s renders %v, imports %v", f, f.Renders(), f.Imports())
		}
	}
	if _, err := thread.ParseFormat("openi"); err == nil || !strings.Contains(err.Error(), "openai-responses") {
		t.Errorf("an unknown format gives %v", err)
	}
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unknown := thread.Format(99)
	if _, err := thread.Render(c.Working(), unknown, thread.RenderOptions{}); err == nil || unknown.String() != "Format(99)" {
		t.Error("an unknown format renders")
	}
	if _, err := thread.Import(t.Context(), "f", []byte("[]"), thread.Pact, thread.ImportOptions{}); err == nil {
		t.Error("a provider thread of the specification is no log")
	}
	if _, err := thread.Prefix(c.Timeline(), 0, thread.OpenAI, thread.RenderOptions{}); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Errorf("nothing to compare with gives %v", err)
	}
}

// TestEmptyTree checks the renderings of a tree without blocks.
func TestEmptyTree(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[thread.Format]string{
		thread.Pact: "[]", thread.OpenAI: "[]", thread.OpenAIResponses: "[]", thread.Anthropic: `{"messages":[]}`, thread.Gemini: `{"contents":[]}`,
		thread.Flat: `{"flat_log":[]}`, thread.ShareGPT: `{"conversations":[]}`, thread.ClaudeCode: "",
	} {
		out, err := thread.Render(c.Working(), f, thread.RenderOptions{})
		if err != nil || string(out.JSON) != want || out.Units != nil || out.Notes != nil {
			t.Errorf("%s: %s, %v", f, out.JSON, err)
		}
	}
}

// TestBrokenLines checks that malformed lines of a session are kept, also those that are too deep
// or not UTF-8.
func TestBrokenLines(t *testing.T) {
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	logs, err := thread.Import(t.Context(), "s.jsonl", []byte("\xff\n"+deep+"\n{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\\ud83d\"}}\r\n\n"), thread.ClaudeCode, thread.ImportOptions{})
	if err != nil || len(logs) != 1 || len(logs[0].Notes) != 3 {
		t.Fatalf("%v, %+v", err, logs)
	}
	for i, code := range []engine.Code{engine.ErrFileSyntax, engine.ErrTreeDepth, engine.ErrFileEncoding} {
		if n := logs[0].Notes[i]; n.Kind != thread.Malformed || n.Line != i+1 || n.Code != code && i > 0 {
			t.Errorf("line %d: %s", i+1, n)
		}
	}
	out, err := thread.Render(logs[0].Timeline().At(0), thread.ClaudeCode, thread.RenderOptions{})
	want := "\uFFFD\n" + deep + "\n{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\\ud83d\"}}\n"
	if err != nil || string(out.JSON) != want {
		t.Errorf("%q, %v", out.JSON, err)
	}
}
