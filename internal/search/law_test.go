package search

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/thread"
)

// odd has records that are written in unusual ways.
var odd = []string{
	`{"messages":[{"role":"user","content":"hi"}]}`,
	`[{"role":"user","content":"hi"},{"role":"assistant","content":"\u4e2d\ud83d\ude00 \"q\" \\ \/"}]`,
	`{"x":1,"messages":[{"role":"system","content":"s"},{"role":"developer","content":[{"type":"text","text":"t"}]},{"role":"user","content":[]}],"name":"n"}`,
	`{"name":true,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{}},{"type":"text","text":"a"},"b",3,{"type":"text"},{}]}]}`,
	`{"messages":[{"role":"assistant","content":""},{"role":"user"},{"role":"user","content":null},{"role":"user","content":7},{"role":"user","content":true}]}`,
	`{"messages":[{"role":"system","content":"s"},{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"function","function":{"arguments":{"x":[1]}}}]},{"role":"tool","tool_call_id":"a","content":["Error"]},{"role":"tool","tool_call_id":"b","name":"g","content":null},{"role":"user","content":"next"},{"role":"system","content":"late"}],"id":"r"}`,
	`{"messages":[{"role":"assistant","tool_calls":[]},{"role":"assistant","tool_calls":null,"content":{}},{"content":"Err\u006fr","role":"user"},{"role":"tool","tool_call_id":"\u0061","content":"Error"}]}`,
	`{"messages":[{"role":"user","content":"1"},{"role":"user","content":"true"},{"role":"assistant","content":"x","refusal":null,"tool_calls":[{"id":"c-1","type":"function","function":{"name":"n\u0061me","arguments":"Error"},"x":1}]},{"role":"tool","tool_call_id":"c-1","name":5}]}`,
}

// oddAnthropic has records of Anthropic's Messages API that are written in unusual ways.
var oddAnthropic = []string{
	`{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[]}]}`,
	`[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"Err\u006fr"}]}]`,
	`{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{}},{"type":"image","source":{}},"b",3,{"type":"text"},{}]},{"role":"assistant","content":null},{"role":"user"},{"role":"user","content":7}],"system":"s","name":"n","model":"m"}`,
	`{"system":[{"type":"text","text":"one"},{"type":"document"}],"messages":[{"role":"user","content":"1"},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}},{"type":"tool_use","id":"b","name":"","input":"Error"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"Error","is_error":true},{"type":"tool_result","tool_use_id":"b"},{"type":"text","text":"and"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"g","input":{}}]}]}`,
	`{"system":null,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"z","content":[{"type":"text","text":"Error"}]}]},{"role":"assistant","content":"true"},{"role":"user","content":"next"}]}`,
}

// lawRecord is a record for the law.
type lawRecord struct {
	text   string
	list   string // the member that holds the messages
	format thread.Format
}

// tapeOf returns what reads the tape of the record.
func (r lawRecord) tapeOf(byTurn bool) *chatTape {
	c := &chatTape{list: r.list, byTurn: byTurn, anthropic: r.format == thread.Anthropic}
	c.set(r.text)
	return c
}

