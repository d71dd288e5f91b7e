package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// cursor is a position in a selector of a document.
type cursor struct {
	doc      *document
	analysis *analysis
	selector *check.Selector
	region   *host.Region
	offset   int        // in the text of the region
	path     []ast.Node // the nodes around the position, outermost first
}

// cursor finds the selector at a position. It returns nil outside selectors.
func (s *server) cursor(ctx context.Context, v *view, uri string, p protocol.Position) (*cursor, error) {
	d, err := s.document(v, uri)
	if err != nil {
		return nil, err
	}
	return s.cursorAt(ctx, v, d, d.offset(p)), nil
}

// cursorAt finds the selector at an offset of a document. It returns nil outside selectors.
func (s *server) cursorAt(ctx context.Context, v *view, d *document, at int) *cursor {
	if d.host == nil {
		return nil
	}
	c := &cursor{doc: d, analysis: d.analyze(ctx, v.snapshot)}
	if c.selector = c.analysis.selectorAt(ctx, at); c.selector == nil {
		return nil
	}
	c.region = c.analysis.region(c.selector)
	var ok bool
	if c.offset, ok = c.region.Offset(at); !ok {
		return nil
	}
	c.path = pathTo(c.selector.Query, c.offset)
	return c
}

// pathTo lists the nodes around an offset, outermost first. If the offset is between two nodes, it
// lists the second one, because a cursor is before the character it is on. At the end of the text
// it lists the last node.
func pathTo(q *ast.Query, offset int) []ast.Node {
	path := []ast.Node{q}
	for n := range ast.All(q) {
		at := n.Bounds()
		if n == ast.Node(q) || at.Len() == 0 || offset < at.Start || offset > at.End {
			continue
		}
		for len(path) > 1 && !path[len(path)-1].Bounds().Contains(at) {
			path = path[:len(path)-1]
		}
		path = append(path, n)
	}
	return path
}

// node returns the innermost node at the position.
func (c *cursor) node() ast.Node { return c.path[len(c.path)-1] }

// rangeOf returns the range of a part of the selector in the document.
func (c *cursor) rangeOf(at ast.Span) protocol.Range { return c.doc.rangeOf(c.region.Host(at)) }
