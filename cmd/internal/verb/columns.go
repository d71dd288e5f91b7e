package verb

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Column is a column of a table.
type Column struct {
	Name  string
	Right bool   // numbers
	Style string // of its cells on a terminal; "" for none
	Kept  bool   // also without a text
}

// columnWidths returns the widths of all columns but the last, 0 for one that is left out, and how
// many columns of the terminal they take.
func columnWidths(columns []Column, rows [][]string) (widths []int, used int) {
	widths = make([]int, len(columns)-1)
	for i := range widths {
		if !columns[i].Kept && !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		widths[i] = displaywidth.String(columns[i].Name)
		for _, row := range rows {
			widths[i] = max(widths[i], displaywidth.String(row[i]))
		}
		used += widths[i] + 2
	}
	return widths, used
}

// LastWidth returns the width that [ColumnLines] gives to the last column of rows, which need not
// have their last cell yet.
func LastWidth(columns []Column, rows [][]string, width int) int {
	_, used := columnWidths(columns, rows)
	return max(LeastPreview, width-used)
}

// ColumnLines returns the lines of a table: a header, and a line for each row. A row has a cell for
// each column; the last column takes the rest of the width, or all it needs if that is 0. Columns
// without a text are left out, unless they are kept.
func ColumnLines(r *Reporter, columns []Column, rows [][]string, width int) []string {
	last := len(columns) - 1
	widths, used := columnWidths(columns, rows)
	line := func(row []string, isHeader bool) string {
		var b strings.Builder
		for i, w := range widths {
			if w == 0 {
				continue
			}
			pad := padding(row[i], w)
			text := row[i]
			if !isHeader && columns[i].Style != "" && text != "" {
				text = r.Paint(columns[i].Style, text)
			}
			if columns[i].Right {
				b.WriteString(pad + text + "  ")
			} else {
				b.WriteString(text + pad + "  ")
			}
		}
		rest := row[last]
		if width > 0 && !isHeader {
			rest = Clip(rest, max(LeastPreview, width-used))
		}
		if !isHeader && columns[last].Style != "" && rest != "" {
			rest = r.Paint(columns[last].Style, rest)
		}
		return strings.TrimRight(b.String()+rest, " ")
	}
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.Name
	}
	out := []string{r.Paint(Bold, line(header, true))}
	for _, row := range rows {
		out = append(out, line(row, false))
	}
	return out
}

// Padded returns a text with spaces up to a width.
func Padded(text string, width int, right bool) string {
	if right {
		return padding(text, width) + text
	}
	return text + padding(text, width)
}

func padding(text string, width int) string {
	return strings.Repeat(" ", max(0, width-displaywidth.String(text)))
}

// Width returns the width of the terminal, or the usual one.
func (r *Run) Width() int {
	if r.OutWidth > 0 {
		return r.OutWidth
	}
	return plainWidth
}

// Clip cuts a text to a width in columns.
func Clip(text string, width int) string {
	if displaywidth.String(text) <= width {
		return text
	}
	return displaywidth.TruncateString(text, width, "…")
}

const (
	// plainWidth is the width of a table without a terminal.
	plainWidth = 120
	// LeastPreview is the smallest width of a preview.
	LeastPreview = 20
	// MaxCell is the largest width of a value that is not the last in its row.
	MaxCell = 40
)
