package eval_test

import (
	"regexp"
	"testing"

	"github.com/pactkit/pactkit/ast"
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
	seed := uint64(1)
	for _, c := range loadCases(f) {
		for _, q := range c.questions(f) {
			seed++
			f.Add(seed, q.text)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		r := gentest.Rand(seed)
		tl := gentest.Timeline(t, r, 4+int(seed%32))
		edition := tl.Edition()
		o := randomOptions(r.Uint64(), text)
		q := parseSmall(text, edition)
		if q == nil || text == "" {
			text = gentest.Selector(r, tl, edition)
			o.Text = text
			if q = parseSmall(text, edition); q == nil {
				return
			}
		}
		want, got := newTimeline(tl).selects(q, o), realAnswer(q, tl, o)
		if !sameAnswer(got, want) {
			report(t, triple{decode(tl.AppendJSON(nil)), q, o})
		}
		checkForms(t, text, q, tl, edition, o, got)
	})
}

// parseSmall reads a selector that the naive evaluator can be asked to answer, nil for any other.
func parseSmall(text string, edition ast.Edition) *ast.Query {
	if exponent.MatchString(text) {
		return nil
	}
	limits := parser.Limits{Bytes: 2000, Tokens: 200}
	q, ds := parser.ParseSelector(text, parser.Options{Edition: edition, Limits: limits})
	if diag.HasErrors(ds) {
		return nil
	}
	return q
}
