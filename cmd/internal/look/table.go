package look

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/names"
)

// tableColumns are the columns of a table unless others are chosen. State, role, kind and name are
// left out if no node has them.
var tableColumns = []string{"id", "type", "place", "state", "role", "kind", "name", "content"}

// table is a table of nodes, one row each.
type table struct {
	columns []string
	states  map[*engine.Snapshot]string
	width   int
}

// newTable chooses the columns: the requested ones, or those that are not empty.
func newTable(columns []string, states map[*engine.Snapshot]string, nodes []engine.Node, width int) (*table, error) {
	t := &table{columns, states, width}
	if len(columns) == 0 {
		t.columns = slices.Clone(tableColumns)
		t.columns = slices.DeleteFunc(t.columns, func(name string) bool {
			return slices.Contains([]string{"state", "role", "kind", "name"}, name) &&
				!slices.ContainsFunc(nodes, func(n engine.Node) bool { return t.cell(n, name, verb.MaxCell) != "" })
		})
		return t, nil
	}
	for _, name := range columns {
		if slices.Contains(tableColumns, name) || vocab.Lookup(vocab.Attribute, name) != nil ||
			slices.ContainsFunc(nodes, func(n engine.Node) bool { return !n.Header(name).IsZero() }) {
			continue
		}
		if near := names.Nearest(name, slices.Values(tableColumns)); near != "" {
			return nil, fmt.Errorf("--columns: no node has %q; did you mean %q?", name, near)
		}
	}
	return t, nil
}

// cell returns the text of a column for a node.
func (t *table) cell(n engine.Node, column string, width int) string {
	switch column {
	case "id":
		return verb.Visible(n.ID())
	case "type":
		return verb.Visible(n.Type())
	case "place":
		return open.CoordinateOf(n)
	case "state":
		return t.states[n.Snapshot()]
	case "role":
		role, _ := n.Role()
		return verb.Clip(verb.Visible(role), width)
	case "kind":
		kind, _ := n.Kind()
		return verb.Clip(verb.Visible(kind), width)
	case "name":
		return verb.Clip(verb.Visible(open.CallName(n)), width)
	case "content":
		return open.PreviewOf(n, width)
	case "tag":
		tags, _ := n.Tags()
		return verb.Clip(verb.Visible(strings.Join(tags, ",")), width)
	}
	if v := n.Header(column); !v.IsZero() && !v.IsNull() {
		return open.ShortValue(v, width)
	}
	return ""
}

// lines returns the header and the rows.
func (t *table) lines(r *verb.Reporter, nodes []engine.Node) []string {
	last := len(t.columns) - 1
	var columns []verb.Column
	for _, name := range t.columns {
		columns = append(columns, verb.Column{Name: strings.ToUpper(verb.Visible(name)), Kept: true})
	}
	var rows [][]string
	for _, n := range nodes {
		row := make([]string, last+1)
		for i, name := range t.columns[:last] {
			row[i] = t.cell(n, name, verb.MaxCell)
		}
		rows = append(rows, row)
	}
	left := verb.LastWidth(columns, rows, t.width)
	for i, n := range nodes {
		rows[i][last] = t.cell(n, t.columns[last], left)
	}
	return verb.ColumnLines(r, columns, rows, t.width)
}

// printTable prints nodes as a table.
func (v *evalVerb) printTable(t *engine.Timeline, nodes []engine.Node) error {
	tab, err := newTable(v.columns, open.StateNames(t, nodes), nodes, v.Width())
	if err != nil {
		return err
	}
	for _, line := range tab.lines(verb.NewReporter(v.Out, "", "", v.Paints), nodes) {
		fmt.Fprintln(v.Out, line)
	}
	fmt.Fprintln(v.Out, verb.Count(len(nodes), "node"))
	return nil
}

// checkColumns refuses --columns for other formats than a table.
func (v *evalVerb) checkColumns() error {
	switch {
	case len(v.columns) == 0:
	case v.batch != "" || v.json || v.format.Value != "" && v.format.Value != "table":
		return errors.New("--columns requires --format table")
	case slices.Contains(v.columns, ""):
		return errors.New("--columns: an empty name is not a column")
	default:
		v.format.Value = "table"
	}
	return nil
}

// completeColumns completes the columns of a table, and the attributes.
func completeColumns(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out := slices.Clone(tableColumns)
	for t := range vocab.All(vocab.Attribute) {
		out = append(out, t.Name)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
