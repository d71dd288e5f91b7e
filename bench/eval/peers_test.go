package eval

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/itchyny/gojq"
	_ "github.com/mattn/go-sqlite3"
	xhtml "golang.org/x/net/html"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// html is a node of the tree that the CSS selectors are matched against.
type html struct{ *xhtml.Node }

func (n html) attr(name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (n html) priority() int {
	p, _ := strconv.Atoi(n.attr("data-priority"))
	return p
}

func newHTML(t []node) *xhtml.Node {
	made := make([]*xhtml.Node, len(t))
	for i, n := range t {
		classes := []string{n.base, strings.TrimPrefix(n.class, "^")}
		for _, w := range n.tags {
			classes = append(classes, "t-"+w)
		}
		made[i] = &xhtml.Node{Type: xhtml.ElementNode, Data: "div", Attr: []xhtml.Attribute{
			{Key: "id", Val: n.id},
			{Key: "class", Val: strings.Join(classes, " ")},
			{Key: "data-key", Val: n.key},
			{Key: "data-priority", Val: strconv.Itoa(n.priority)},
		}}
		if n.parent >= 0 {
			made[n.parent].AppendChild(made[i])
		}
	}
	doc := &xhtml.Node{Type: xhtml.DocumentNode}
	doc.AppendChild(made[0])
	return doc
}

func newMaps(t []node) map[string]any {
	made := make([]map[string]any, len(t))
	for i := len(t) - 1; i >= 0; i-- {
		n := t[i]
		tags := []any{}
		for _, w := range n.tags {
			tags = append(tags, w)
		}
		kids := []any{}
		for k := i + 1; k < n.end; k = t[k].end {
			kids = append(kids, made[k])
		}
		made[i] = map[string]any{
			"id": n.id, "base": n.base, "class": n.class, "key": n.key, "priority": n.priority, "tags": tags, "children": kids,
		}
	}
	return made[0]
}

func newTable(b testing.TB, t []node) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	run := func(text string, args ...any) {
		if _, err := db.Exec(text, args...); err != nil {
			b.Fatal(text, err)
		}
	}
	run(`CREATE TABLE nodes (pos INTEGER PRIMARY KEY, id TEXT, base TEXT, class TEXT, key TEXT, priority INT, depth INT, parent INT, end INT)`)
	run(`CREATE TABLE tags (tag TEXT, pos INT, PRIMARY KEY (tag, pos)) WITHOUT ROWID`)
	run(`BEGIN`)
	for i, n := range t {
		run(`INSERT INTO nodes VALUES (?,?,?,?,?,?,?,?,?)`, i, n.id, n.base, n.class, n.key, n.priority, n.depth, n.parent, n.end)
		for _, w := range n.tags {
			run(`INSERT INTO tags VALUES (?,?)`, w, i)
		}
	}
	run(`COMMIT`)
	for _, columns := range []string{"id", "base", "class", "key", "depth, base", "class, priority", "base, priority"} {
		run(fmt.Sprintf("CREATE INDEX 'by %s' ON nodes (%s)", columns, columns))
	}
	run(`ANALYZE`)
	return db
}

// tree is one tree in the representation of every library.
type tree struct {
	nodes   []node
	id, key string
	snap    *engine.Snapshot
	html    *xhtml.Node
	page    *goquery.Document
	maps    map[string]any
	table   *sql.DB
	flat    *flat
	index   *index
}

func newTrees(b testing.TB, n int) *tree {
	t := &tree{nodes: newTree(n)}
	for i := len(t.nodes) / 2; t.id == "" || t.key == ""; i++ {
		t.id = t.nodes[i].id
		t.key = t.nodes[i].key
	}
	t.snap = snapshot(b, t.nodes)
	t.html = newHTML(t.nodes)
	t.page = goquery.NewDocumentFromNode(t.html)
	t.maps = newMaps(t.nodes)
	t.table = newTable(b, t.nodes)
	t.flat = newFlat(t.nodes, t.id, t.key)
	t.index = newIndex(t.flat)
	return t
}

