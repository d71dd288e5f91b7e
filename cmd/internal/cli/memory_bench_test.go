//go:build linux && !race

package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// probe reads the long file of a folder within 256 MiB. It returns the most memory that this took,
// and the code of the error, if there was one.
type probe func(b *testing.B, dir string) (most int64, code string)

// subject is what a row of a table is about.
type subject struct {
	name string
	try  probe
}

// input is the kind of file that the subjects of a table read.
type input struct {
	file     string                                         // its name
	write    func(w io.Writer, size int, turn string) error // about size bytes
	turns    []string                                       // of the columns
	subjects []subject
}

const probeFlag = "--max-memory=256MiB"

var (
	codes = regexp.MustCompile(`\b(E_[A-Z_]+)`)
	ended = regexp.MustCompile(`EOF|reset|refused|closed|broken pipe`)
)

// verbProbe runs a verb.
func verbProbe(verb string) probe {
	return func(b *testing.B, dir string) (int64, string) {
		most, code, out, errs := peak(b, dir, nil, "pactkit", append(strings.Fields(verb), probeFlag)...)
		if found := codes.FindString(errs + out); code == 2 || found == "E_MEMORY" || found == "E_FILE_LIMIT" {
			return most, cmp.Or(found, "?")
		}
		if strings.Contains(out, "not read: ") { // the row of a session
			return most, "not read"
		}
		return most, ""
	}
}

// journalProbe runs a verb on a journal of the conversation in long.json.
func journalProbe(verb string) probe {
	return func(b *testing.B, dir string) (int64, string) {
		st := filepath.Join(dir, "st")
		if err := os.RemoveAll(st); err != nil {
			b.Fatal(err)
		}
		if err := os.Mkdir(st, 0o700); err != nil {
			b.Fatal(err)
		}
		if _, code, _, errs := peak(b, dir, nil, "pactkit", "import", "long.json", "-o", "st/long.jsonl"); code != 0 {
			b.Fatal(errs)
		}
		return verbProbe(verb)(b, dir)
	}
}

// linesProbe runs a server that answers lines.
func linesProbe(requests string, args ...string) probe {
	return func(b *testing.B, dir string) (int64, string) {
		most, _, out, errs := peak(b, dir, strings.NewReader(requests), "pactkit", append(args, probeFlag)...)
		return most, codes.FindString(errs + out)
	}
}

func inspectProbe(b *testing.B, dir string) (int64, string) {
	m, p := started(b, dir, inspecting, "pactkit", "inspect", "chat.json", "long.json", "--no-open", probeFlag)
	line, err := inspected(m[1], m[2], 1)
	if err != nil {
		return 0, "ends"
	}
	if strings.HasPrefix(line, firstCall) {
		return peakSoFar(b, p), ""
	}
	return peakSoFar(b, p), cmp.Or(codes.FindString(line), line)
}

