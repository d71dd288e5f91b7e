package engine_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// member is a member of the object of a node, with its value as JSON.
type member struct{ name, value string }

// members returns the members of a node, except its children, in the order of their names. at is
// the cycle from which lifetimes count.
func (m *model) members(n *mnode, at int64) []member {
	var out []member
	add := func(name, value string, given bool) {
		if given {
			out = append(out, member{name, value})
		}
	}
	number := func(i int64) string { return strconv.FormatInt(i, 10) }
	parent, ttl, cad := "null", "null", ""
	if n.up != nil {
		parent = strconv.Quote(n.up.id)
	}
	living := n
	if id, ok := n.target(); ok {
		living = m.find(id)
	}
	if living.ttl != nil {
		ttl = number(max(0, living.expires-max(at, living.from)))
	}
	if n.cad != nil {
		cad = number(*n.cad)
	}
	add("cad", cad, n.cad != nil)
	add("content", n.content, n.content != "")
	add("created_at_iso", strconv.Quote(n.iso), true)
	add("created_at_ns", number(n.ns), true)
	add("creation_index", number(n.index), true)
	add("cycle", number(n.cycle), true)
	add("id", strconv.Quote(n.id), true)
	add("key", strconv.Quote(n.key), n.key != "")
	add("kind", strconv.Quote(n.kind), n.kind != "")
	add("nodeType", strconv.Quote(n.typ), true)
	add("offset", number(n.offset), true)
	add("parent_id", parent, true)
	add("pinned", "true", n.pinned)
	add("priority", number(n.priority), true)
	add("refs", list(n.refs), n.refs != nil)
	add("removable", "true", n.removable)
	add("role", strconv.Quote(n.role), n.role != "")
	add("tag", list([]string{n.role}), n.role != "" && m.edition == engine.Edition10)
	add("ttl", ttl, true)
	return out
}

// list returns an array of strings.
func list(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = strconv.Quote(id)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// object appends a subtree the slow way.
func (m *model) object(b []byte, n *mnode, at int64) []byte {
	sep, kids := byte('{'), n.kids
	name := func(name string) {
		b = append(append(append(b, sep, '"'), name...), '"', ':')
		sep = ','
	}
	for _, x := range m.members(n, at) {
		if len(kids) > 0 && x.name > "children" {
			name("children")
			b = append(b, '[')
			for _, k := range kids {
				b = append(m.object(b, k, at), ',')
			}
			b[len(b)-1], kids = ']', nil
		}
		name(x.name)
		b = append(b, x.value...)
	}
	return append(b, '}')
}

func (m *model) export(cycle, at int64) []byte {
	b := fmt.Appendf(nil, `{"cycle":%d,"root":`, cycle)
	return append(m.object(b, m.root, at), `,"spec_version":"`+m.edition.SpecVersion()+`"}`...)
}

// flat returns the nodes of the tree.
type flat struct {
	order   []string
	members map[string][]member
}

func (m *model) flatten(at int64) *flat {
	f := &flat{members: map[string][]member{}}
	for _, n := range m.root.all() {
		f.order = append(f.order, n.id)
		f.members[n.id] = m.members(n, at)
	}
	return f
}

// diff compares two trees member by member.
func (f *flat) diff(next *flat) string {
	var added, removed, changed []string
	for _, id := range next.order {
		old, ok := f.members[id]
		if !ok {
			added = append(added, id)
			continue
		}
		var fields []string
		differ := func(from, than []member) {
			for _, x := range from {
				if !slices.Contains(than, x) {
					name := map[string]string{"parent_id": "parent", "content": "content_hash"}[x.name]
					fields = append(fields, cmp.Or(name, x.name))
				}
			}
		}
		differ(old, next.members[id])
		differ(next.members[id], old)
		slices.Sort(fields)
		if fields = slices.Compact(fields); len(fields) > 0 {
			changed = append(changed, fmt.Sprintf(`{"id":%q,"fields":%s}`, id, list(fields)))
		}
	}
	for _, id := range f.order {
		if _, ok := next.members[id]; !ok {
			removed = append(removed, id)
		}
	}
	return fmt.Sprintf(`{"added":%s,"removed":%s,"changed":[%s]}`, list(added), list(removed), strings.Join(changed, ","))
}
