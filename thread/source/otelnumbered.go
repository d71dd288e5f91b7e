package source

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// tree is a value whose leaves are separate attributes, such as llm.input_messages.0.message.role.
type tree struct {
	leaf    string // JSON
	members map[string]*tree
}

// wrappers are the members that OpenInference puts around each element of a list.
var wrappers = []string{"message", "tool_call", "message_content", "tool"}

// maxNames limits the number of names in the name of an attribute.
const maxNames = 32

// numbered returns the list formed by the attributes with one of the prefixes, and the prefix
// without its dot.
func (x *export) numbered(attrs map[string]value, line int, prefixes ...string) (value, string) {
	for _, prefix := range prefixes {
		root := &tree{}
		for name, v := range attrs {
			rest, ok := strings.CutPrefix(name, prefix)
			steps := strings.SplitN(rest, ".", maxNames)
			if _, err := strconv.ParseUint(steps[0], 10, 31); !ok || err != nil {
				continue
			}
			at := root
			for _, step := range steps {
				if at.members == nil {
					at.members = map[string]*tree{}
				}
				if at.members[step] == nil {
					at.members[step] = &tree{}
				}
				at = at.members[step]
			}
			at.leaf = v.raw
		}
		if root.members == nil {
			continue
		}
		d, bad := parse(x.reader.name, string(root.append(nil)), line)
		if bad == nil {
			return d.root(), strings.TrimSuffix(prefix, ".")
		}
	}
	return value{}, ""
}

// append appends a tree as JSON. If all names are numbers, it is a list in the order of the
// numbers.
func (t *tree) append(out []byte) []byte {
	if t.members == nil {
		return append(out, t.leaf...)
	}
	add := func(out []byte, t *tree) []byte { return t.append(out) }
	names := slices.Collect(maps.Keys(t.members))
	if slices.ContainsFunc(names, func(name string) bool { _, err := strconv.ParseUint(name, 10, 31); return err != nil }) {
		if len(names) == 1 && slices.Contains(wrappers, names[0]) {
			return add(out, t.members[names[0]])
		}
		return canonjson.AppendObject(out, t.members, add)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Or(x-y, cmp.Compare(a, b)) // 1 and 01 are two names
	})
	return canonjson.AppendList(out, names, func(out []byte, name string) []byte { return add(out, t.members[name]) })
}
