package eval_test

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/gentest"
	"github.com/pactkit/pactkit/parser"
)

// exponent finds a number in quotes that the naive evaluator does not read.
var exponent = regexp.MustCompile(`[eE][+-]?[0-9]{5}`)

// FuzzEval compares the evaluators on the timeline of a seed: on a selector of the fuzzer's, or, when that is empty or
// does not parse, on one that the seed makes.
func FuzzEval(f *testing.F) {
	f.Add(uint64(1), "")
	f.Add(uint64(2), "^seq .seg > .cont > .block:first{status='open'}")
	f.Add(uint64(3), "@* (d1,0,0), #k1 ?? .summary @order=path")
	f.Add(uint64(4), "@history .block[ttl<=1] @mode=latest @skip=1")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		r := gentest.Rand(seed)
		tl := gentest.Timeline(r, 4+int(seed%32))
		edition := gentest.Edition(tl)
		o := randomOptions(r.Uint64(), text)
		limits := parser.Limits{Bytes: 2000, Tokens: 200}
		q, ds := parser.ParseSelector(text, parser.Options{Edition: edition, Limits: limits})
		if text == "" || diag.HasErrors(ds) || exponent.MatchString(text) {
			text = gentest.Selector(r, tl, edition)
			o.Text = text
			if q, ds = parser.ParseSelector(text, parser.Options{Edition: edition}); diag.HasErrors(ds) {
				return
			}
		}
		want, got := newTimeline(tl).selects(q, o), realAnswer(q, tl, o)
		if !reflect.DeepEqual(got, want) {
			report(t, triple{decode(tl.AppendJSON(nil)), q, o})
		}
		checkForms(t, text, q, tl, edition, o, got)
	})
}
