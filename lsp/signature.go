package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/parser"
)

// signatures answers textDocument/signatureHelp: what can be written in the open parentheses, or
// after the = of a control.
func (s *server) signatures(ctx context.Context, v *view, p *positionParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	c, ok := s.completer(ctx, v, d, a, d.offset(p.Position))
	if !ok {
		return nil, nil
	}
	text := c.region.Text
	offset, _ := c.region.Offset(c.at)
	if c.region.Form == host.Selectors {
		text = text[c.base:]
		offset -= c.base
	}
	label, doc, params, active := signatureAt(text[:offset], c.completion.Control && c.completion.Value, c.completion.Name)
	if label == "" {
		return nil, nil
	}
	sig := protocol.SignatureInformation{Label: label, Documentation: protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: doc}}
	for _, param := range params {
		sig.Parameters = append(sig.Parameters, protocol.ParameterInformation{Label: param})
	}
	number := uint32(active)
	return &protocol.SignatureHelp{Signatures: []protocol.SignatureInformation{sig}, ActiveParameter: &number}, nil
}

// signatureAt returns the signature of what is being written at the end of a text.
func signatureAt(head string, control bool, name string) (label, doc string, params []string, active int) {
	if control {
		t := vocab.Lookup(vocab.Control, name)
		if t == nil {
			return "", "", nil, 0
		}
		value := "N"
		if len(t.Params) > 0 {
			value = strings.Join(t.Params, " | ")
		}
		return "@" + t.Name + "=" + value, t.Summary, []string{value}, 0
	}
	open := openParen(head)
	if open < 0 {
		return "", "", nil, 0
	}
	inside := head[open+1:]
	before := head[:open]
	switch {
	case strings.HasSuffix(before, ":nth"):
		return ":nth(n)", vocab.Lookup(vocab.Pseudo, "nth").Summary, []string{"n"}, 0
	case strings.HasSuffix(before, "depth"):
		return "depth(N)", "the segment at depth N; -1 is the system header, 0 the active head", []string{"N"}, 0
	case before != "" && isWordEnd(before[len(before)-1]):
		return "(name=value …)", "tests of the preceding type, as in .block(status='x' ttl=5)", []string{"name=value"}, 0
	}
	return "(depth, offset, …)", "an absolute coordinate: a depth, and the offset of a child at each level below; or a chain in parentheses",
		[]string{"depth", "offset"}, min(strings.Count(inside, ","), 1)
}

func isWordEnd(c byte) bool {
	return c == '_' || c == '-' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// openParen returns the offset of the innermost parenthesis that is open at the end of a text, or
// -1.
func openParen(s string) int {
	var open []int
	for i, c := range parser.Unquoted(s) {
		switch {
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}
