package lsp

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/internal/config"
)

// The schemas of configuration files and vocabularies.
var (
	configSchema     = sync.OnceValue(config.Schema)
	vocabularySchema = sync.OnceValue(config.VocabularySchema)
)

// completeKeys offers the keys and values of a configuration file, a vocabulary or a suite, and in
// a vocabulary the words of the fixtures that it lacks. It returns false if the offset has none.
func (s *server) completeKeys(ctx context.Context, v *view, d *document, offset int) (*completionList, bool) {
	schema, place, ok := s.schemaAt(v.snapshot, d, offset)
	if !ok {
		return nil, false
	}
	list := completionList{Items: []item{}}
	add := func(label, detail, about string, kind int) {
		it := item{
			Label: label, Kind: kind, Detail: detail, Filter: label,
			Edit: &protocol.TextEdit{Range: d.rangeOf(place.Word), NewText: label},
		}
		if about != "" {
			it.Documentation = s.client.documentation(about)
		}
		list.Items = append(list.Items, it)
	}
	found := config.Find(schema, place.Path)
	if place.IsValue {
		for _, v := range append(valuesOf(found), v.snapshot.unlisted(ctx, d, place.Path)...) {
			if text, isText := v.(string); isText && !place.Quoted {
				add(config.Literal(text), "", "", kindValue)
			} else {
				add(fmt.Sprint(v), "", "", kindValue)
			}
		}
	} else {
		for _, at := range found {
			for _, name := range at.PropertyOrder {
				p := at.Properties[name]
				if place.Header && !isTable(p) || slices.Contains(place.Present, name) && !isTable(p) {
					continue
				}
				add(name, typeOf(p), p.Description, kindField)
			}
		}
	}
	for i := range list.Items {
		list.Items[i].Sort = fmt.Sprintf("%03d", i)
	}
	if s.client.defaultRange {
		list.share()
	}
	return &list, true
}

// unlisted returns the words of the fixtures that a list of a vocabulary lacks.
func (sn *snapshot) unlisted(ctx context.Context, d *document, path []string) []any {
	if len(path) != 1 || !sn.isVocabulary(d) {
		return nil
	}
	kind, ok := config.KindOf(path[0])
	cfg, _ := sn.configOf(d.path)
	facts := sn.facts.Of(ctx, sn.fixturePaths(cfg), nil)
	if !ok || facts == nil {
		return nil
	}
	listed, _ := config.ReadVocabulary(d.path, d.src)
	var out []any
	for word := range facts.Words(kind) {
		if !slices.Contains(listed.Words[kind], word) {
			out = append(out, word)
		}
	}
	return out
}

// hoverKey explains the key at an offset of a configuration file, a vocabulary or a suite. For a
// value, it explains the key of the value.
func (s *server) hoverKey(sn *snapshot, d *document, offset int) *protocol.Hover {
	schema, place, ok := s.schemaAt(sn, d, offset)
	if !ok || place.Word.Len() == 0 {
		return nil
	}
	path := place.Path
	if !place.IsValue {
		path = append(slices.Clone(path), strings.Trim(place.Word.Text(d.src), ` "'`))
	}
	found := config.Find(schema, path)
	if len(found) == 0 {
		return nil
	}
	text := fmt.Sprintf("**%s**", strings.Join(path, "."))
	if t := typeOf(found[0]); t != "" {
		text += ": " + t
	}
	if found[0].Description != "" {
		text += "\n\n" + found[0].Description
	}
	if len(found[0].Default) > 0 {
		text += fmt.Sprintf("\n\nDefault: `%s`", found[0].Default)
	}
	r := d.rangeOf(place.Word)
	if !s.client.markdownHover {
		return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plain(text)}, Range: &r}
	}
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &r}
}

// isTable reports whether a value may be a table, or a list of tables.
func isTable(s *jsonschema.Schema) bool {
	return slices.ContainsFunc(config.Find(s, nil), func(s *jsonschema.Schema) bool { return s.Type == "object" })
}

// typeOf names the forms that a value may have.
func typeOf(s *jsonschema.Schema) string {
	var types []string
	for _, one := range append([]*jsonschema.Schema{s}, s.OneOf...) {
		if one.Type != "" {
			types = append(types, one.Type)
		}
	}
	return strings.Join(types, " or ")
}

// valuesOf returns the values that schemas name.
func valuesOf(list []*jsonschema.Schema) []any {
	var out []any
	for _, s := range list {
		named := slices.Concat(s.Enum, s.Examples)
		if s.Type == "boolean" {
			named = append(named, true, false)
		}
		for _, v := range named {
			if !slices.ContainsFunc(out, func(o any) bool { return reflect.DeepEqual(o, v) }) { // a list and a single value name the same
				out = append(out, v)
			}
		}
	}
	return out
}
