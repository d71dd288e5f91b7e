package search

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// oddSessions has session files that are written in unusual ways.
var oddSessions = []string{
	`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","model":"x","role":"assistant","type":"message","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"Error \u4e2d","name":"n"}]}}`,
	`{"type":"file-history-snapshot","snapshot":{}}
{"type":"assistant","uuid":"a1","parentUuid":null,"message":{"id":"m1","role":"assistant","content":"first"}}

{"type":"user","uuid":"u1","parentUuid":"a1","message":{"role":"user","content":[]}}
{"type":"user","uuid":"u2","parentUuid":"u1","isMeta":true,"message":{"content":[{"type":"text","text":"a"},{"type":"image","source":{}},"b",3,{}]}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{"x":"Error"}}]}}
{"type":"user","uuid":"r1","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Error","is_error":true},{"type":"text","text":"more"}]}}`,
	`{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"1"}}
{"type":"assistant","uuid":"a1","sessionId":"s","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"c1","name":5,"input":{}}]}}
{"type":"assistant","uuid":"a2","sessionId":"s","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"c2","name":"g"}]}}
{"type":"user","uuid":"r2","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"c2"}]}}
{"type":"user","uuid":"r1","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"o"}]}]}}
{"type":"assistant","uuid":"a3","sessionId":"s","message":{"id":"m3","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}
{"type":"assistant","uuid":"a4","sessionId":"s","message":{"id":"m4","model":"y","content":[{"type":"text","text":"done"}]}}`,
	`{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":true,"agentId":"q","message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":true,"agentId":"q","message":{"role":"assistant","content":[]}}`,
	`{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":"yes"}}
{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1"}
{"type":"user","uuid":"s1","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"we said hi"}}
{"type":"attachment","uuid":"x1","parentUuid":"s1"}
{"type":"user","uuid":"u2","parentUuid":"x1","message":{"role":"user","content":"go on"}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":"Error"}}
{"type":"user","uuid":"u3","parentUuid":"a2","message":{"role":"user","content":" <command-name>/clear</command-name>"}}
{"type":"user","uuid":"u4","parentUuid":"u3","message":{"role":"user","content":"anew"}}
{"type":"assistant","uuid":"a5","parentUuid":"u4","message":{"id":"m5","role":"assistant","content":"ok"}}
{"type":"user","uuid":"u6","parentUuid":"a5","message":{"role":"user","content":"never sent"}}`,
}

