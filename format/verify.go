package format

import (
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser"
)

// Verify checks that a selector file can be replaced by its formatted text: both hold the same
// selectors, comments and blank lines, and formatting the text again does not change it. Selectors
// are compared by meaning or, if they have an error, byte by byte. The error names the first
// difference. A program that overwrites files calls Verify first, so no bug in the formatter can
// lose a selector or a comment.
func Verify(before, after string, o Options) error {
	a, err := outline(before, o)
	if err != nil {
		return fmt.Errorf("the source cannot be read: %w", err)
	}
	b, err := outline(after, o)
	if err != nil {
		return fmt.Errorf("the formatted text cannot be read: %w", err)
	}
	for i := range min(len(a), len(b)) {
		if err := a[i].compare(b[i]); err != nil {
			return err
		}
	}
	switch {
	case len(a) > len(b):
		return fmt.Errorf("the formatted text lacks %s", a[len(b)].name())
	case len(a) < len(b):
		return fmt.Errorf("the formatted text has %s, which the source does not have", b[len(a)].name())
	case Source(after, o).Text != after:
		return errors.New("the formatted text is not its own formatted text")
	}
	return nil
}

// An item is one thing a source must not lose.
type item struct {
	blank bool       // there is a blank line above
	query *ast.Query // a selector; nil for text that is compared byte by byte
	text  string     // a selector in full, for messages; a comment; the lines of a selector with an error
}

// outline lists selectors and comments in the order in which they are printed. If the source is
// over a limit, the error says why it cannot be read.
func outline(src string, o Options) ([]item, error) {
	file, ds := parser.Parse(src, o.parser())
	if unread(file, ds) {
		return nil, errors.New(ds[0].Message)
	}
	var items []item
	comments := func(list []*ast.Comment) {
		for _, c := range list {
			items = append(items, item{blank: c.BlankBefore, text: c.Span.Text(src)})
		}
	}
	for _, s := range file.Selectors {
		comments(s.Before)
		at := len(items)
		if s.Bad {
			items = append(items, item{text: s.Lines.Text(src)})
		} else {
			comments(s.Inside)
			items = append(items, item{query: Canonicalize(s.Query), text: s.Span.Text(src)})
			if s.Suffix != nil {
				items = append(items, item{text: s.Suffix.Span.Text(src)})
			}
		}
		items[at].blank = s.BlankBefore
	}
	comments(file.After)
	if len(items) > 0 {
		items[0].blank = false // blank lines at the start are dropped
	}
	return items, nil
}

func (i item) compare(j item) error {
	switch {
	case (i.query == nil) != (j.query == nil),
		i.query == nil && i.text != j.text,
		i.query != nil && !ast.Equal(i.query, j.query):
		return fmt.Errorf("%s became %s", i.name(), j.name())
	case i.blank != j.blank:
		return fmt.Errorf("the blank line above %s was not kept as it is", i.name())
	}
	return nil
}

func (i item) name() string {
	const most = 80
	text := i.text
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}
