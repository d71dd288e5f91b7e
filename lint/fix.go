package lint

import (
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// These limit how often a source is corrected and checked again. A correction can make another one
// possible: two tests become duplicates once both have their modern spelling, and a selector
// without blanks gets one after the other. Every source gets some rounds, and a short one as many
// as it has bytes; a long one must not take quadratic time.
const (
	rounds  = 10
	maxRead = 1 << 20 // bytes, in all rounds beyond those
)

// Fixed is the result of correcting a source.
type Fixed struct {
	Text    string
	Applied []Finding // what was corrected, round by round; spans lie in the text of the round
	Left    Result    // the findings of Check in Text
}

// Fix corrects a selector file. It applies the first fix of every finding that is not silenced, if
// the fix is safe or unsafe is set. Fixes that overlap wait for the next round. A fix that would
// cause a new error in a selector, or a text that the options refuse, is not applied.
func Fix(ctx context.Context, src string, o Options, unsafe bool) Fixed {
	return fix(ctx, src, o, unsafe, false)
}

// FixSelector corrects one selector, such as a string of a program, as Fix does.
func FixSelector(ctx context.Context, src string, o Options, unsafe bool) Fixed {
	return fix(ctx, src, o, unsafe, true)
}

func fix(ctx context.Context, src string, o Options, unsafe, one bool) Fixed {
	f := fixer{opts: o, one: one, unsafe: unsafe, refused: map[fixKey]bool{}}
	f.Text, f.Left = src, check(ctx, src, o, one)
	for range max(rounds, min(len(src), maxRead/max(len(src), 1))) {
		if !f.round(ctx) {
			break
		}
	}
	return f.Fixed
}

type fixer struct {
	Fixed
	opts    Options
	one     bool // the source is one selector
	unsafe  bool
	refused map[fixKey]bool
}

// fixKey identifies a fix across rounds, in which offsets change.
type fixKey struct {
	rule          *Rule
	message, text string
}

func (f *fixer) key(d Finding) fixKey { return fixKey{d.Rule, d.Message, d.Span.Text(f.Text)} }

// round corrects every selector once. It returns false if there is nothing left to correct.
func (f *fixer) round(ctx context.Context) bool {
	var b strings.Builder
	var applied []Finding
	at := 0
	left := f.Left.Findings
	corrected := make([]bool, len(f.Left.Selectors))
	for i, s := range f.Left.Selectors {
		n := 0
		for n < len(left) && left[n].Span.Start <= s.End {
			n++
		}
		text, made := f.correct(s, left[:n])
		left = left[n:]
		if len(made) > 0 {
			b.WriteString(f.Text[at:s.Start])
			b.WriteString(text)
			at = s.End
			applied = append(applied, made...)
			corrected[i] = true
		}
	}
	if len(applied) == 0 {
		return false
	}
	b.WriteString(f.Text[at:])
	next := check(ctx, b.String(), f.opts, f.one)
	if !f.leaves(next, b.String(), corrected) {
		// The lines of a selector no longer belong together. The other selectors can be corrected
		// without its fixes.
		for _, d := range applied {
			if strings.Contains(f.Text[f.selectorAt(d.Span).Start:f.selectorAt(d.Span).End], "\n") {
				f.refused[f.key(d)] = true
			}
		}
		return true
	}
	f.Text, f.Left, f.Applied = b.String(), next, append(f.Applied, applied...)
	return true
}

func (f *fixer) selectorAt(at ast.Span) Selector {
	i, found := slices.BinarySearchFunc(f.Left.Selectors, at.Start, func(s Selector, start int) int { return s.Start - start })
	if !found {
		i--
	}
	return f.Left.Selectors[max(i, 0)]
}

// correct returns the text of a selector with as many fixes made as can be made together.
func (f *fixer) correct(s Selector, found []Finding) (string, []Finding) {
	if s.Kept {
		return "", nil
	}
	var wanted, made []Finding
	var edits []diag.Edit
	for _, d := range found {
		if len(d.Fixes) == 0 || !d.Fixes[0].Safe && !f.unsafe || f.refused[f.key(d)] {
			continue
		}
		wanted = append(wanted, d)
		if more, ok := merge(edits, d.Fixes[0].Edits, s.Span); ok {
			edits, made = more, append(made, d)
		}
	}
	if len(made) == 0 {
		return "", nil
	}
	if text, ok := f.edited(s, edits); ok {
		return text, made
	}
	// One of them causes an error, or leaves one that another fix corrects: try them one by one.
	var text string
	edits, made = nil, nil
	for _, d := range wanted {
		if more, ok := merge(edits, d.Fixes[0].Edits, s.Span); ok {
			if t, ok := f.edited(s, more); ok {
				text, edits, made = t, more, append(made, d)
			}
		}
	}
	return text, made
}

// merge adds edits to a sorted list. It returns false if one lies outside the selector or touches
// another. Two insertions at one offset touch, because their order is unknown.
func merge(edits, more []diag.Edit, within ast.Span) ([]diag.Edit, bool) {
	out := slices.Clone(edits)
	for _, e := range more {
		if !within.Contains(e.Span) || slices.ContainsFunc(edits, func(o diag.Edit) bool {
			return o.Span.Start <= e.Span.End && e.Span.Start <= o.Span.End
		}) {
			return nil, false
		}
		i := len(out)
		for i > 0 && out[i-1].Span.Start > e.Span.Start {
			i--
		}
		out = slices.Insert(out, i, e)
	}
	return out, true
}

// edited makes edits in a selector, and reports whether the result is well formed. A selector with
// an error has no known meaning, so a fix that leaves an error cannot be shown to keep the meaning.
func (f *fixer) edited(s Selector, edits []diag.Edit) (string, bool) {
	own := slices.Clone(edits)
	for i := range own {
		own[i].Span.Start -= s.Start
		own[i].Span.End -= s.Start
	}
	text, ok := diag.Apply(s.Text(f.Text), own)
	if !ok {
		return text, false
	}
	if f.opts.Holds != nil && !f.opts.Holds(f.Text[:s.Start]+text+f.Text[s.End:]) {
		return text, false
	}
	_, ds := parser.ParseSelector(text, f.opts.parser())
	return text, !diag.HasErrors(ds)
}

// leaves reports whether a corrected text has the same selectors: those that were not corrected are
// unchanged, and the others have no new error.
func (f *fixer) leaves(next Result, text string, corrected []bool) bool {
	if len(next.Selectors) != len(f.Left.Selectors) {
		return false
	}
	for i, s := range next.Selectors {
		was := f.Left.Selectors[i]
		if s.Bad && !was.Bad || !corrected[i] && (s.Bad != was.Bad || s.Text(text) != was.Text(f.Text)) {
			return false
		}
	}
	return true
}