// randomSession makes a session of at least so many records, with calls at the same time whose
// results branch, answers in several records, boundaries and, if wild, rewinds, orphans, repeated
// records and records of agents; if rich, it has interrupts and what the client adds.
func randomSession(r *rand.Rand, wild, rich bool, records int) string {
	var b strings.Builder
	n, parent := 0, ""
	line := func(kind, up, more, message string) string {
		n++
		id := fmt.Sprintf("%s-%d", kind[:1], n)
		quoted := "null"
		if up != "" {
			quoted = fmt.Sprintf("%q", up)
		}
		if message != "" {
			more += `,"message":` + message
		}
		fmt.Fprintf(&b, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s"%s}`+"\n", kind, id, quoted, more)
		return id
	}
	said := func(role, content string) string { return fmt.Sprintf(`{"role":%q,"content":%s}`, role, content) }
	parent = line("user", "", "", said("user", `"begin"`))
	var before []string
	for n < records {
		before = append(before, parent)
		kinds := 14
		if rich {
			kinds = 18
		}
		switch k := r.IntN(kinds); {
		case k == 0:
			parent = line("user", parent, "", said("user", fmt.Sprintf(`"prompt %d Error"`, n)))
		case k == 1:
			parent = line("progress", parent, "", "")
		case k == 2 && r.IntN(3) == 0:
			parent = line("system", "", fmt.Sprintf(`,"subtype":"compact_boundary","logicalParentUuid":%q`, parent), "")
			if r.IntN(3) > 0 {
				parent = line("user", parent, `,"isCompactSummary":true`, said("user", `"a summary"`))
			}
			if r.IntN(2) == 0 {
				parent = line("user", parent, "", said("user", `"goes on"`))
			}
		case k == 3 && r.IntN(3) == 0:
			parent = line("user", parent, "", said("user", `[{"type":"text","text":"<command-name>/clear</command-name>"}]`))
		case k == 4 && wild && r.IntN(3) == 0:
			parent = before[r.IntN(len(before))]
		case k == 5 && wild && r.IntN(8) == 0:
			parent = line("user", "gone", "", said("user", `"orphan"`))
		case k == 6 && wild && r.IntN(8) == 0:
			line("user", parent, `,"isSidechain":true`, said("user", `"agent"`))
		case k == 7:
			parent = line("assistant", parent, "", fmt.Sprintf(`{"id":"err%d","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}`, n))
		case k >= 14:
			switch r.IntN(5) {
			case 0:
				parent = line("user", parent, "", said("user", `[{"type":"text","text":"[Request interrupted by user]"}]`))
			case 1:
				parent = line("user", parent, `,"isMeta":true`, said("user", fmt.Sprintf(`"Caveat: %d"`, n)))
			case 2:
				parent = line("system", parent, `,"subtype":"local_command","content":"<local-command-stdout>Error</local-command-stdout>"`, "")
			case 3:
				parent = line("assistant", parent, `,"isApiErrorMessage":true`, fmt.Sprintf(`{"id":"api%d","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}`, n))
			default:
				parent = line("attachment", parent, `,"attachment":{"type":"hook_success","content":"ok"}`, "")
			}
		case k < 11:
			api := fmt.Sprintf("m%d", n)
			for range 1 + r.IntN(2) {
				parent = line("assistant", parent, "", fmt.Sprintf(`{"id":%q,"role":"assistant","model":"x","content":[{"type":"text","text":"answer %d"}]}`, api, n))
			}
		default:
			api := fmt.Sprintf("m%d", n)
			type made struct{ record, call string }
			var calls []made
			isEarly := r.IntN(3) == 0 // results stand among the calls
			for range 1 + r.IntN(4) {
				id := fmt.Sprintf("c%d", n)
				parent = line("assistant", parent, "", fmt.Sprintf(`{"id":%q,"role":"assistant","model":"x","content":[{"type":"tool_use","id":%q,"name":"f","input":{"n":%d}}]}`, api, id, n))
				if isEarly && r.IntN(2) == 0 {
					parent = line("user", parent, "", said("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":"Error %d"}]`, id, n)))
					continue
				}
				calls = append(calls, made{parent, id})
			}
			if r.IntN(2) == 0 {
				r.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
			}
			branches := r.IntN(3) > 0
			for _, c := range calls {
				up := parent
				if branches {
					up = c.record
				}
				if r.IntN(8) > 0 {
					more := ""
					if rich && r.IntN(30) == 0 {
						more = `,{"type":"text","text":"[Request interrupted by user for tool use]"}`
					}
					parent = line("user", up, "", said("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":"Error %d"}%s]`, c.call, n, more)))
				}
				if r.IntN(8) == 0 {
					parent = line("progress", parent, "", "")
				}
			}
			if rich && r.IntN(9) == 0 {
				parent = line("user", parent, "", said("user", `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`))
			}
		}
	}
	text := b.String()
	if r.IntN(4) == 0 { // no record names its parent
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			if at := strings.Index(l, `"parentUuid":`); at >= 0 {
				end := at + strings.IndexByte(l[at:], ',')
				lines[i] = l[:at] + `"parentUuid":null` + l[end:]
			}
		}
		text = strings.Join(lines, "\n")
	}
	return text
}

// sessionHistory returns the only history of a session file; nil if it has none or several.
func sessionHistory(t *testing.T, text string) *engine.Timeline {
	var out []*engine.Timeline
	data := []byte(text)
	for s, err := range sessions.Read(t.Context(), "s.jsonl", bytes.NewReader(data), int64(len(data)), sessions.Options{From: "claude-code"}) {
		if err != nil {
			return nil
		}
		out = append(out, s.Timeline)
	}
	if len(out) != 1 {
		return nil
	}
	return out[0]
}

