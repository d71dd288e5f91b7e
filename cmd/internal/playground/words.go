package playground

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/parser"
)

// word is a word of a selector, in UTF-16 units, and the name of its color.
type word struct {
	From int          `json:"from"`
	To   int          `json:"to"`
	Kind explain.Kind `json:"kind"`
}

// readSelector returns the tree of a selector, which may have errors.
func readSelector(text string) (*ast.Query, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("the selector is longer than %d KiB", maxSelector>>10)
	}
	q, _ := parser.ParseSelector(text, parser.Options{})
	return q, nil
}

// words returns the words of a selector in the order of the text, without those that overlap one
// before.
func words(text string) ([]word, error) {
	q, err := readSelector(text)
	if err != nil {
		return nil, err
	}
	list := explain.Words(q)
	slices.SortStableFunc(list, func(a, b explain.Word) int { return a.Start - b.Start })
	out, end := []word{}, 0
	for _, w := range list {
		if w.Start >= end && w.Len() > 0 {
			out = append(out, word{units(text, w.Start), units(text, w.End), w.Kind})
			end = w.End
		}
	}
	return out, nil
}

// hovered is what a word of the language means, empty for any other text.
type hovered struct {
	Text string `json:"text"`
}

// hover returns the meaning of the word at a position.
func hover(text string, at int) (*hovered, error) {
	q, err := readSelector(text)
	if err != nil {
		return nil, err
	}
	out := &hovered{}
	for n := range ast.All(q) {
		if from, to := units(text, n.Bounds().Start), units(text, n.Bounds().End); at < from || at > to {
			continue
		}
		if t := term(n); t != nil {
			out.Text = strings.TrimSpace(t.Name + ": " + t.Summary + "\n" + t.Doc)
		}
	}
	return out, nil
}

// term returns the word of the language that a node is, or nil.
func term(n ast.Node) *vocab.Term {
	switch n := n.(type) {
	case *ast.Region:
		return vocab.Lookup(vocab.Region, strings.TrimLeft(n.Name.String(), "^"))
	case *ast.Type:
		return vocab.Lookup(vocab.Type, n.Name)
	case *ast.Zone:
		return vocab.Lookup(vocab.Zone, strings.TrimLeft(n.Name.String(), ":"))
	case *ast.Positional:
		return vocab.Lookup(vocab.Pseudo, strings.TrimLeft(n.Name.String(), ":"))
	case *ast.Control:
		return vocab.Lookup(vocab.Control, n.Name)
	case *ast.Prop:
		if n.Flag {
			return vocab.Lookup(vocab.Flag, n.Name)
		}
		return vocab.Lookup(vocab.Attribute, n.Name)
	}
	return nil
}
