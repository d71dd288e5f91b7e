package cli

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// placeOf says where a node is as a coordinate does: its depth, and the offset of each node on the way from there.
// Nodes without a depth are found by their region.
func placeOf(n engine.Node) string {
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

// previewOf shows the beginning of what a node holds on one line of a width in columns.
func previewOf(n engine.Node, width int) string {
	return shortValue(n.Content(), width)
}

// shortValue shows the beginning of a value on one line: a string without its quotes, anything else as JSON.
func shortValue(v engine.Value, width int) string {
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	// Four bytes are the most a character takes; what is cut off here would not fit.
	if most := 16 * width; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return clip(visible(strings.Join(strings.Fields(text), " ")), width)
}

// clip cuts a text to a width in columns.
func clip(text string, width int) string {
	if columns.StringWidth(text) <= width {
		return text
	}
	return columns.Truncate(text, width, "…")
}
