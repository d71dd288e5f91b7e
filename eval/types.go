package eval

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// typeTest tests whether the type of a node is one of some names.
type typeTest struct {
	names []*typeName
	cases []typeCase // of all names
	long  bool       // a name is too long for its cases to be listed
	core  bool       // an implied core has one of the types
	parts int        // how many parts all names have
}

func (t *typeTest) add(name *typeName) {
	t.names = append(t.names, name)
	t.cases = append(t.cases, name.cases...)
	t.long = t.long || len(name.parts) > fewParts
	t.core = t.core || name.matches(engine.BaseCont, "")
	t.parts += len(name.parts)
}

func (t *typeTest) node(n engine.Node) bool {
	return slices.ContainsFunc(t.names, func(name *typeName) bool { return name.node(n) })
}

// typeName is the operand of a test of types: what .T and [nodeType='T'] name.
type typeName struct {
	text  string     // the name in canonical spelling
	parts []typePart // the text, cut at its dots
	// cases are all combinations of base and user type that satisfy the name. A long name has none:
	// nodes are tested one by one.
	cases []typeCase
}

// typeCase is a base, a user type, or both.
type typeCase struct {
	base engine.Base // BaseRegion means any
	user string      // empty for any
	word tree.Word   // user
}

// typePart is a part of a name between two dots.
type typePart struct {
	text  string
	piece string      // without a canonical base and a colon, which have no meaning
	base  engine.Base // that it names; BaseRegion if none
	taken bool        // named like a canonical type or a region: no user type can be selected by it
}

// fewParts is the number of parts up to which the cases of a name are listed.
const fewParts = 4

func newTypeName(name string) *typeName {
	t := &typeName{text: vocab.CanonicalType(name)}
	for text := range strings.SplitSeq(t.text, ".") {
		p := typePart{text: text, piece: vocab.WithoutBase(text), base: engine.BaseRegion}
		if base, ok := tree.CanonicalBase(p.piece); ok {
			p.base, p.taken = base, true
		}
		p.taken = p.taken || vocab.Lookup(vocab.Region, p.piece) != nil
		t.parts = append(t.parts, p)
	}
	if len(t.parts) > fewParts {
		return t
	}
	users := []string{""} // all user types that consecutive parts can name, and "" for any other
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
				of = append(of, typeCase{b, user, tree.NewWord(user)})
			}
		}
		if len(of) == len(whole) {
			of = []typeCase{{engine.BaseRegion, user, tree.NewWord(user)}}
		}
		t.cases = append(t.cases, of...)
	}
	return t
}

// matches reports whether a node of a base and a user type satisfies the name: whether there is a
// way to cut it at dots so that every piece names the base or the user type.
func (t *typeName) matches(b engine.Base, user string) bool {
	reached := make([]bool, len(t.parts)+1)
	reached[0] = true
	dots := strings.Count(user, ".")
	for i := range t.parts {
		if !reached[i] {
			continue
		}
		p := &t.parts[i]
		if p.base == b {
			reached[i+1] = true
		}
		switch end := i + dots + 1; {
		case user == "" || end > len(t.parts):
		case dots == 0:
			reached[end] = reached[end] || !p.taken && p.piece == user
		case strings.HasPrefix(user, p.piece):
			reached[end] = reached[end] || t.piece(i, end) == user
		}
	}
	return reached[len(t.parts)]
}

// piece returns some parts as the name of a type, without a canonical base.
func (t *typeName) piece(from, to int) string {
	texts := []string{t.parts[from].piece}
	for _, p := range t.parts[from+1 : to] {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, ".")
}

// node reports whether a node has the type. The root and the regions have no other types than their
// names.
func (t *typeName) node(n engine.Node) bool {
	if n.Base() != engine.BaseRegion {
		return t.matches(n.Base(), n.UserType())
	}
	return !slices.ContainsFunc(t.parts, func(p typePart) bool { return p.text != n.Type() && "^"+p.text != n.Type() })
}
