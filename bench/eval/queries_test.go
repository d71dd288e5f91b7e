package eval

// query is the same question in every language. %ID% stands for the id of a node in the middle of
// the tree, %KEY% for a key.
type query struct {
	name string
	pact string
	css  string
	// keep is the part of a query that CSS cannot express. It filters the results of CSS.
	keep func(html) bool
	jq   string
	sql  string
	loop func(*flat) []string
	find func(*index) []string
}

const (
	all  = `def all: recurse(.children[]?); `
	jqID = ` | .id`
)

var queries = []query{
	{
		name: "id",
		pact: "{id='%ID%'}",
		css:  "[id='%ID%']",
		jq:   all + `first(all | select(.id == "%ID%"))` + jqID,
		sql:  `SELECT id FROM nodes WHERE id = '%ID%'`,
		loop: func(f *flat) []string {
			for i := range f.nodes {
				if f.nodes[i].id == f.id {
					return []string{f.nodes[i].id}
				}
			}
			return nil
		},
		find: func(x *index) []string { return []string{x.nodes[x.ids[x.id]].id} },
	},
	{
		name: "key",
		pact: "#%KEY%",
		css:  "[data-key='%KEY%']",
		jq:   all + `all | select(.key == "%KEY%")` + jqID,
		sql:  `SELECT id FROM nodes WHERE key = '%KEY%' ORDER BY pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool { return n.key == f.key })
		},
		find: func(x *index) []string { return x.texts(x.keys[x.key]) },
	},
	{
		name: "sparse-type",
		pact: "^seq .redaction",
		css:  ".seq .redaction",
		jq:   all + `.children[1] | all | select(.class == "redaction")` + jqID,
		sql:  `SELECT n.id FROM nodes n, nodes s WHERE s.class = '^seq' AND n.class = 'redaction' AND n.pos > s.pos AND n.pos < s.end ORDER BY n.pos`,
		loop: func(f *flat) []string {
			out := []string{}
			for i := f.seq + 1; i < f.nodes[f.seq].end; i++ {
				if f.nodes[i].class == "redaction" {
					out = append(out, f.nodes[i].id)
				}
			}
			return out
		},
		find: func(x *index) []string { return x.texts(x.below(x.classes["redaction"], x.seq)) },
	},
	{
		name: "dense-type",
		pact: ".block",
		css:  ".block",
		jq:   all + `all | select(.base == "block")` + jqID,
		sql:  `SELECT id FROM nodes WHERE base = 'block' ORDER BY pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool { return n.base == "block" })
		},
		find: func(x *index) []string { return x.texts(x.bases["block"]) },
	},
	{
		name: "type-and-number",
		pact: ".note[priority>8]",
		css:  ".note",
		keep: func(n html) bool { return n.priority() > 8 },
		jq:   all + `all | select(.class == "note" and .priority > 8)` + jqID,
		sql:  `SELECT id FROM nodes WHERE class = 'note' AND priority > 8 ORDER BY pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool { return n.class == "note" && n.priority > 8 })
		},
		find: func(x *index) []string {
			return x.where(x.classes["note"], func(n *flatNode) bool { return n.priority > 8 })
		},
	},
	{
		name: "base-and-number",
		pact: ".block[priority>8]",
		css:  ".block",
		keep: func(n html) bool { return n.priority() > 8 },
		jq:   all + `all | select(.base == "block" and .priority > 8)` + jqID,
		sql:  `SELECT id FROM nodes WHERE base = 'block' AND priority > 8 ORDER BY pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool { return n.base == "block" && n.priority > 8 })
		},
		find: func(x *index) []string {
			return x.where(x.bases["block"], func(n *flatNode) bool { return n.priority > 8 })
		},
	},
	{
		name: "child-chain",
		pact: ".seg > .cont > .summary",
		css:  ".seg > .cont > .summary",
		jq:   all + `all | select(.base == "seg") | .children[]? | select(.base == "cont") | .children[]? | select(.class == "summary")` + jqID,
		sql: `SELECT n.id FROM nodes n JOIN nodes c ON c.pos = n.parent JOIN nodes s ON s.pos = c.parent
			WHERE n.class = 'summary' AND c.base = 'cont' AND s.base = 'seg' ORDER BY n.pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool {
				if n.class != "summary" {
					return false
				}
				core := &f.nodes[n.parent]
				return core.base == "cont" && f.nodes[core.parent].base == "seg"
			})
		},
		find: func(x *index) []string {
			return x.where(x.classes["summary"], func(n *flatNode) bool {
				core := &x.nodes[n.parent]
				return core.base == "cont" && x.nodes[core.parent].base == "seg"
			})
		},
	},
	{
		name: "depths",
		pact: "d1..d3 .block",
		css:  ".seq > .seg:nth-last-child(-n+3) .block",
		jq:   all + `.children[1].children[-3:][] | all | select(.base == "block")` + jqID,
		sql:  `SELECT id FROM nodes WHERE depth BETWEEN 1 AND 3 AND base = 'block' ORDER BY pos`,
		loop: func(f *flat) []string {
			end := f.nodes[f.seq].end
			from := end
			for n := 0; n < 3; { // walk back to the third segment from the end
				if from--; f.nodes[from].base == "seg" {
					n++
				}
			}
			out := []string{}
			for i := from; i < end; i++ {
				if f.nodes[i].base == "block" {
					out = append(out, f.nodes[i].id)
				}
			}
			return out
		},
		find: func(x *index) []string {
			from := x.segments[len(x.segments)-3]
			out := []string{}
			for i := from; i < x.nodes[x.seq].end; i++ {
				if x.nodes[i].base == "block" {
					out = append(out, x.nodes[i].id)
				}
			}
			return out
		},
	},
	{
		name: "two-tags",
		pact: "+pinned+open",
		css:  ".t-pinned.t-open",
		jq:   all + `all | select(.tags | contains(["pinned", "open"]))` + jqID,
		sql:  `SELECT n.id FROM tags a JOIN tags b ON b.pos = a.pos JOIN nodes n ON n.pos = a.pos WHERE a.tag = 'open' AND b.tag = 'pinned' ORDER BY n.pos`,
		loop: func(f *flat) []string {
			return f.where(func(n *flatNode) bool { return n.tagged("pinned") && n.tagged("open") })
		},
		find: func(x *index) []string {
			return x.where(x.tags["open"], func(n *flatNode) bool { return n.tagged("pinned") })
		},
	},
}