func fixtureProbe(b *testing.B, dir string) (int64, string) {
	config := filepath.Join(dir, ".pactkit.toml")
	if err := os.WriteFile(config, []byte("fixtures = \"long.json\"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	defer os.Remove(config)
	e, p := edit(b, dir, probeFlag, "a.pactsel", ".block+user\n")
	answer := e.found(dir)
	switch {
	case ended.MatchString(answer):
		return 0, "ends"
	case !strings.Contains(answer, "long.json: "):
		return peakSoFar(b, p), "not read"
	}
	return peakSoFar(b, p), ""
}

// documentProbe opens a file in an editor, which asks what editors ask by themselves, and for it
// to be formatted.
func documentProbe(file string) probe {
	return func(b *testing.B, dir string) (int64, string) {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			b.Fatal(err)
		}
		e, p := edit(b, dir, probeFlag, file, string(text))
		for _, what := range []string{"hover", "documentSymbol", "semanticTokens/full", "foldingRange", "codeLens", "formatting"} {
			if answer := e.about(what, filepath.Join(dir, file)); !json.Valid([]byte(answer)) {
				return 0, "ends"
			}
		}
		return peakSoFar(b, p), ""
	}
}

// oldTree writes a tree of edition 0.1.
func oldTree(w io.Writer, size int, turn string) error {
	node := fmt.Sprintf(`{"id":"m%%[1]d","nodeType":"mt","children":[{"id":"c%%[1]d","nodeType":"mc","children":[{"id":"b%%[1]d","nodeType":"cb","role":"user","content":%q}]}]},`, turn)
	return numbered(w, `{"spec_version":"PACT/0.1.0","root":{"id":"r","nodeType":"^root","children":[{"id":"s","nodeType":"^sys","children":[]},{"id":"q","nodeType":"^seq","children":[`,
		node, size/(len(node)+2), `{"id":"m","nodeType":"mt"}]},{"id":"a","nodeType":"^ah","children":[]}]}}`)
}

// recording writes the recording of one request and its answer.
func recording(w io.Writer, size int, turn string) error {
	if _, err := io.WriteString(w, `{"format":"pactkit-recording","version":1,"program":"pactkit","mode":"proxy","start":"2026-01-02T10:00:00Z"}
{"call":0,"time":"2026-01-02T10:00:01Z","method":"POST","url":"https://api.openai.com/v1/chat/completions","api":"openai","headers":{},"request":{"model":"m","messages":`); err != nil {
		return err
	}
	if err := conversation(w, size, turn); err != nil {
		return err
	}
	_, err := io.WriteString(w, `}}
{"answer":0,"ms":5,"status":200,"headers":{},"end":"complete","response":{"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"ho"}}]}}
`)
	return err
}

// conversation writes one in the format of OpenAI.
func conversation(w io.Writer, size int, turn string) error {
	return chat(w, size/(2*len(turn)+63), turn)
}

const sessionFile = ".claude/projects/-w/11111111-1111-4111-8111-111111111111.jsonl"

// session writes a log of Claude Code.
func session(w io.Writer, size int, turn string) error {
	line := fmt.Sprintf(`{"type":"user","uuid":"u%%d","sessionId":"11111111-1111-4111-8111-111111111111","cwd":"/w","timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":%q}}`+"\n", turn)
	return numbered(w, "", line, size/len(line), "")
}

// export writes spans as OTLP in JSON.
func export(w io.Writer, size int, turn string) error {
	span := fmt.Sprintf(`{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"chat %%d","attributes":[{"key":"gen_ai.prompt","value":{"stringValue":%q}}]},`, turn)
	return numbered(w, `{"resourceSpans":[{"scopeSpans":[{"spans":[`, span, size/len(span), strings.TrimSuffix(fmt.Sprintf(span, 0), ",")+`]}]}]}`)
}

// postLong posts the long file to a recorder, and returns what became of it.
func postLong(b *testing.B, dir, path, server string, p *os.Process) (int64, string) {
	f, err := os.Open(filepath.Join(dir, path))
	if err != nil {
		b.Fatal(err)
	}
	res, err := http.Post(server, "application/json", f) // closes the file
	if err != nil {
		return peakSoFar(b, p), "refused"
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
		return peakSoFar(b, p), strconv.Itoa(res.StatusCode)
	}
	return peakSoFar(b, p), ""
}

func exportProbe(b *testing.B, dir string) (int64, string) {
	m, p := started(b, dir, receiving, "pactkit", "record", "--otlp=127.0.0.1:0", "-o", filepath.Join(b.TempDir(), "run"), probeFlag)
	defer func() { _ = p.Kill() }()
	return postLong(b, dir, "spans.json", "http://"+m[1]+"/v1/traces", p)
}

// bodyProbe sends a request through a recorder. Whatever its size, it is passed on.
func bodyProbe(b *testing.B, dir string) (int64, string) {
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		io.WriteString(w, "{}")
	}))
	defer stub.Close()
	run := filepath.Join(b.TempDir(), "run")
	m, p := started(b, dir, proxying, "pactkit", "record", "--no-launch", "--print-env", "-o", run, "--upstream", "openai="+stub.URL, probeFlag)
	defer func() { _ = p.Kill() }()
	most, code := postLong(b, dir, "body.json", fmt.Sprintf("http://%s/%s/openai/chat/completions", m[1], m[2]), p)
	for code == "" {
		data, err := os.ReadFile(filepath.Join(run, "calls.jsonl"))
		if err != nil {
			b.Fatal(err)
		}
		if strings.Contains(string(data), `"answer":0`) {
			if most = peakSoFar(b, p); strings.Contains(string(data), `"why":`) {
				code = "not recorded"
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return most, code
}

// request writes a body of a request.
func request(w io.Writer, size int, turn string) error {
	if _, err := io.WriteString(w, `{"model":"m","messages":`); err != nil {
		return err
	}
	if err := conversation(w, size, turn); err != nil {
		return err
	}
	_, err := io.WriteString(w, "}")
	return err
}

// inputs returns the tables, whose columns are kinds of turns.
func inputs() []input {
	long := strings.Repeat("The quick brown fox jumps over the lazy dog, and so on, as people and models write. ", 9)
	turns := []string{long, "a"}
	logs := []subject{
		{"`worker`", linesProbe(workerAsks("long.json"), "worker")},
		{"`mcp`, `log`", linesProbe(mcpHello+mcpAsks(2, "long.json"), "mcp", ".")},
		{"`pact-lsp`, a fixture", fixtureProbe},
	}
	for _, verb := range append(looks[:], "explain --profile .block %s", "test long.suite.txtar") {
		logs = append(logs, subject{"`" + strings.ReplaceAll(verb, " %s", "") + "`", verbProbe(strings.ReplaceAll(verb, "%s", "long.json"))})
	}
	logs = append(logs, subject{"`inspect`", inspectProbe})
	for _, verb := range []string{"commit --script script.jsonl -f %s", "validate --salvage st/out.jsonl %s", "compact --keep 2 %s", "erase %s block:2", "fork %s new", "rewind %s@c2"} {
		logs = append(logs, subject{"`" + strings.ReplaceAll(verb, " %s", "") + "`, a journal of it", journalProbe(strings.ReplaceAll(verb, "%s", "st/long.jsonl"))})
	}
	selectors := func(w io.Writer, size int, turn string) error {
		return numbered(w, "", turn+"\n", size/(len(turn)+4), "")
	}
	files := []subject{{"`pact-lsp`, an open document", documentProbe("long.pactsel")}}
	for _, verb := range []string{"check", "lint", "fmt", "fix --diff", "extract"} {
		files = append(files, subject{"`" + verb + "`", verbProbe(verb + " long.pactsel")})
	}
	return []input{
		{"long.json", conversation, turns, logs},
		{"long.json", oldTree, turns, []subject{{"`migrate`", verbProbe("migrate long.json -o out.json")}}},
		{"long.json", conversation, turns, []subject{{"`pact-lsp`, an open log", documentProbe("long.json")}}},
		{"calls.jsonl", recording, turns, []subject{{"`log`, a recording", verbProbe("log calls.jsonl")}, {"`show`, a recording", verbProbe("show calls.jsonl")}}},
		{sessionFile, session, turns, []subject{{"`sessions`", verbProbe("sessions")}}},
		{"body.json", request, turns, []subject{{"`record`, a request", bodyProbe}}},
		{"spans.json", export, turns, []subject{{"`record --otlp`, an export", exportProbe}}},
		{"long.pactsel", selectors, []string{`.block+user [name="x%d"]`}, files},
	}
}

// BenchmarkMemory finds the longest conversation, and the longest file of selectors, that each verb
// and server reads within 256 MiB: the tables of docs/scale.md.
func BenchmarkMemory(b *testing.B) {
	dir := memoryFolder(b)
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(sessionFile)), 0o700); err != nil {
		b.Fatal(err)
	}
	for _, in := range inputs() {
		guess := []int{40 << 20, 2 << 20} // then what the row above takes
		for _, s := range in.subjects {
			b.Run(s.name, func(b *testing.B) {
				row := []string{"| " + s.name + " |"}
				for i, turn := range in.turns {
					size, cell := in.longest(b, dir, s.try, turn, guess[i])
					if size > 0 {
						guess[i] = size
					}
					row = append(row, cell)
				}
				fmt.Println(strings.Join(row, ""))
			})
		}
	}
}