// lawRecords returns records for the law. Those of tau-bench are also converted to Anthropic's
// format.
func lawRecords(t testing.TB) (records []lawRecord) {
	for _, r := range odd {
		records = append(records, lawRecord{r, "", thread.OpenAI})
	}
	for _, r := range oddAnthropic {
		records = append(records, lawRecord{r, "", thread.Anthropic})
	}
	path := os.Getenv("PACTKIT_CORPUS_LOG") // a list of tau-bench's, such as all of it
	if path == "" {
		path = "../../testdata/logs/tau-bench/gpt-4o-airline.json"
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := canonjson.NewScanner(string(data), canonjson.DefaultDepth)
	if err := s.Array(func(int) error {
		r, err := s.Raw()
		records = append(records, lawRecord{r, "traj", thread.OpenAI})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, r := range records[len(odd)+len(oddAnthropic):] {
		l, err := importOf(t, r, true)
		if err != nil {
			t.Fatal(err)
		}
		body, err := thread.Render(l.At(0), thread.Anthropic, thread.RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, lawRecord{string(body.JSON), "", thread.Anthropic})
	}
	return records
}

// answers returns the answers of a tape.
func answers(c *chatTape, q *Query) []Match {
	var r runner
	found, cycle := r.find(q.tape, &c.tape)
	var out []Match
	for _, at := range found {
		out = append(out, c.match(at, cycle))
	}
	return out
}

// same compares the answers of a tape with those of the history.
func same(t *testing.T, c *chatTape, timeline *engine.Timeline, q *Query) string {
	want, err := q.Timeline(t.Context(), timeline)
	if err != nil {
		return err.Error()
	}
	return sameMatches(q, want, answers(c, q))
}

// sameMatches compares what a tape gives with what the history gives: they are equal, or, of a plan
// that is not exact, what the history gives is among the rest.
func sameMatches(q *Query, want, got []Match) string {
	if q.tape.exact {
		return cmp.Diff(want, got)
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			return w.ID + " is not among the candidates"
		}
	}
	return ""
}

// importOf returns the history that package thread makes of a record.
func importOf(t testing.TB, r lawRecord, byTurn bool) (*engine.Timeline, error) {
	logs, err := thread.Import(t.Context(), "record.json", []byte(r.text), r.format, thread.ImportOptions{Messages: r.list, ByCall: !byTurn})
	if err != nil {
		return nil, err
	}
	return logs[0].Timeline(), nil
}

// written has selectors as people write them; random ones rarely look like them.
var written = []string{
	".block", ".seg", ".cont", ".log", ".record", "*", "^root *", "^sys .block", "^seq .seg > .cont > .block", "^ah .block", "^sys", "^seq", "^ah, ^root", "d1 .block", "d2",
	"d1..d3 .block", "(d1,0)", "((d1,0), (d2,0))", "(d1,0,0)", "(d-1,0)", ".block+tool", ".block+tool{content~'Error'}", ".block{content~'(?i)error'}",
	".block{content~'o.*r'}", ".block{content}", ".block{content!='hi'}", ".block{content=null}", ".block{content='1'}", ".block{content=1}",
	".block{content in ['hi', true]}", ".block{kind=call}", ".block{kind=call, name=f}", ".block{kind in [call, result]}", ".block{kind!='text'}",
	".block{name}", ".block{name=null}", ".block{name=5}", ".block{name=true}", ".block{name!='f'}", "{call_id='a'}", "#a", ".block#a+assistant", "{id='block:2'}", "{id='seg:4'}", "{id!='block:2'}",
	"{id~'^block'}", ".block:first", ".block:last", ".seg:last .block:nth(2)", ".seg > .cont > .block+user:last{content~'i'}", ".block[ttl=null]", ".block[ttl]", ".block[ttl!=1]",
	".block[ttl<=1]", ".block[offset=0]", ".block[offset!=0]", ".block[priority>=0]", ".block[depth=1]", "[depth=-1]", "[depth=null]", ".block:core", ".block:pre", "[nodeType='log']",
	"[nodeType!='block']", "[nodeType in ['seg', 'cont']]", "[nodeType]", ".block+user, .seg, .block", ".block @limit=2", ".block @skip=1 @limit=1", ".seg (.cont > .block)+user",
	"@t0 .block", "@c2 *", "@c2 .seg", "@c3 d1", "@t-1 d0..d2", "@t-2 ^ah .block:last", "@c1 ^ah > *", "@t-1 (d0,0)", "@t-1 [depth=0]", "@t-1 .block", "@c1 .block", "@c9 .block", ".block{tag=null}", ".block{tag!='user'}", ".block{tag in ['user', 'tool']}", ".block{role='user'}", ".block{tag}",
	".block{arg_x}", ".block{reward>0}", ".log{name='n'}", "^root > *", "^seq > *", "^sys > .block:first", ".block ^seq", "^root ^seq > .seg",
}

// TestLaw checks that a tape gives the answers of the history that package thread makes, and counts
// the plans that a tape answers.
func TestLaw(t *testing.T) {
	records := lawRecords(t)
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	r := gentest.Rand(1)
	all, regular, random, exact, candidates := 0, 0, 0, 0, 0
	for i, record := range records {
		c := record.tapeOf(i%3 == 0)
		all++
		if c.readLog() != nil {
			continue
		}
		regular++
		timeline, err := importOf(t, record, c.byTurn)
		if err != nil {
			t.Fatalf("record %d has a tape, and the importer refuses it: %v", i, err)
		}
		texts := slices.Clone(written)
		for range rounds {
			texts = append(texts, gentest.Selector(r, timeline, ast.Edition10))
		}
		for k, text := range texts {
			q, found := Compile(text, parser.Options{Edition: ast.Edition10})
			switch {
			case q == nil && k < len(written):
				t.Fatalf("%s: %v", text, found)
			case q == nil && diag.HasErrors(found):
				continue
			}
			if k >= len(written) {
				random++
			}
			if q.tape == nil {
				if k < len(written) {
					t.Errorf("%s: needs a history", text)
				}
				continue
			}
			switch {
			case k < len(written):
			case q.tape.exact:
				exact++
			default:
				candidates++
			}
			if d := same(t, c, timeline, q); d != "" {
				t.Fatalf("record %d: %s:\n%s", i, text, d)
			}
		}
	}
	t.Logf("%d of %d records have a tape; of %d random plans it answers %d, and finds candidates for %d", regular, all, random, exact, candidates)
	if regular < all-2 {
		t.Errorf("only %d of %d records have a tape", regular, all)
	}
	// Two thirds of the random selectors have a range or a pair, a fallback, or words that no chat
	// has.
	if 100*exact < 15*random {
		t.Errorf("a tape answers %d of %d random plans", exact, random)
	}
}

// fuzzQuery is a selector that a fuzz target may choose.
type fuzzQuery struct {
	*Query
	text string
}

// fuzzQueries returns the written selectors and random ones, compiled once: a fuzzer that writes
// selectors itself spends its time on those that cannot be parsed, and those of the parser's own
// targets.
func fuzzQueries(f *testing.F) (out []fuzzQuery) {
	r := gentest.Rand(5)
	for _, text := range odd {
		timeline, err := importOf(f, lawRecord{text: text, format: thread.OpenAI}, true)
		if err != nil {
			f.Fatal(err)
		}
		texts, queries := queriesFor(f, r, timeline, 100)
		for i, q := range queries {
			if !slices.ContainsFunc(out, func(o fuzzQuery) bool { return o.text == texts[i] }) {
				out = append(out, fuzzQuery{q, texts[i]})
			}
		}
	}
	return out
}

// FuzzTape checks the law for any record.
func FuzzTape(f *testing.F) {
	for i, r := range odd {
		f.Add(r, uint16(i), i%2 == 0, false)
	}
	for i, r := range oddAnthropic {
		f.Add(r, uint16(i), i%2 == 0, true)
	}
	queries := fuzzQueries(f)
	f.Fuzz(func(t *testing.T, text string, query uint16, byTurn, anthropic bool) {
		if len(text) > 1<<11 {
			return
		}
		record := lawRecord{text: text, format: thread.OpenAI}
		if anthropic {
			record.format = thread.Anthropic
		}
		c := record.tapeOf(byTurn)
		if c.readLog() != nil || c.scanner.End() != nil {
			return
		}
		timeline, err := importOf(t, record, byTurn)
		if err != nil {
			t.Fatalf("the record has a tape, and the importer refuses it: %v", err)
		}
		q := queries[int(query)%len(queries)]
		if d := same(t, c, timeline, q.Query); d != "" {
			t.Fatalf("%s on %s:\n%s", q.text, text, d)
		}
	})
}