// sameSession compares the answers of the tape of a session with those of its history.
func sameSession(t *testing.T, s *sessionTape, timeline *engine.Timeline, q *Query) string {
	if q.tape.lacks(&s.tape) {
		return ""
	}
	want, err := q.Timeline(t.Context(), timeline)
	if err != nil {
		return err.Error()
	}
	var r runner
	found, cycle := r.find(q.tape, &s.tape)
	var got []Match
	for _, at := range found {
		got = append(got, s.match(at, cycle))
	}
	return sameMatches(q, want, got)
}

// queriesFor returns the written selectors and random ones.
func queriesFor(t testing.TB, r *rand.Rand, timeline *engine.Timeline, random int) (texts []string, queries []*Query) {
	texts = slices.Clone(written)
	for range random {
		texts = append(texts, gentest.Selector(r, timeline, ast.Edition10))
	}
	kept := texts[:0]
	for _, text := range texts {
		if q, _ := Compile(text, parser.Options{Edition: ast.Edition10}); q != nil && q.tape != nil {
			kept, queries = append(kept, text), append(queries, q)
		}
	}
	return kept, queries
}

// checkSession checks that the tape of a session, if it has one, gives the same answers as the
// history.
func checkSession(t *testing.T, r *rand.Rand, text string, random int) (isFast bool) {
	s := &sessionTape{}
	if s.readFile("s.jsonl", text) != nil {
		return false
	}
	timeline := sessionHistory(t, text)
	if timeline == nil {
		t.Fatalf("the session has a tape and no history:\n%s", text)
	}
	texts, queries := queriesFor(t, r, timeline, random)
	for i, q := range queries {
		if d := sameSession(t, s, timeline, q); d != "" {
			t.Fatalf("%s on\n%s:\n%s", texts[i], text, d)
		}
	}
	return true
}

// TestSessionLaw checks that the tape of a session file gives the same answers as the history, and
// how many files have a tape.
func TestSessionLaw(t *testing.T) {
	rounds := 80
	if testing.Short() {
		rounds = 12
	}
	for i, text := range oddSessions {
		if !checkSession(t, gentest.Rand(2), text, 20) && i != 0 {
			t.Errorf("session %d has no tape", i)
		}
	}
	r := gentest.Rand(1)
	for i := range 4 {
		wild, rich := i%2 == 1, i > 1
		fast := 0
		for range rounds {
			if checkSession(t, r, randomSession(r, wild, rich, 40), 10) {
				fast++
			}
		}
		t.Logf("wild %v, rich %v: %d of %d sessions have a tape", wild, rich, fast, rounds)
		if !wild && 10*fast < 5*rounds {
			t.Errorf("only %d of %d sessions have a tape", fast, rounds)
		}
	}
}

// TestSessionFiles checks the law for the session files of the repository, and of the folders of
// PACTKIT_LOGS.
func TestSessionFiles(t *testing.T) {
	all, fast := 0, 0
	for _, dir := range append([]string{"../../testdata/logs"}, filepath.SplitList(os.Getenv("PACTKIT_LOGS"))...) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" || !strings.Contains(path, "claude") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all++
			if checkSession(t, gentest.Rand(3), string(data), 100) {
				fast++
			} else {
				t.Logf("%s has no tape", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d session files have a tape", fast, all)
	if all < 4 || 4*fast < 3*all {
		t.Errorf("only %d of %d session files have a tape", fast, all)
	}
}

// FuzzSession checks the law for any session file.
func FuzzSession(f *testing.F) {
	for i, text := range oddSessions {
		f.Add(text, uint16(i))
	}
	r := gentest.Rand(4)
	for i := range 20 {
		f.Add(randomSession(r, i%2 == 0, i%3 == 0, 8), uint16(i))
	}
	queries := fuzzQueries(f)
	f.Fuzz(func(t *testing.T, text string, query uint16) {
		if len(text) > 1<<13 {
			return
		}
		s := &sessionTape{}
		if s.readFile("s.jsonl", text) != nil {
			return
		}
		timeline := sessionHistory(t, text)
		if timeline == nil {
			t.Fatal("the session has a tape and no history")
		}
		q := queries[int(query)%len(queries)]
		if d := sameSession(t, s, timeline, q.Query); d != "" {
			t.Fatalf("%s on %s:\n%s", q.text, text, d)
		}
	})
}
