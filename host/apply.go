package host

import (
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/ast/diag"
)

// Change is a prepared change of one region of a file.
type Change struct {
	Region int         // its index in [File.Regions]
	Text   string      // its new text
	Edits  []diag.Edit // of the file; empty if nothing changes
}

// Replace prepares a change that replaces the text of a region, as [Region.Replace] does.
func (f *File) Replace(region int, text string) (Change, error) {
	edits, text, err := f.Regions[region].replace(text)
	return Change{Region: region, Text: text, Edits: edits}, err
}

// Edit prepares a change that edits the text of a region, as [Region.Edits] does.
func (f *File) Edit(region int, edits []diag.Edit) (Change, error) {
	out, text, err := f.Regions[region].edits(edits)
	return Change{Region: region, Text: text, Edits: out}, err
}

// Apply makes changes in a source and reads the result again. The result must have the same tokens,
// except for the changed strings, and the same regions, with the requested text in each. Otherwise
// Apply returns the source and an error, which means that the host has a bug. The file is what the
// host found in the source with these markers. The changes are in the order of its regions, at most
// one for each.
func Apply(h Host, src string, m *Markers, f File, changes []Change) (string, error) {
	var edits []diag.Edit
	want := make([]string, len(f.Regions))
	for i := range f.Regions {
		want[i] = f.Regions[i].Text
	}
	for _, c := range changes {
		if len(c.Edits) > 0 {
			edits = append(edits, c.Edits...)
			want[c.Region] = c.Text
		}
	}
	out, ok := diag.Apply(src, edits)
	if !ok {
		return src, errors.New("the edits of the file overlap")
	}
	if out == src {
		return src, nil
	}
	again := h.Find(out, m)
	if len(again.Diagnostics) != len(f.Diagnostics) {
		return src, errors.New("the file could not be read as before")
	}
	if len(again.Regions) != len(f.Regions) {
		return src, fmt.Errorf("the file had %d regions and would have %d", len(f.Regions), len(again.Regions))
	}
	for i, r := range again.Regions {
		if r.Text != want[i] {
			return src, fmt.Errorf("%q became %q", want[i], r.Text)
		}
	}
	if o, ok := h.(outliner); ok {
		if err := sameTokens(o, src, out, edits); err != nil {
			return src, err
		}
	}
	return out, nil
}

// sameTokens compares the tokens of two sources, except those that edits touch.
func sameTokens(h outliner, before, after string, edits []diag.Edit) error {
	was, is := h.outline(before), h.outline(after)
	if len(was) != len(is) {
		return fmt.Errorf("the file had %d tokens and would have %d", len(was), len(is))
	}
	shift := 0 // how far the edits so far have moved the text after them
	for i, t := range was {
		for len(edits) > 0 && edits[0].Span.End <= t.Start && edits[0].Span.Start < t.Start {
			shift += len(edits[0].Text) - edits[0].Span.Len()
			edits = edits[1:]
		}
		touched := len(edits) > 0 &&
			(edits[0].Span.Start < t.End || edits[0].Span.Start == t.End && edits[0].Span.Len() == 0)
		if is[i].kind != t.kind || !touched && (is[i].Start != t.Start+shift || is[i].Len() != t.Len() || is[i].Text(after) != t.Text(before)) {
			return fmt.Errorf("%q would become %q", clip(t.Text(before)), clip(is[i].Text(after)))
		}
	}
	return nil
}

// clip shortens a text that an error quotes.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
