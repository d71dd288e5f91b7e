package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// idOrKey finds a `#x` that no tree has in the sense of its edition, although `x` names something
// in the trees: an id where a key is meant, a key where an id is meant, or an id and a type
// (decisions D6, D43 and D45).
func idOrKey(p *pass) {
	for n := range ast.All(p.Query) {
		if k, ok := n.(*ast.Key); ok {
			if m, found := p.mistakenKey(k); found {
				p.report(k.Bounds(), m.message, m.hint, m.fixes...)
			}
		}
	}
}

// mistakenKey is what is wrong with a `#x`.
type mistakenKey struct {
	message, hint string
	fixes         []diag.Fix
}

// mistakenKey returns what is wrong with a `#x`, and false if that is nothing.
func (p *pass) mistakenKey(k *ast.Key) (m mistakenKey, found bool) {
	kind, what, other, otherWhat := KeyWord, "key", IDWord, "an id"
	text := "{id=" + ast.Quote(k.Name) + "}"
	if k.ID {
		kind, what, other, otherWhat = IDWord, "id", KeyWord, "a key"
		text = "#" + ast.Quote(k.Name)
	}
	if known, sure := p.known(kind, k.Name); known || !sure {
		return m, false
	}
	m.message = "no tree is known to have the " + what + " `" + k.Name + "`, but there is "
	if known, _ := p.known(other, k.Name); known {
		m.message += otherWhat + " of that name"
		m.hint = "write `" + text + "` to match it"
		m.fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: k.Bounds(), Text: text}}}}
		return m, true
	}
	// The grammar of edition 0.1 reads `#cb:u1.cb` as an id and a type.
	for i := range len(k.Name) {
		if !k.ID || k.Name[i] != '.' || !ast.IsName(k.Name[i+1:]) {
			continue
		}
		if known, _ := p.known(IDWord, k.Name[:i]); known {
			m.message += "the id `" + k.Name[:i] + "`"
			m.hint = "write `" + k.Name[i:] + "#" + k.Name[:i] + "` to match its type as well"
			return m, true
		}
	}
	return m, false
}