// longest searches for the longest file with a kind of turns, beginning near a guess.
func (in input) longest(b *testing.B, dir string, try probe, turn string, guess int) (size int, cell string) {
	const most = 160 << 20
	good, bad, beyond := 0, most, ""
	var peaks int64
	for n, last := 0, most; bad-good > max(good, last/32)/16; n++ {
		size := (good + bad) / 2
		switch {
		case n == 0:
			size = guess
		case n == 1 && good > 0:
			size = good * 17 / 16
		case bad == most:
			size = min(2*good, most)
		}
		path := filepath.Join(dir, in.file)
		put(b, path, func(w io.Writer) error { return in.write(w, size, turn) })
		took, code := try(b, dir)
		if took > 256<<20 {
			b.Errorf("%.1f MB take %d MiB", float64(size)/1e6, took>>20)
		}
		peaks = max(peaks, took)
		if err := os.Remove(path); err != nil {
			b.Fatal(err)
		}
		if code == "" {
			good = size
		} else {
			bad, beyond = size, code
		}
	}
	if beyond == "" {
		return good, fmt.Sprintf(" more than %.0f MB | %d MiB |", float64(good)/1e6, peaks>>20)
	}
	return good, fmt.Sprintf(" %.1f MB | `%s`, %d MiB |", float64(good)/1e6, beyond, peaks>>20)
}
