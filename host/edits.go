package host

import (
	"errors"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// speller knows which characters a literal can hold without an escape.
type speller interface{ mayStand(r rune) bool }

// Edits translates edits of the text to edits of the file. It translates all of them or none; the
// error says why the file cannot hold them. The cost depends on the edits and the text between
// them, unless the whole literal has to be read again.
func (r *Region) Edits(edits []diag.Edit) ([]diag.Edit, error) {
	if r.isPlain() && inOrder(edits, len(r.Text)) {
		return shifted(edits, -r.pieces[0].source.Start), nil
	}
	spelled, inText, err := r.spellAll(edits)
	if err == nil && r.reread != nil && !r.checkPart(spelled, inText) {
		text, _ := diag.Apply(r.Text, inText)
		spelled, err = r.check(spelled, text)
	}
	if err != nil {
		return nil, err
	}
	return r.liftAll(spelled)
}

// isPlain reports whether the bytes of the region are its text, and can be replaced by any text.
func (r *Region) isPlain() bool {
	return r.Kind == Editable && r.outer == nil && r.spelling == nil && r.reread == nil && r.indent == "" &&
		len(r.pieces) == 1 && r.pieces[0].copied
}

// inOrder reports whether edits of a text of some size are sorted and disjoint.
func inOrder(edits []diag.Edit, size int) bool {
	at := 0
	for _, e := range edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > size {
			return false
		}
		at = e.Span.End
	}
	return true
}

// edits does the work of Edits and also returns the new text, whose strings may have other quotes.
func (r *Region) edits(edits []diag.Edit) ([]diag.Edit, string, error) {
	spelled, inText, err := r.spellAll(edits)
	if err != nil {
		return nil, "", err
	}
	text, _ := diag.Apply(r.Text, inText)
	if spelled, err = r.check(spelled, text); err != nil {
		return nil, "", err
	}
	out, err := r.liftAll(spelled)
	return out, text, err
}

// spellAll writes sorted edits as edits of the source and as edits of the text.
func (r *Region) spellAll(edits []diag.Edit) (spelled, inText []diag.Edit, err error) {
	if r.Kind != Editable {
		return nil, nil, r.fixed()
	}
	if !inOrder(edits, len(r.Text)) {
		return nil, nil, errors.New("the edits overlap")
	}
	return r.spell(edits)
}

// Replace returns the edits of the file that replace the text of the region. White space around the
// text stays if it contains a line break, because it is layout then. Strings of the selector get
// quotes that the literal can hold.
func (r *Region) Replace(text string) ([]diag.Edit, error) {
	out, _, err := r.replace(text)
	return out, err
}

// replace does the work of Replace and also returns the new text, which is the old one if there is
// nothing to edit.
func (r *Region) replace(text string) ([]diag.Edit, string, error) {
	if text == r.Text {
		return nil, text, nil
	}
	if r.Form == Selectors {
		var edits []diag.Edit
		for _, e := range udiff.Lines(r.Text, text) {
			edits = append(edits, diag.Edit{Span: ast.Span{Start: e.Start, End: e.End}, Text: e.New})
		}
		return r.edits(edits)
	}
	core := r.core()
	text = strings.Trim(text, blank)
	if text == core.Text(r.Text) {
		return nil, r.Text, nil
	}
	edits, text, err := r.edits([]diag.Edit{{Span: core, Text: text}})
	if err != nil || text == r.Text {
		return nil, text, err
	}
	return edits, text, nil
}

// blank is the white space of the language; other characters that look like white space are errors
// and are not changed.
const blank = " \t\r\n"

// core is the text without surrounding white space that is layout.
func (r *Region) core() ast.Span {
	core := ast.Span{Start: 0, End: len(r.Text)}
	if n := len(r.Text) - len(strings.TrimLeft(r.Text, blank)); strings.ContainsAny(r.Text[:n], "\r\n") {
		core.Start = n
	}
	if n := len(strings.TrimRight(r.Text, blank)); n >= core.Start && strings.ContainsAny(r.Text[n:], "\r\n") {
		core.End = n
	}
	return core
}

// fixed is the error of a region that cannot be replaced.
func (r *Region) fixed() error {
	if r.Kind == Holed {
		return errors.New("the program builds it at run time")
	}
	return errors.New(r.Fixed)
}

// liftAll translates edits of the text that the pieces map to into edits of the file.
func (r *Region) liftAll(edits []diag.Edit) ([]diag.Edit, error) {
	var out []diag.Edit
	for _, e := range edits {
		for outer := r.outer; outer != nil; outer = outer.outer {
			spelled, _, err := outer.spell([]diag.Edit{e})
			if err != nil {
				return nil, err
			}
			e = spelled[0]
		}
		out = append(out, e)
	}
	return out, nil
}

