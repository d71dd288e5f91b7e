package check

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
)

// Fixed is what correcting a file gave.
type Fixed struct {
	Text    string
	Applied int    // findings that were corrected
	Left    Result // what File finds in Text
}

// rounds bounds how often a selector is corrected and formatted: what the formatter writes out, such as the time, can make
// room for a correction that would have been an error before.
const rounds = 4

// Fix corrects the selectors of a file: it applies the safe fixes of findings that are not silenced, with unsafe
// all of them, and formats. What a comment asks to leave as it is (pactkit:fmt-skip) stays. Strings that cannot hold the corrected text keep theirs, with a finding that says so.
// An error means that the result cannot be trusted; the text is then that of the file.
func Fix(h host.Host, src string, o Options, unsafe bool) (Fixed, error) {
	before := File(h, src, o)
	f := Fixed{Text: src, Left: before}
	if before.File.Broken() {
		return f, nil
	}
	var changes []host.Change
	unwritable, overflowing := map[int]error{}, map[int]bool{} // by region: Apply keeps them all
	kept := Kept(src, &before.File)
	for i := range before.File.Regions {
		r := &before.File.Regions[i]
		if r.Kind == host.Holed || kept(i) {
			continue
		}
		lo := o.lint(r.Form)
		lo.Level = before.unsilenced(r.Span, o.Level)
		formatted, applied, over := r.Text, 0, false
		for range rounds {
			text := formatted
			if r.Form != host.Position {
				fixed := lint.Fix(text, lo, unsafe)
				text, applied = fixed.Text, applied+len(fixed.Applied)
			}
			again := Format(r.Form, text, o.Format)
			over = len(again.Overflow) > 0
			if !diag.HasErrors(again.Diagnostics) {
				if err := Verify(r.Form, text, again.Text, o.Format); err != nil {
					return f, err
				}
			}
			if again.Text == formatted {
				break
			}
			formatted = again.Text
		}
		if over && r.Kind == host.Editable {
			overflowing[i] = true
		}
		if formatted == r.Text {
			continue
		}
		c, err := before.File.Replace(i, formatted)
		if err != nil {
			unwritable[i] = err
			continue
		}
		if len(c.Edits) > 0 {
			changes = append(changes, c)
			f.Applied += applied
		}
	}
	if len(changes) > 0 {
		text, err := host.Apply(h, src, o.Markers, before.File, changes)
		if err != nil {
			return Fixed{Text: src, Left: before}, err
		}
		f.Text = text
	}
	if len(changes) > 0 || len(unwritable) > 0 || len(overflowing) > 0 {
		f.Left = file(h, f.Text, o, unwritable, overflowing)
	}
	return f, nil
}

// unsilenced is the level of rules in a region: those that a comment of the file silences there are off, so that
// nothing is corrected that somebody wants as it is.
func (r *Result) unsilenced(region ast.Span, level func(*lint.Rule) lint.Level) func(*lint.Rule) lint.Level {
	off := map[*lint.Rule]bool{}
	first, _ := slices.BinarySearchFunc(r.Silenced, region.Start, func(f Finding, at int) int { return f.Span.Start - at })
	for _, f := range r.Silenced[first:] {
		if f.Span.Start > region.End {
			break
		}
		if f.Outside && region.Contains(f.Span) {
			off[f.Rule] = true
		}
	}
	if len(off) == 0 {
		return level
	}
	return func(r *lint.Rule) lint.Level {
		switch {
		case off[r]:
			return lint.Off
		case level == nil:
			return r.Level
		}
		return level(r)
	}
}

// FormatFile formats the selectors of a file. Those that have an error, or stand in a string that cannot hold the
// formatted text, stay. An error means that the result cannot be trusted; the text is then that of the file.
func FormatFile(h host.Host, src string, o Options) (string, error) {
	file := h.Find(src, o.Markers)
	if file.Broken() {
		return src, nil
	}
	kept := Kept(src, &file)
	var changes []host.Change
	for i := range file.Regions {
		r := &file.Regions[i]
		if r.Kind != host.Editable || kept(i) {
			continue
		}
		text := Format(r.Form, r.Text, o.Format).Text
		if text == r.Text {
			continue
		}
		if err := Verify(r.Form, r.Text, text, o.Format); err != nil {
			return src, err
		}
		if c, err := file.Replace(i, text); err == nil && len(c.Edits) > 0 {
			changes = append(changes, c)
		}
	}
	return host.Apply(h, src, o.Markers, file, changes)
}
