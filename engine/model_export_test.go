package engine_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
)

// json writes a tree the slow way; at is the cycle lifetimes are counted from.
func (m *model) json(n *mnode, at int64) map[string]any {
	out := map[string]any{
		"id": n.id, "nodeType": n.typ, "parent_id": nil, "offset": n.offset, "ttl": nil, "priority": n.priority,
		"cycle": n.cycle, "created_at_ns": n.ns, "created_at_iso": n.iso, "creation_index": n.index,
	}
	if n.up != nil {
		out["parent_id"] = n.up.id
	}
	living := n
	if id, ok := n.target(); ok {
		living = m.find(id)
	}
	if living.ttl != nil {
		out["ttl"] = max(0, living.expires-max(at, living.from))
	}
	if n.key != "" {
		out["key"] = n.key
	}
	if n.content != "" {
		out["content"] = json.RawMessage(n.content)
	}
	if n.cad != nil {
		out["cad"] = *n.cad
	}
	if n.removable {
		out["removable"] = true
	}
	if n.pinned {
		out["pinned"] = true
	}
	if n.refs != nil {
		out["refs"] = n.refs
	}
	var kids []map[string]any
	for _, k := range n.kids {
		kids = append(kids, m.json(k, at))
	}
	if kids != nil {
		out["children"] = kids
	}
	return out
}

func (m *model) export(cycle, at int64) []byte {
	data, err := json.Marshal(map[string]any{"cycle": cycle, "root": m.json(m.root, at), "spec_version": "PACT/1.0.0"})
	if err != nil {
		panic(err)
	}
	return data
}

// diffExports compares two exports member by member.
func diffExports(a, b *flat) string {
	added, removed, changed := []string{}, []string{}, []map[string]any{}
	for _, n := range b.order {
		old, ok := a.nodes[n]
		if !ok {
			added = append(added, n)
			continue
		}
		var fields []string
		for name := range b.nodes[n] {
			if name != "children" && !gocmp.Equal(old[name], b.nodes[n][name]) {
				fields = append(fields, name)
			}
		}
		for name := range old {
			if _, ok := b.nodes[n][name]; !ok && name != "children" {
				fields = append(fields, name)
			}
		}
		for i, f := range fields {
			fields[i] = map[string]string{"parent_id": "parent", "content": "content_hash"}[f]
			fields[i] = cmp.Or(fields[i], f)
		}
		if slices.Sort(fields); len(fields) > 0 {
			changed = append(changed, map[string]any{"id": n, "fields": fields})
		}
	}
	for _, n := range a.order {
		if _, ok := b.nodes[n]; !ok {
			removed = append(removed, n)
		}
	}
	out := func(v any) string { data, _ := json.Marshal(v); return string(data) }
	list := make([]string, len(changed))
	for i, c := range changed {
		list[i] = fmt.Sprintf(`{"id":%s,"fields":%s}`, out(c["id"]), out(c["fields"]))
	}
	return fmt.Sprintf(`{"added":%s,"removed":%s,"changed":[%s]}`, out(added), out(removed), strings.Join(list, ","))
}

type flat struct {
	order []string
	nodes map[string]map[string]any
}

func flatten(export []byte) *flat {
	var doc struct{ Root map[string]any }
	dec := json.NewDecoder(bytes.NewReader(export))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		panic(err)
	}
	f := &flat{nodes: map[string]map[string]any{}}
	f.add(doc.Root)
	return f
}

func (f *flat) add(n map[string]any) {
	id := n["id"].(string)
	f.order = append(f.order, id)
	f.nodes[id] = n
	kids, _ := n["children"].([]any)
	for _, k := range kids {
		f.add(k.(map[string]any))
	}
}
