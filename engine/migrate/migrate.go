// Package migrate converts files of edition 0.1 to edition 1.0.
package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Report counts what a migration changed.
type Report struct {
	Versions int // spec_version
	Types    int // nodeType
	Roles    int // role, which became a tag
	Hashes   int // content_hash, which covers the role
}

// Changed reports whether anything was changed.
func (r Report) Changed() bool { return r != Report{} }

// String lists the counts, such as "1 version, 3 node types".
func (r Report) String() string {
	var parts []string
	add := func(n int, what, plural string) {
		if n != 1 {
			what += plural
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(r.Versions, "version", "s")
	add(r.Types, "node type", "s")
	add(r.Roles, "role", "s")
	add(r.Hashes, "content hash", "es")
	return cmp.Or(strings.Join(parts, ", "), "nothing to migrate")
}

// To10 converts the text of a history to edition 1.0: node types get their spelling of 1.0 (mt, mc
// and cb become seg, cont and block, and cb:summary becomes summary), the value of role becomes a
// tag, and spec_version becomes that of 1.0. It does so for every node, whatever spec_version the
// file has. A correct stored content_hash is recomputed, because it covers the role. Everything
// else stays as it is, including white space.
//
// The text must be in one of the formats that [engine.Read] reads, but not compressed. name is the
// name of the file, which determines the format. Before To10 returns, it checks that both texts
// have the same nodes in the same positions with the same headers, except for the changes, and that
// nothing is left to migrate. Errors of reading are those of [engine.Read]. Time and memory are
// linear in the size of the text.
func To10(name string, text []byte) ([]byte, Report, error) {
	out, report, err := rewrite(name, text)
	if err != nil {
		return nil, Report{}, err
	}
	if !report.Changed() {
		return text, report, nil
	}
	if err := verify(name, text, out); err != nil {
		return nil, Report{}, fmt.Errorf("an internal check refused the migrated text, please report this with the file: %w", err)
	}
	return out, report, nil
}

// options accept a text of any size, because it is in memory already.
var options = engine.ReadOptions{MaxBytes: 1 << 62}

// rewrite migrates a text without checking the result.
func rewrite(name string, text []byte) ([]byte, Report, error) {
	if _, err := engine.Read(name, bytes.NewReader(text), options); err != nil {
		return nil, Report{}, err
	}
	m := &migration{text: string(text)}
	m.Scanner = canonjson.NewScanner(m.text, math.MaxInt)
	begin := strings.IndexByte(m.text, '{') // after a byte order mark
	if begin < 0 {
		return nil, Report{}, &engine.Error{Code: engine.ErrFileSyntax, File: name, Msg: "the text is still compressed"}
	}
	m.Scanner.Reset(begin)
	for m.Peek() != 0 {
		if err := m.document(); err != nil {
			return nil, Report{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return m.apply(), m.report, nil
}

// migration walks through a text that is a valid history and collects edits.
type migration struct {
	*canonjson.Scanner
	text   string
	edits  []edit
	report Report
}

// edit replaces a range of the text.
type edit struct {
	start, end int
	text       string
}

// span is a range of the text.
type span struct{ start, end int }

func (m *migration) replace(s span, text string) {
	m.edits = append(m.edits, edit{s.start, s.end, text})
}

func (m *migration) raw(s span) string { return m.text[s.start:s.end] }

func (m *migration) apply() []byte {
	slices.SortFunc(m.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	out := make([]byte, 0, len(m.text)+16*len(m.edits))
	at := 0
	for _, e := range m.edits {
		out = append(append(out, m.text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, m.text[at:]...)
}

// member is one member of an object.
type member struct{ name, value span }

// object walks through an object, and skips any other value. It reads each member with the function
// for its name in read, and skips members without one. It returns the positions of the members.
func (m *migration) object(read map[string]func() error) (map[string]member, error) {
	if m.Peek() != '{' {
		return nil, m.Skip()
	}
	members := map[string]member{}
	err := m.Object(func(name string, at int) error {
		m.Peek()
		start := m.Offset()
		value := read[name]
		if value == nil {
			value = m.Skip
		}
		err := value()
		nameEnd := at + strings.LastIndexByte(m.text[at:start], '"') + 1
		members[name] = member{span{at, nameEnd}, span{start, m.Offset()}}
		return err
	})
	return members, err
}

// list returns a function that walks through a list, or skips any other value.
func (m *migration) list(element func() error) func() error {
	return func() error {
		if m.Peek() != '[' {
			return m.Skip()
		}
		return m.Array(func(int) error { return element() })
	}
}

// document migrates a snapshot or a history.
func (m *migration) document() error {
	members, err := m.object(map[string]func() error{
		"root": m.node, "snapshots": m.list(m.document), "working": m.document, "cadence": m.list(m.cadence),
	})
	if err != nil {
		return err
	}
	if v, ok := members["spec_version"]; ok && m.raw(v.value) != quote(engine.Edition10.SpecVersion()) {
		m.replace(v.value, quote(engine.Edition10.SpecVersion()))
		m.report.Versions++
	}
	return nil
}

// cadence migrates the node of a cadence.
func (m *migration) cadence() error {
	_, err := m.object(map[string]func() error{"node": m.list(m.node)})
	return err
}

// node migrates a node and its descendants.
func (m *migration) node() error {
	members, err := m.object(map[string]func() error{"children": m.list(m.node)})
	if err != nil {
		return err
	}
	if v, ok := members["nodeType"]; ok {
		if old := m.word(v.value); old != "" && TypeName(old) != old {
			m.replace(v.value, quote(TypeName(old)))
			m.report.Types++
		}
	}
	return m.role(members)
}

// word returns the value of a string, or "" for any other value.
func (m *migration) word(s span) string {
	if m.text[s.start] != '"' {
		return ""
	}
	return canonjson.Unquote(m.raw(s))
}

// role turns the role of a node into a tag.
func (m *migration) role(members map[string]member) error {
	r, ok := members["role"]
	if !ok || m.text[r.value.start] != '"' {
		return nil // no role, or null
	}
	role, word := m.word(r.value), m.raw(r.value)
	if err := m.hash(members); err != nil {
		return err
	}
	m.report.Roles++
	t, hasTag := members["tag"]
	if !hasTag && role != "" {
		m.replace(r.name, `"tag"`)
		m.replace(r.value, "["+word+"]")
		return nil
	}
	m.remove(r)
	if role == "" {
		return nil
	}
	list := m.raw(t.value)
	if list[0] == '"' {
		list = "[" + list + "]"
	}
	var tags []json.RawMessage // most are strings; null has none
	if err := json.Unmarshal([]byte(list), &tags); err != nil {
		return err
	}
	switch {
	case len(tags) == 0:
		m.replace(t.value, "["+word+"]")
	case !slices.ContainsFunc(tags, func(tag json.RawMessage) bool { return tag[0] == '"' && canonjson.Unquote(string(tag)) == role }):
		m.replace(t.value, strings.TrimSuffix(list, "]")+", "+word+"]")
	}
	return nil
}

// remove removes a member from its object, together with the comma after it or, if it is the last
// one, the comma before it.
func (m *migration) remove(one member) {
	const space = " \t\r\n"
	rest := strings.TrimLeft(m.text[one.value.end:], space)
	if rest, ok := strings.CutPrefix(rest, ","); ok {
		rest = strings.TrimLeft(rest, space)
		m.replace(span{one.name.start, len(m.text) - len(rest)}, "")
		return
	}
	before := strings.TrimRight(m.text[:one.name.start], space+",")
	m.replace(span{len(before), one.value.end}, "")
}

// hash recomputes a stored content hash if it is correct for the original node.
func (m *migration) hash(members map[string]member) error {
	stored, ok := members["content_hash"]
	if !ok {
		return nil
	}
	doc := []byte(`{"root":{"id":"r"`)
	for name, v := range members {
		if name != "id" && name != "children" && name != "nodeType" {
			doc = append(append(append(append(doc, ','), m.raw(v.name)...), ':'), m.raw(v.value)...)
		}
	}
	t, err := engine.Read("node", bytes.NewReader(append(doc, "}}"...)), options)
	if err != nil {
		return err
	}
	var report Report
	next := migrated(tree.Node(t.At(0).Root()).Rec(), &report)
	if report.Hashes > 0 {
		m.replace(stored.value, quote(next.Extra().Hash))
		m.report.Hashes++
	}
	return nil
}

// quote returns a JSON string that escapes only the characters that must be escaped.
func quote(s string) string { return string(canonjson.EncodeLine(s)) }

// TypeName returns the spelling of a node type in edition 1.0. The base and the user type stay the
// same. If the user type alone would be read as something else, the result includes the base.
func TypeName(old string) string {
	head, user, _ := strings.Cut(old, ":")
	base := vocab.Lookup(vocab.Type, head)
	switch {
	case base == nil:
		return old
	case user == "":
		return base.Name
	}
	first, _, _ := strings.Cut(user, ":")
	if base.Name != "block" || vocab.Lookup(vocab.Type, first) != nil || vocab.Lookup(vocab.Region, strings.TrimPrefix(first, "^")) != nil {
		return base.Name + ":" + user
	}
	return user
}
