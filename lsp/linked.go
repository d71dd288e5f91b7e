package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/host"
)

// The patterns that a linked name must match while it is edited, in JavaScript without flags.
const (
	plainName  = `[A-Za-z_\u0080-\uffff][A-Za-z0-9_.:\u0080-\uffff-]*`
	quotedName = `[^'"\\\r\n]+` // for names that are in quotes everywhere
)

// linkedRanges answers textDocument/linkedEditingRange: the ranges of the word at the cursor in its
// selector, if there are several.
func (s *server) linkedRanges(ctx context.Context, v *view, p *positionParams) (*protocol.LinkedEditingRanges, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	if !ok || c.region.Kind != host.Editable || c.region.Grade() != host.Proven {
		return nil, err
	}
	if at, ok := c.bare(w); !ok || c.offset < at.Start || c.offset > at.End {
		return nil, nil // such as the sign before a tag, which no range would have
	}
	pattern := quotedName
	var ranges []protocol.Range
	for x := range wordsOf(c.selector.Query) {
		if x.kind != w.kind || x.name != w.name {
			continue
		}
		at, ok := c.bare(x)
		if !ok || c.region.Host(at).Text(c.doc.src) != w.name {
			return nil, nil // it is written with escapes
		}
		ranges = append(ranges, c.rangeOf(at))
		if !strings.ContainsAny(x.at.Text(c.region.Text), `'"`) {
			pattern = plainName
		}
	}
	if len(ranges) < 2 {
		return nil, nil
	}
	return &protocol.LinkedEditingRanges{Ranges: ranges, WordPattern: &pattern}, nil
}
