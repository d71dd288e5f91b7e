package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/pactkit/pactkit/engine"
)

// coordinateOf returns the coordinate of a node: its depth, and the offset of each node on the way
// from there. For a node without a depth it returns the region.
func coordinateOf(n engine.Node) string {
	depth, ok := n.Depth()
	if !ok {
		if _, hasParent := n.Parent(); !hasParent {
			return "^root"
		}
		return visible(n.Type())
	}
	parts := []string{}
	for {
		up, ok := n.Parent()
		if !ok || up.Base() == engine.BaseRegion && depth > 0 || n.Base() == engine.BaseRegion {
			break
		}
		parts = append(parts, n.Offset().String())
		n = up
	}
	parts = append(parts, "d"+engine.Int(int64(depth)).String())
	slices.Reverse(parts)
	return strings.Join(parts, ",")
}

// previewOf returns the beginning of the content of a node on one line of a width in columns.
func previewOf(n engine.Node, width int) string {
	return shortValue(n.Content(), width)
}

// shortValue returns the beginning of a value on one line: a string without its quotes, anything
// else as JSON.
func shortValue(v engine.Value, width int) string {
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	// A character takes at most four bytes, so what is cut off here would not fit.
	if most := 16 * width; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return clip(visible(strings.Join(strings.Fields(text), " ")), width)
}

// clip cuts a text to a width in columns.
func clip(text string, width int) string {
	if displaywidth.String(text) <= width {
		return text
	}
	return displaywidth.TruncateString(text, width, "…")
}

// maxValue is the width in columns of a value in a line about a change.
const maxValue = 40

// removedLine, addedLine and changedLine describe a change of a node in a line.
func removedLine(r *reporter, n engine.Node) string { return changeLine(r, "31", "-", n, summaryOf(n)) }

func addedLine(r *reporter, n engine.Node) string { return changeLine(r, "32", "+", n, summaryOf(n)) }

func changedLine(r *reporter, ch engine.Change) string {
	return changeLine(r, "33", "~", ch.New, strings.Join(changedValues(ch), "  "))
}

func changeLine(r *reporter, style, sign string, n engine.Node, rest string) string {
	return strings.TrimRight(r.paint(style, sign+" "+visible(n.ID()))+"  "+rest, " ")
}

func summaryOf(n engine.Node) string {
	parts := []string{visible(n.Type()), coordinateOf(n)}
	if name := callName(n); name != "" {
		kind, _ := n.Kind()
		parts = append(parts, clip(visible(strings.TrimSpace(kind+" "+name)), maxValue))
	}
	return strings.Join(append(parts, previewOf(n, maxValue)), "  ")
}

// changedValues returns the old and the new value of each changed header.
func changedValues(ch engine.Change) []string {
	var out []string
	for _, field := range ch.Fields {
		name, old, now := field, ch.Old.Header(field), ch.New.Header(field)
		switch field {
		case "parent":
			old, now = ch.Old.Header("parent_id"), ch.New.Header("parent_id")
		case "content_hash":
			name, old, now = "content", ch.Old.Content(), ch.New.Content()
			if old == now { // kind, role or the stored hash differs
				name, old, now = field, engine.Text(ch.Old.ContentHash()), engine.Text(ch.New.ContentHash())
			}
		}
		show := func(x engine.Value) string {
			if x.IsZero() {
				return "-"
			}
			return strconv.Quote(shortValue(x, maxValue))
		}
		out = append(out, fmt.Sprintf("%s: %s → %s", visible(name), unquotePlain(show(old)), unquotePlain(show(now))))
	}
	return out
}

// unquotePlain drops the quotes around a word that needs none.
func unquotePlain(s string) string {
	if inner := strings.Trim(s, `"`); inner != "" && !strings.ContainsAny(inner, ` "\`) {
		return inner
	}
	return s
}
