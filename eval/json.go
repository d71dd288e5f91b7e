package eval

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// IDs returns the ids of the result, in order. A range holds differences, not ids: it has none.
func (r *Result) IDs() []string {
	ids := []string{}
	for _, n := range r.Nodes {
		ids = append(ids, n.ID())
	}
	for _, l := range r.Latest {
		ids = append(ids, l.Node.ID())
	}
	return ids
}

// AppendJSON appends the result as JSON without white space, and without a newline: an array of
// ids, a RangeDiffLatestResult, or an array of {"id","snapshot"}. Members are in the order of the
// specification (PACT 0.1, 04 §4), and those of delta and materialized are sorted by name. The text
// is ASCII.
func (r *Result) AppendJSON(dst []byte) []byte {
	switch r.Kind {
	case KindRange:
		return r.Range.appendJSON(dst)
	case KindLatest:
		return canonjson.AppendList(dst, r.Latest, func(dst []byte, l Latest) []byte {
			dst = appendText(append(dst, `{"id":`...), l.Node.ID())
			dst = appendText(append(dst, `,"snapshot":`...), l.Snapshot.Label)
			return append(dst, '}')
		})
	}
	return appendIDs(dst, r.Nodes)
}

func (r *Range) appendJSON(dst []byte) []byte {
	dst = appendText(append(dst, `{"query":`...), r.Query)
	dst = canonjson.AppendList(append(dst, `,"snapshots":`...), r.Snapshots, appendRef)
	dst = canonjson.AppendList(append(dst, `,"diffs":`...), r.Diffs, appendDiff)
	dst = appendText(append(dst, `,"mode":`...), string(r.Mode))
	if r.Limits != nil {
		text, _ := json.Marshal(r.Limits) // cannot fail
		dst = append(append(dst, `,"limits":`...), text...)
	}
	if len(r.Warnings) > 0 {
		dst = canonjson.AppendList(append(dst, `,"warnings":`...), r.Warnings, func(dst []byte, w diag.Diagnostic) []byte { return appendText(dst, w.Message) })
	}
	if len(r.Errors) > 0 {
		dst = canonjson.AppendList(append(dst, `,"errors":`...), r.Errors, func(dst []byte, e RangeError) []byte {
			text, _ := json.Marshal(e) // cannot fail
			return appendRespelled(dst, string(text))
		})
	}
	return append(dst, '}')
}

func appendRef(dst []byte, r Ref) []byte {
	dst = appendText(append(dst, `{"kind":`...), string(r.Kind))
	dst = strconv.AppendInt(append(dst, `,"value":`...), r.Value, 10)
	dst = appendText(append(dst, `,"label":`...), r.Label)
	dst = strconv.AppendInt(append(dst, `,"cycle":`...), r.Cycle, 10)
	return append(dst, '}')
}

func appendDiff(dst []byte, d Diff) []byte {
	dst = appendRef(append(dst, `{"from":`...), d.From)
	dst = appendRef(append(dst, `,"to":`...), d.To)
	dst = appendIDs(append(dst, `,"added_ids":`...), d.Added)
	dst = appendIDs(append(dst, `,"removed_ids":`...), d.Removed)
	dst = canonjson.AppendList(append(dst, `,"changed":`...), d.Changed, appendChange)
	return fmt.Appendf(dst, `,"stats":{"added":%d,"removed":%d,"changed":%d}}`, d.Stats.Added, d.Stats.Removed, d.Stats.Changed)
}

func appendChange(dst []byte, c Change) []byte {
	dst = appendText(append(dst, `{"id":`...), c.Newer.ID())
	dst = canonjson.AppendList(append(dst, `,"fields":`...), c.Fields, appendText)
	dst = c.appendPairs(dst, `,"delta":{`, c.Fields, scalar)
	if c.Content != nil {
		content, _ := json.Marshal(c.Content) // cannot fail
		dst = appendRespelled(append(dst, `,"content_diff":`...), string(content))
	}
	dst = c.appendPairs(dst, `,"materialized":{`, c.Materialized, stored)
	return append(dst, '}')
}

// appendPairs appends an object with the old and the new value of each name, as the specification
// wants a delta. It appends nothing if no name has a value in both nodes.
func (c Change) appendPairs(dst []byte, open string, names []string, of func(engine.Node, string) string) []byte {
	sep := open
	for _, name := range names {
		if older, newer := of(c.Older, name), of(c.Newer, name); older != "" && newer != "" {
			dst = append(append(appendText(append(dst, sep...), name), `:{"from":`...), older...)
			dst = append(append(append(dst, `,"to":`...), newer...), '}')
			sep = ","
		}
	}
	if sep == "," {
		dst = append(dst, '}')
	}
	return dst
}

// stored returns the JSON of a member, null if it is missing.
func stored(n engine.Node, name string) string {
	switch name {
	case "content_hash":
		return engine.Text(n.ContentHash()).String()
	case "parent":
		name = "parent_id"
	}
	if v := n.Header(name); !v.IsZero() {
		return v.String()
	}
	return "null"
}

// scalar returns the JSON of a member, or "" if it is a list or an object.
func scalar(n engine.Node, name string) string {
	s := stored(n, name)
	if s[0] == '[' || s[0] == '{' {
		return ""
	}
	return s
}

// appendRespelled appends JSON with its strings escaped as in the rest of a result.
func appendRespelled(dst []byte, text string) []byte {
	for i := strings.IndexByte(text, '"'); i >= 0; i = strings.IndexByte(text, '"') {
		end := canonjson.StringEnd(text, i)
		dst = appendText(append(dst, text[:i]...), canonjson.Unquote(text[i:end]))
		text = text[end:]
	}
	return append(dst, text...)
}

func appendIDs(dst []byte, nodes []engine.Node) []byte {
	return canonjson.AppendList(dst, nodes, func(dst []byte, n engine.Node) []byte { return appendText(dst, n.ID()) })
}

// appendText appends a JSON string.
func appendText(dst []byte, s string) []byte {
	return canonjson.AppendString(dst, strings.ToValidUTF8(s, "\uFFFD"))
}