// alone releases the representations of all libraries except one. The garbage collector scans all
// live memory, so a library with a long answer would otherwise pay for the trees of the others.
func (t *tree) alone(lib string) *tree {
	t.nodes = nil
	if lib != "pactkit" && lib != "pactkit-into" {
		t.snap = nil
	}
	if lib != "cascadia" {
		t.html = nil
	}
	if lib != "goquery" {
		t.page = nil
	}
	if lib != "gojq" {
		t.maps = nil
	}
	if lib != "index" {
		t.index = nil
		if lib != "loop" {
			t.flat = nil
		}
	}
	runtime.GC()
	return t
}

// libs lists the libraries, by the names that ways uses.
var libs = []string{"pactkit", "pactkit-into", "loop", "index", "cascadia", "goquery", "gojq", "sqlite"}

func (t *tree) fill(text string) string {
	return strings.NewReplacer("%ID%", t.id, "%KEY%", t.key).Replace(text)
}

// way is a query in one library. run returns the number of nodes it finds, ids their ids.
type way struct {
	lib string
	run func() int
	ids func() []string
}

func (t *tree) ways(b testing.TB, q query) []way {
	b.Helper()
	plan := compile(b, t.fill(q.pact))
	ctx := context.Background()
	pact := func() []engine.Node {
		nodes, err := plan.Nodes(ctx, t.snap)
		if err != nil {
			b.Fatal(err)
		}
		return nodes
	}
	var room []engine.Node // the slice of a caller that repeats the query
	into := func() []engine.Node {
		nodes, err := plan.AppendNodes(ctx, room[:0], t.snap)
		if err != nil {
			b.Fatal(err)
		}
		room = nodes
		return nodes
	}
	css := cascadia.MustCompile(t.fill(q.css))
	matched := func() []*xhtml.Node {
		list := css.MatchAll(t.html)
		if q.keep == nil {
			return list
		}
		kept := list[:0]
		for _, n := range list {
			if q.keep(html{n}) {
				kept = append(kept, n)
			}
		}
		return kept
	}
	matcher := goquery.Matcher(css)
	selected := func() *goquery.Selection {
		s := t.page.FindMatcher(matcher)
		if q.keep != nil {
			s = s.FilterFunction(func(_ int, s *goquery.Selection) bool { return q.keep(html{s.Nodes[0]}) })
		}
		return s
	}
	parsed, err := gojq.Parse(t.fill(q.jq))
	if err != nil {
		b.Fatal(err)
	}
	program, err := gojq.Compile(parsed)
	if err != nil {
		b.Fatal(err)
	}
	jq := func() []string {
		out := []string{}
		for it := program.Run(t.maps); ; {
			v, ok := it.Next()
			if !ok {
				return out
			}
			if err, failed := v.(error); failed {
				b.Fatal(err)
			}
			out = append(out, v.(string))
		}
	}
	statement, err := t.table.Prepare(t.fill(q.sql))
	if err != nil {
		b.Fatal(err)
	}
	rows := func() []string {
		out := []string{}
		rows, err := statement.Query()
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				b.Fatal(err)
			}
			out = append(out, id)
		}
		return out
	}
	attrs := func(list []*xhtml.Node) []string {
		out := []string{}
		for _, n := range list {
			out = append(out, html{n}.attr("id"))
		}
		return out
	}
	texts := func(f func() []string) way { return way{run: func() int { return len(f()) }, ids: f} }
	named := func(lib string, w way) way { w.lib = lib; return w }
	return []way{
		{"pactkit", func() int { return len(pact()) }, func() []string {
			out := []string{}
			for _, n := range pact() {
				out = append(out, n.ID())
			}
			return out
		}},
		{"pactkit-into", func() int { return len(into()) }, func() []string { return ids(into()) }},
		named("loop", texts(func() []string { return q.loop(t.flat) })),
		named("index", texts(func() []string { return q.find(t.index) })),
		{"cascadia", func() int { return len(matched()) }, func() []string { return attrs(matched()) }},
		{"goquery", func() int { return selected().Length() }, func() []string { return attrs(selected().Nodes) }},
		named("gojq", texts(jq)),
		named("sqlite", texts(rows)),
	}
}

func compile(b testing.TB, text string) *eval.Plan {
	b.Helper()
	q, ds := parser.ParseSelector(text, parser.Options{})
	if diag.HasErrors(ds) {
		b.Fatal(text, ds)
	}
	plan, ds := eval.Compile(q)
	if plan == nil {
		b.Fatal(text, ds)
	}
	return plan
}
