package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Warnings returns a warning of code [ErrNamespace] for each custom member of the draft or its
// children whose name has no namespace (PACT 0.1, 02 §3.5; E52), sorted by name. The engine accepts
// such a draft.
func (d *Draft) Warnings() []*Error {
	names := map[string]bool{}
	d.addUnqualified(names)
	return namespaceWarnings(names)
}

func (d *Draft) addUnqualified(names map[string]bool) {
	for name := range d.Members {
		if !isQualified(name) {
			names[name] = true
		}
	}
	for i := range d.Children {
		d.Children[i].addUnqualified(names)
	}
}

// Namespaces returns a warning of code [ErrNamespace] for each name of a custom member that has no
// namespace, sorted by name. It skips nodes that an importer made of a log, because they keep the
// names of the log, which their provenance lists. The cost is that of [Timeline.Distinct].
func (t *Timeline) Namespaces() []*Error {
	names := map[string]bool{}
	for n := range distinct(t.states()) {
		e := n.rec().Extra()
		if strings.HasPrefix(e.Provenance, "{") && strings.Contains(e.Provenance, `"from":"`) {
			continue
		}
		for _, m := range e.Members {
			if !isQualified(m.Name) {
				names[m.Name] = true
			}
		}
	}
	return namespaceWarnings(names)
}

// isQualified reports whether the name of a custom member has a namespace, as in data_cost or
// acme:cost, or is that of a tool, which pactkit itself defines.
func isQualified(name string) bool {
	i := strings.IndexAny(name, "_:./")
	return i > 0 && i < len(name)-1 || name == "name"
}

func namespaceWarnings(names map[string]bool) (list []*Error) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, &Error{Code: ErrNamespace, Msg: fmt.Sprintf("the custom member %q has no namespace, such as data_ or acme:", name)})
	}
	return list
}
