package format

import (
	"cmp"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// isTypeToken reports whether a type can be written as a token: identifiers joined by dots. A
// single identifier must not be the name of a region, which the token would mean.
func isTypeToken(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsName(part) {
			return false
		}
	}
	return vocab.Lookup(vocab.Region, name) == nil
}

// isKeyToken reports whether a key can be written without quotes: an identifier, then dots and
// parts.
func isKeyToken(name string) bool {
	first, rest, dotted := strings.Cut(name, ".")
	if !ast.IsName(first) {
		return false
	}
	for dotted {
		first, rest, dotted = strings.Cut(rest, ".")
		if !ast.IsPart(first) {
			return false
		}
	}
	return true
}

// compareValues is the order of the members of a list: by kind, then by value, then by text.
func compareValues(a, b ast.Value) int {
	if c := cmp.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	if a.Kind == ast.Number {
		return cmp.Or(compareNumbers(a.Text, b.Text), cmp.Compare(len(a.Text), len(b.Text)), cmp.Compare(a.Text, b.Text))
	}
	return cmp.Compare(a.Text, b.Text)
}

// sameValue reports whether two members of a list are the same value.
func sameValue(a, b ast.Value) bool {
	if a.Kind == ast.Number && b.Kind == ast.Number {
		return compareNumbers(a.Text, b.Text) == 0
	}
	return a.Kind == b.Kind && a.Text == b.Text
}

// compareNumbers orders two normalized decimals by their exact value, however long they are.
func compareNumbers(a, b string) int {
	x, y := decimalOf(a), decimalOf(b)
	if c := cmp.Compare(x.sign, y.sign); c != 0 {
		return c
	}
	return x.sign * cmp.Or(
		cmp.Compare(len(x.whole), len(y.whole)),
		cmp.Compare(x.whole, y.whole),
		cmp.Compare(x.fraction, y.fraction),
	)
}

// decimal is a number in parts: the digits before the point without leading zeros, and those after
// it without trailing zeros.
type decimal struct {
	sign            int // -1, 0 or 1
	whole, fraction string
}

func decimalOf(text string) decimal {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	d := decimal{sign: 1, whole: strings.TrimLeft(whole, "0"), fraction: strings.TrimRight(fraction, "0")}
	switch {
	case d.whole == "" && d.fraction == "":
		d.sign = 0
	case negative:
		d.sign = -1
	}
	return d
}
