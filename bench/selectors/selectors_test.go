// Package selectors compares parsing and formatting selectors with two well-known query languages:
// CSS selectors (cascadia) and jq programs (gojq). Every query has a counterpart of the same shape
// in the other languages.
package selectors

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/itchyny/gojq"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
)

// queries lists twenty realistic selectors, each with a similar CSS selector and jq program.
var queries = []struct{ pact, css, jq string }{
	{`^seq .block`, `.seq .block`, `.seq[] | select(.type == "block")`},
	{`.seg > .cont > .block`, `.seg > .cont > .block`, `.seg[].cont[].block[]`},
	{`#hero > .item`, `#hero > .item`, `.[] | select(.key == "hero") | .item[]`},
	{`(d1,0,-1)`, `section:nth-child(1) > div:first-child > p`, `.seq[-1].children[0].children[0]`},
	{`((d1,0), (d2,0))`, `section:nth-child(1) > div, section:nth-child(2) > div`, `.seq[-1].children[0], .seq[-2].children[0]`},
	{`@t-1 .summary`, `[time="-1"] .summary`, `.[-2] | .. | select(.type? == "summary")`},
	{`@t-5..@t-1 .block[role='user']`, `[time="-1"] .block[role='user']`, `.[-6:-1][] | .. | select(.role? == "user")`},
	{`^ah > .block:core:first`, `.ah > .block.core:first-child`, `[.ah.children[] | select(.offset == 0)] | first`},
	{`.block[ttl>=5]+pinned`, `.block[ttl="5"].pinned`, `.. | select(.ttl? >= 5 and .tag? == "pinned")`},
	{`d1..d3 .seg > .block`, `section .seg > .block`, `.seq[-3:][] | .seg[].block[]`},
	{`#system ?? .block:first`, `#system, .block:first-child`, `(.system // first(.block[]))`},
	{`.log.entry(status='important' ttl=5)`, `.log.entry[status='important'][ttl="5"]`, `.log.entry | select(.status == "important" and .ttl == 5)`},
	{`.block{ kind='note', tag in ["p","q"] }`, `.block[kind='note'][tag="p"]`, `.. | select(.kind? == "note" and (.tag? | IN("p", "q")))`},
	{`^sys > *, ^seq .block:last, #notes`, `.sys > *, .seq .block:last-child, #notes`, `.sys[], (.seq | last), .notes`},
	{`.block[kind='tool'] @limit=10 @order=path`, `.block[kind='tool'][limit="10"][order=path]`, `[limit(10; .. | select(.kind? == "tool"))] | sort_by(.path)`},
	{`@history ^seq .block[status!='user']:nth(2) @order=turn:asc,pre @unique`, `.history .seq .block:not([status='user']):nth-child(2)[order=asc]`, `[.history[].seq | .. | select(.status? != "user")] | .[1] | unique`},
	{`((d1,0) > .item) {pinned=true} [ttl<=3]`, `section > div > .item[pinned=true][ttl="3"]`, `.seq[-1].children[0].item[] | select(.pinned and .ttl <= 3)`},
	{`@c3..@c9 ( .seg .cont > .block[score>0.75] )`, `[cycle="3"] .seg .cont > .block[score="0.75"]`, `.[3:10][].seg[].cont[].block[] | select(.score > 0.75)`},
	{`^seq .seg > .block[ttl<=1] +user`, `.seq .seg > .block[ttl="1"].user`, `.seq[].block[] | select(.ttl <= 1 and .tag == "user")`},
	{`+audit .summary [ ttl>=2 ] @limit=50`, `.audit .summary[ttl="2"][limit="50"]`, `[limit(50; .audit | .. | select(.type? == "summary" and .ttl >= 2))]`},
}

func BenchmarkParse(b *testing.B) {
	run := func(lib string, parse func(int) error) {
		b.Run("lib="+lib, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range queries {
					if err := parse(i); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
		})
	}
	run("pactkit", func(i int) error { _, err := parse(queries[i].pact); return err })
	run("cascadia", func(i int) error { _, err := cascadia.ParseGroup(queries[i].css); return err })
	run("gojq", func(i int) error { _, err := gojq.Parse(queries[i].jq); return err })
}

// BenchmarkParseVaried parses queries of the same shapes with other names, in a random order. In a
// loop over twenty texts the processor learns to predict the branches, unlike in real programs.
func BenchmarkParseVaried(b *testing.B) {
	const each = 150
	random := rand.New(rand.NewPCG(1, 2))
	type texts struct{ pact, css, jq string }
	var varied []texts
	for _, q := range queries {
		for range each {
			other := map[string]string{}
			rename := func(s string) string {
				return names.ReplaceAllStringFunc(s, func(name string) string {
					if _, ok := other[name]; !ok {
						other[name] = words[random.IntN(len(words))]
					}
					return other[name]
				})
			}
			varied = append(varied, texts{rename(q.pact), rename(q.css), rename(q.jq)})
		}
	}
	random.Shuffle(len(varied), func(i, j int) { varied[i], varied[j] = varied[j], varied[i] })
	run := func(lib string, parse func(*texts) error) {
		b.Run("lib="+lib, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range varied {
					if err := parse(&varied[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(varied)), "ns/query")
		})
	}
	run("pactkit", func(t *texts) error { _, err := parse(t.pact); return err })
	run("cascadia", func(t *texts) error { _, err := cascadia.ParseGroup(t.css); return err })
	run("gojq", func(t *texts) error { _, err := gojq.Parse(t.jq); return err })
}

// names matches the words of the queries that may be replaced.
var names = regexp.MustCompile(`\b(block|seg|cont|item|summary|hero|notes|system|pinned|audit|entry|log|note|important|kind|status|score|user|tool)\b`)

var words = []string{
	"a", "id", "doc", "page", "draft", "memory", "report", "invoice", "customer", "paragraph", "transcript", "conversation",
	"to_do", "step_2", "web_search", "openai", "x1", "retrieved_document", "plan", "budget", "section", "answer", "file_path",
}

func BenchmarkFormat(b *testing.B) {
	asts := make([]*ast.Query, len(queries))
	css := make([]cascadia.SelectorGroup, len(queries))
	jq := make([]*gojq.Query, len(queries))
	for i, q := range queries {
		var err error
		if asts[i], err = parse(q.pact); err != nil {
			b.Fatal(err)
		}
		if css[i], err = cascadia.ParseGroup(q.css); err != nil {
			b.Fatal(err)
		}
		if jq[i], err = gojq.Parse(q.jq); err != nil {
			b.Fatal(err)
		}
	}
	run := func(lib string, print func(int) string) {
		b.Run("lib="+lib, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for i := range queries {
					n += len(print(i))
				}
			}
			if n == 0 {
				b.Fatal("nothing was printed")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
		})
	}
	run("pactkit", func(i int) string { return format.Node(asts[i], format.Options{}) })
	run("cascadia", func(i int) string { return css[i].String() })
	run("gojq", func(i int) string { return jq[i].String() })
}

func parse(s string) (*ast.Query, error) {
	q, ds := parser.ParseSelector(s, parser.Options{})
	for _, d := range ds {
		if d.Severity == 0 {
			return nil, &parseError{s, d.Message}
		}
	}
	return q, nil
}

type parseError struct{ selector, message string }

func (e *parseError) Error() string { return e.selector + ": " + e.message }
