//go:build linux && !race

package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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

// inputs returns the tables, whose columns are kinds of turns.
func inputs() []input {
	long := strings.Repeat("The quick brown fox jumps over the lazy dog, and so on, as people and models write. ", 9)
	turns := []string{long, "a"}
	conversation := func(w io.Writer, size int, turn string) error { return chat(w, size/(2*len(turn)+63), turn) }
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
		{"long.pactsel", selectors, []string{`.block+user [name="x%d"]`}, files},
	}
}

// BenchmarkMemory finds the longest conversation, and the longest file of selectors, that each verb
// and server reads within 256 MiB: the tables of docs/scale.md.
func BenchmarkMemory(b *testing.B) {
	dir := memoryFolder(b)
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
