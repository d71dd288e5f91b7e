package eval

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
)

// typeName is the operand of a test of types: what .T and [nodeType='T'] name.
type typeName struct {
	parts []string // the name in canonical spelling, cut at its dots
	// cases are all combinations of base and user type that satisfy the name. A long name has none: its nodes are
	// asked one by one.
	cases []typeCase
	long  bool
}

// typeCase is a base, a user type, or both.
type typeCase struct {
	base engine.Base // BaseRegion stands for any
	user string      // empty for any
}

// fewParts is the length up to which the cases of a dotted name are worked out.
const fewParts = 4

var bases = map[string]engine.Base{"block": engine.BaseBlock, "cont": engine.BaseCont, "seg": engine.BaseSeg}

func newTypeName(name string) *typeName {
	name = vocab.CanonicalType(name)
	t := &typeName{parts: strings.Split(name, ".")}
	if len(t.parts) > fewParts {
		t.long = true
		return t
	}
	users := []string{""} // any user type a piece of the name can be, and one that none can
	for from := range t.parts {
		for to := from + 1; to <= len(t.parts); to++ {
			users = append(users, t.piece(from, to))
		}
	}
	slices.Sort(users)
	whole := [engine.BaseRegion]bool{}
	for _, user := range slices.Compact(users) {
		var of []typeCase
		for b := range engine.BaseRegion {
			switch {
			case whole[b] || !t.matches(b, user):
			case user == "":
				whole[b] = true
				t.cases = append(t.cases, typeCase{base: b})
			default:
				of = append(of, typeCase{b, user})
			}
		}
		if len(of) == len(whole) {
			of = []typeCase{{engine.BaseRegion, user}}
		}
		t.cases = append(t.cases, of...)
	}
	return t
}

// matches tells whether a node of a base and a user type satisfies the name: whether there is a way to cut it at dots
// so that every piece names the base or the user type.
func (t *typeName) matches(b engine.Base, user string) bool {
	var few [fewParts + 1]bool
	reached := few[:]
	if len(t.parts) > fewParts {
		reached = make([]bool, len(t.parts)+1)
	}
	reached[0] = true
	dots := strings.Count(user, ".")
	for i := range t.parts {
		if !reached[i] {
			continue
		}
		part := t.piece(i, i+1)
		term := vocab.Lookup(vocab.Type, part)
		if term != nil && bases[term.Name] == b {
			reached[i+1] = true
		}
		end := i + dots + 1
		if user == "" || end > len(t.parts) || dots == 0 && (term != nil || vocab.Lookup(vocab.Region, part) != nil) {
			continue // a user type named like a canonical type or a region cannot be selected by name
		}
		if dots == 0 && part == user || dots > 0 && t.piece(i, end) == user {
			reached[end] = true
		}
	}
	return reached[len(t.parts)]
}

// piece is the name of a type between two dots, without a canonical base, which says nothing.
func (t *typeName) piece(from, to int) string {
	piece := strings.Join(t.parts[from:to], ".")
	for base, rest, ok := strings.Cut(piece, ":"); ok && vocab.Lookup(vocab.Type, base) != nil; base, rest, ok = strings.Cut(piece, ":") {
		piece = rest
	}
	return piece
}

// node tells whether a node has the type. The names of ^root and the regions are good for these nodes only.
func (t *typeName) node(n engine.Node) bool {
	if n.Base() != engine.BaseRegion {
		return t.matches(n.Base(), n.UserType())
	}
	return !slices.ContainsFunc(t.parts, func(part string) bool { return part != n.Type() && "^"+part != n.Type() })
}

// implied tells whether an implied core has the type.
func (t *typeName) implied() bool { return t.matches(engine.BaseCont, "") }
