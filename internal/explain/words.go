package explain

import "github.com/pactkit/pactkit/ast"

// Kind is the kind of a word. Its value is the name of a semantic token type of the Language Server
// Protocol.
type Kind string

const (
	Keyword   Kind = "keyword"   // regions, times, controls, pseudos, null, true and false
	Class     Kind = "class"     // node types
	Variable  Kind = "variable"  // keys
	Decorator Kind = "decorator" // tags
	Property  Kind = "property"  // attributes
	Operator  Kind = "operator"
	String    Kind = "string"
	Number    Kind = "number"
)

// Word is a word of a selector.
type Word struct {
	ast.Span
	Kind Kind
}

// Words returns the words of a selector, which may have errors, in the order of its tree.
func Words(q *ast.Query) []Word {
	var list []Word
	for n := range ast.All(q) {
		switch n := n.(type) {
		case *ast.Time, *ast.Region, *ast.Zone, *ast.Positional, *ast.Control:
			list = append(list, Word{n.Bounds(), Keyword})
		case *ast.Depth, *ast.Coordinate:
			list = append(list, Word{n.Bounds(), Number})
		case *ast.Type:
			list = append(list, Word{n.Bounds(), Class})
		case *ast.Key:
			list = append(list, Word{n.Bounds(), Variable})
		case *ast.Tag:
			list = append(list, Word{n.Bounds(), Decorator})
		case *ast.Any:
			list = append(list, Word{n.Bounds(), Operator})
		case *ast.Prop:
			list = append(list, Word{ast.Span{Start: n.Start(), End: n.Start() + len(n.Name)}, Property})
			for i := range n.Values {
				kind := String
				switch v := &n.Values[i]; v.Kind {
				case ast.Number:
					kind = Number
				case ast.Null, ast.Bool:
					kind = Keyword
				}
				list = append(list, Word{n.Values[i].Bounds(), kind})
			}
		}
	}
	return list
}
