package lint

import (
	"regexp"

	"github.com/pactkit/pactkit/ast"
)

// generated matches ids as programs generate them: UUIDs, ULIDs, hashes, long numbers, and the ids
// that providers give to calls and messages.
var generated = regexp.MustCompile(`(?i)^(?:[a-z]+[:_-])?(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{16,}|[0-9]{10,})$|^(?:call|toolu|msg|chatcmpl|resp|fc)[_-][0-9a-z]{16,}$`)

// generatedID finds ids that occur in only one recorded tree, so the selector will find nothing in
// the next one.
func generatedID(p *pass) {
	report := func(at ast.Span, id string) {
		if generated.MatchString(id) {
			p.report(at, "the id `"+id+"` looks generated; the next tree will not have it", "select by key, tag or position")
		}
	}
	key := func(at ast.Span, key string) {
		if generated.MatchString(key) {
			p.report(at, "the key `"+key+"` looks like a generated id", "`#` matches a key; `{id='"+key+"'}` matches the id, which the next tree will not have")
		}
	}
	for n := range ast.All(p.Query) {
		switch n := n.(type) {
		case *ast.Key:
			if n.ID {
				report(n.Bounds(), n.Name)
			} else {
				key(n.Bounds(), n.Name)
			}
		case *ast.Prop:
			if n.Name == "id" && lists(n) {
				for _, v := range n.Values {
					report(v.Bounds(), v.Text)
				}
			}
		}
	}
}
