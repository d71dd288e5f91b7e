package eval_test

import (
	"regexp"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// exponent finds a number in quotes that the naive evaluator does not read.
var exponent = regexp.MustCompile(`[eE][+-]?[0-9]{5}`)

// FuzzEval compares the evaluators on the timeline of a seed: on a selector of the fuzzer's, or,
// when that is empty or does not parse, on one that the seed makes. Each seed of a target takes
// some milliseconds of CPU time before anything is tried, as coverage goes from process to process
// as JSON. TestCasesNaive asks all questions of the cases, so a third of them is enough to begin
// with.
func FuzzEval(f *testing.F) {
	f.Add(uint64(1), "")
	seed := uint64(1)
	for _, c := range loadCases(f) {
		for _, q := range c.questions(f) {
			if seed++; seed%3 == 0 {
				f.Add(seed, q.text)
			}
		}
	}
	type history struct {
		real  *engine.Timeline
		naive naiveTimeline
	}
	histories := map[uint64]history{} // most of the time would go into making them
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		of := seed % 256
		h, ok := histories[of]
		if !ok {
			h.real = gentest.Timeline(t, gentest.Rand(of), 4+int(of%32))
			h.naive = newTimeline(h.real)
			histories[of] = h
		}
		tl, r := h.real, gentest.Rand(seed)
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
		want, got := h.naive.selects(q, o), realAnswer(q, tl, o)
		if !sameAnswer(got, want) {
			report(t, triple{decode(tl.AppendJSON(nil)), q, o})
		}
		checkForms(t, text, q, tl, edition, o, got)
	})
}

// parseSmall parses a selector that the naive evaluator can answer, nil for any other.
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