// spell writes edits of the text as edits of the source. The second result has the corresponding
// edits of the text, whose strings may get other quotes.
func (r *Region) spell(edits []diag.Edit) (spelled, inText []diag.Edit, err error) {
	w := writer{region: r, spare: map[rune][]string{}}
	for _, e := range edits {
		w.collect(e.Span)
	}
	spelled = make([]diag.Edit, len(edits))
	inText = make([]diag.Edit, len(edits))
	for i, e := range edits {
		bytes, text, err := w.write(e.Text)
		if err != nil {
			return nil, nil, err
		}
		spelled[i] = r.lines(e, diag.Edit{Span: r.pieces.span(e.Span), Text: bytes})
		inText[i] = diag.Edit{Span: e.Span, Text: text}
	}
	return spelled, inText, nil
}

// lines extends an edit of whole lines of a block to whole lines of the file, with their
// indentation: e is the edit of the text, out that of the source.
func (r *Region) lines(e, out diag.Edit) diag.Edit {
	isLine := func(text string, end int) bool { return end == 0 || end == len(text) || text[end-1] == '\n' }
	if r.indent == "" || e.Span.Start > 0 && r.Text[e.Span.Start-1] != '\n' ||
		!isLine(r.Text, e.Span.End) || e.Text != "" && !strings.HasSuffix(e.Text, "\n") {
		return out
	}
	out.Span.Start -= len(prefix(r.src, out.Span.Start))
	if e.Span.Len() == 0 {
		out.Span.End = out.Span.Start
	}
	out.Text = strings.TrimSuffix(out.Text, r.indent)
	switch {
	case e.Text == "":
	case e.Text[0] == '\n':
		out.Text = strings.TrimRight(r.indent, " \t") + out.Text
	default:
		out.Text = r.indent + out.Text
	}
	return out
}

// check reads the changed literal and compares it with the text that it should hold. It returns
// edits that give the literal that text; they may put it in quotes.
func (r *Region) check(edits []diag.Edit, want string) ([]diag.Edit, error) {
	if r.reread == nil {
		return edits, nil
	}
	literal, ok := diag.Apply(r.token.Text(r.src), shifted(edits, r.token.Start))
	if !ok {
		return nil, errors.New("the edits overlap")
	}
	if got, ok := r.reread(literal); ok && got == want {
		return edits, nil
	}
	if r.quote == nil || strings.ContainsAny(want, "\r\n") {
		return nil, errors.New("its string cannot hold the new text without other quotes or an escape")
	}
	return []diag.Edit{{Span: r.token, Text: r.quote(want)}}, nil
}

// checkPart proves that a literal holds the right text after edits by reading only the part around
// them. It returns false if that proves nothing. A part that reads the same between the delimiters
// as within the literal does not depend on what surrounds it. If the changed part can also be read
// alone, the rest of the literal means the same as before.
func (r *Region) checkPart(spelled, inText []diag.Edit) bool {
	l, ok := r.spelling.(*literal)
	if !ok || l.dialect.decode != nil || len(inText) == 0 {
		return false // its lines share an indentation
	}
	from, ok1 := r.cut(inText[0].Span.Start, -1)
	to, ok2 := r.cut(inText[len(inText)-1].Span.End, 1)
	if !ok1 || !ok2 || from == 0 && to == len(r.Text) {
		return false
	}
	text := ast.Span{Start: from, End: to}
	source := r.pieces.span(text)
	head := r.src[r.token.Start:r.pieces[0].source.Start]
	tail := r.src[r.pieces[len(r.pieces)-1].source.End:r.token.End]
	reads := func(part, want string) bool {
		got, ok := r.reread(head + part + tail)
		return ok && got == want
	}
	before, said := source.Text(r.src), text.Text(r.Text)
	part, ok1 := diag.Apply(before, shifted(spelled, source.Start))
	want, ok2 := diag.Apply(said, shifted(inText, from))
	return ok1 && ok2 && reads(part, want) && reads(before, said)
}

// shifted returns the edits of the part of a text that begins at an offset.
func shifted(edits []diag.Edit, by int) []diag.Edit {
	out := slices.Clone(edits)
	for i := range out {
		out[i].Span.Start -= by
		out[i].Span.End -= by
	}
	return out
}

// cut searches from an offset of the text, in one direction, for a position inside a word at which
// a literal can be cut without either side changing how the other is read. It searches a limited
// distance.
func (r *Region) cut(at, direction int) (int, bool) {
	const near, far = 32, 512 // bytes
	isLetter := func(c byte) bool { return c|' ' >= 'a' && c|' ' <= 'z' }
	for n := near; n <= far; n++ {
		i := at + n*direction
		if i <= 0 {
			return 0, true
		}
		if i >= len(r.Text) {
			return len(r.Text), true
		}
		if isLetter(r.Text[i]) && (isLetter(r.Text[i-1]) || r.Text[i-1] == '.') {
			if p := r.pieces[r.pieces.find(i)]; p.copied && p.text.Start < i {
				return i, true
			}
		}
	}
	return 0, false
}
