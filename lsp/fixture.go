package lsp

import (
	"encoding/json"
	"os"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/lint"
)

// members are the members of a node that hold the words of a kind.
var members = map[lint.WordKind]string{
	lint.TypeWord: `"nodeType"`, lint.TagWord: `"tag"`, lint.KeyWord: `"key"`,
}

// inFixture finds the first place where the text of a fixture has a word. Only plain JSON files can be shown.
func (s *server) inFixture(path string, w word) (protocol.Location, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".jsonl") {
		return protocol.Location{}, false
	}
	d := s.docs.get(uriOf(path))
	if d == nil {
		if d = s.disk.get(path, s.client.encoding); d == nil {
			return protocol.Location{}, false
		}
	}
	name, err := json.Marshal(w.name)
	if err != nil {
		return protocol.Location{}, false
	}
	quoted := string(name)
	member := members[w.kind]
	if w.kind == lint.AttributeWord {
		member, quoted = quoted, ""
	}
	for at := 0; ; {
		i := strings.Index(d.src[at:], member)
		if i < 0 {
			return protocol.Location{}, false
		}
		at += i + len(member)
		value := d.src[at:]
		if end := strings.IndexAny(value, "}{\n"); end >= 0 {
			value = value[:end]
		}
		if quoted == "" {
			return protocol.Location{URI: d.uri, Range: d.rangeOf(ast.Span{Start: at - len(member), End: at})}, true
		}
		if k := strings.Index(firstValue(value), quoted); k >= 0 {
			return protocol.Location{URI: d.uri, Range: d.rangeOf(ast.Span{Start: at + k, End: at + k + len(quoted)})}, true
		}
	}
}

// firstValue cuts a text behind the first value of JSON: at the end of its list, or at the next member.
func firstValue(s string) string {
	if i := strings.IndexByte(s, '['); i >= 0 && strings.TrimLeft(s[:i], ": \t") == "" {
		if end := strings.IndexByte(s, ']'); end >= 0 {
			return s[:end]
		}
		return s
	}
	if end := strings.IndexByte(s, ','); end >= 0 {
		return s[:end]
	}
	return s
}
