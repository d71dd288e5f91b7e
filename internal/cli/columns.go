package cli

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// column is a column of a table.
type column struct {
	name  string
	right bool   // numbers
	style string // of its cells on a terminal; "" for none
}

// columnLines returns the lines of a table: a header, and a line for each row. A row has a cell for
// each column; the last column takes the rest of the width, or all it needs if that is 0. Columns
// without a text are left out.
func columnLines(r *reporter, columns []column, rows [][]string, width int) []string {
	last := len(columns) - 1
	widths := make([]int, last)
	used := 0
	for i := range widths {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		widths[i] = displaywidth.String(columns[i].name)
		for _, row := range rows {
			widths[i] = max(widths[i], displaywidth.String(row[i]))
		}
		used += widths[i] + 2
	}
	line := func(row []string, isHeader bool) string {
		var b strings.Builder
		for i, w := range widths {
			if w == 0 {
				continue
			}
			pad := strings.Repeat(" ", w-displaywidth.String(row[i]))
			text := row[i]
			if !isHeader && columns[i].style != "" && text != "" {
				text = r.paint(columns[i].style, text)
			}
			if columns[i].right {
				b.WriteString(pad + text + "  ")
			} else {
				b.WriteString(text + pad + "  ")
			}
		}
		rest := row[last]
		if width > 0 {
			rest = clip(rest, max(leastPreview, width-used))
		}
		if !isHeader && columns[last].style != "" && rest != "" {
			rest = r.paint(columns[last].style, rest)
		}
		return strings.TrimRight(b.String()+rest, " ")
	}
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.name
	}
	out := []string{r.paint(bold, line(header, true))}
	for _, row := range rows {
		out = append(out, line(row, false))
	}
	return out
}
