package eval_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

func (s state) ref() map[string]any {
	return map[string]any{"kind": s.kind, "value": s.value, "label": s.label, "cycle": s.snap.Cycle()}
}

// difference compares what two snapshots select.
func difference(newer, older state, in, out []*node, o eval.Options) (block map[string]any, cut bool) {
	find := func(list []*node, id string) *node {
		if i := slices.IndexFunc(list, func(n *node) bool { return n.id() == id }); i >= 0 {
			return list[i]
		}
		return nil
	}
	added, removed, changed := []string{}, []string{}, []any{}
	for _, n := range in {
		old := find(out, n.id())
		if old == nil {
			added = append(added, n.id())
			continue
		}
		if c := change(newer, older, n, old, o); c != nil {
			changed = append(changed, c)
		}
	}
	for _, n := range out {
		if find(in, n.id()) == nil {
			removed = append(removed, n.id())
		}
	}
	stats := map[string]any{"added": len(added), "removed": len(removed), "changed": len(changed)}
	if o.MaxChanges > 0 {
		room := o.MaxChanges
		added, room, cut = head(added, room, cut)
		removed, room, cut = head(removed, room, cut)
		changed, _, cut = head(changed, room, cut)
	}
	return map[string]any{
		"from": newer.ref(), "to": older.ref(), "added_ids": added, "removed_ids": removed, "changed": changed, "stats": stats,
	}, cut
}

func head[T any](list []T, room int, cut bool) ([]T, int, bool) {
	n := min(room, len(list))
	return list[:n], room - n, cut || n < len(list)
}

// asPython compares the numbers of contents as content hashes see them, which is as Python does:
// 5e0 is 5.0, but not 5.
var asPython = gocmp.Comparer(func(a, b json.Number) bool {
	isInt := func(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }
	if isInt(a) || isInt(b) {
		return isInt(a) == isInt(b) && number(a.String()).Cmp(number(b.String())) == 0
	}
	x, _ := a.Float64() // a number that does not fit is infinite
	y, _ := b.Float64()
	return math.Float64bits(x) == math.Float64bits(y)
})

// change reports how a node differs between two snapshots; nil if it does not.
func change(newer, older state, n, old *node, o eval.Options) any {
	fields := []string{}
	delta := map[string]any{}
	members := map[string]bool{"parent_id": true, "content_hash": true}
	for _, m := range []*node{n, old} {
		for name := range m.headers {
			members[name] = true
		}
	}
	delete(members, "content") // reported as content_hash
	for name := range members {
		a, inA := old.headers[name]
		b, inB := n.headers[name]
		same := inA == inB && gocmp.Equal(a, b)
		switch {
		case n.defaulted[name] && old.defaulted[name]:
			same = true
		case name == "content_hash":
			a, b = old.contentHash(), n.contentHash()
			was, inOld := old.headers["content"]
			is, inNew := n.headers["content"]
			same = a == b && inOld == inNew && gocmp.Equal(was, is, asPython) // a content of null is one
		case slices.Contains(numeric, name) && !slices.Contains(derived, name): // a member of that name is custom
			x, ok1 := a.(json.Number)
			y, ok2 := b.(json.Number)
			if ok1 && ok2 {
				same = number(x.String()).Cmp(number(y.String())) == 0
			}
		}
		if same {
			continue
		}
		if name == "parent_id" {
			name = "parent"
		}
		fields = append(fields, name)
		_, okA := scalar(a)
		_, okB := scalar(b)
		if (okA || a == nil) && (okB || b == nil) {
			delta[name] = map[string]any{"from": a, "to": b} // from old to new
		}
	}
	if len(fields) == 0 {
		return nil
	}
	slices.Sort(fields)
	c := map[string]any{"id": n.id(), "fields": fields}
	if len(delta) > 0 {
		c["delta"] = delta
	}
	if o.IncludeContent && slices.Contains(fields, "content_hash") {
		a, _ := old.tree.snap.Find(n.id())
		b, _ := n.tree.snap.Find(n.id())
		d, err := engine.DiffContent(a, b, engine.ContentOptions{
			Mode: o.ContentMode, Context: o.ContextLines, Older: older.label, Newer: newer.label,
		})
		if err != nil {
			panic(err) // the tests use only modes that exist
		}
		c["content_diff"] = d
	}
	if len(o.Materialize) > 0 {
		members := map[string]any{}
		for _, name := range o.Materialize {
			a, b := old.headers[name], n.headers[name]
			if name == "content_hash" {
				a, b = old.contentHash(), n.contentHash()
			}
			members[name] = map[string]any{"from": a, "to": b}
		}
		c["materialized"] = members
	}
	return c
}

// decoded brings a value into the form that a reader of its JSON sees.
func decoded(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return decode(data)
}

func decode(data []byte) any {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(err)
	}
	return v
}
