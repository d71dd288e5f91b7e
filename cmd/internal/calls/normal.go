package calls

import (
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/normal"
)

// contentOf returns the content of a node as it is to the provider.
func contentOf(n engine.Node) string {
	kind, _ := n.Kind()
	return normal.Content(formatOf(n), kind, n.Content().String())
}

// isChange reports whether the difference of a node is one to the provider: not only of its
// position, or of how its message is written.
func isChange(c engine.Change) bool {
	format := formatOf(c.New)
	kind, _ := c.New.Kind()
	return slices.ContainsFunc(c.Fields, func(name string) bool {
		switch {
		case positional[name]:
			return false
		case format == "": // made by a program, not read from a log
			return true
		case normal.IsDirection(format, name):
			return false
		case name == "content", name == "content_hash":
			return contentOf(c.Old) != contentOf(c.New)
		}
		return normal.Member(kind, name, c.Old.Header(name).String()) != normal.Member(kind, name, c.New.Header(name).String())
	})
}

// formatOf returns the format of the log that a node is from, or "".
func formatOf(n engine.Node) string {
	return normal.FormatOf(n.Header("provenance").String())
}
