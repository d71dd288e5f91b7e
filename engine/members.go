package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// members holds the members of an object to write. Its methods for numbers, flags, lists, counts
// and objects omit empty values.
type members []member

// member is a name and a function that appends the value as canonical JSON.
type member struct {
	name  string
	value func(dst []byte) []byte
}

// put adds a member whose value a function writes.
func (m *members) put(name string, value func(dst []byte) []byte) {
	*m = append(*m, member{name, value})
}

// add adds a member whose value is canonical JSON.
func (m *members) add(name, value string) {
	m.put(name, func(dst []byte) []byte { return append(dst, value...) })
}

// addAll adds members that were read.
func (m *members) addAll(list []tree.Member) {
	for _, one := range list {
		m.add(one.Name, one.Value)
	}
}

// extra adds the unknown members of a document as the member "extra".
func (m *members) extra(list []tree.Member) {
	var extra members
	extra.addAll(list)
	m.put("extra", extra.append)
}

// text adds a member whose value is a string.
func (m *members) text(name, text string) { m.add(name, string(canonjson.AppendString(nil, text))) }

func (m *members) number(name string, n int64) {
	if n != 0 {
		m.add(name, strconv.FormatInt(n, 10))
	}
}

func (m *members) flag(name string, is bool) {
	if is {
		m.add(name, "true")
	}
}

func (m *members) ids(name string, ids []string) {
	if len(ids) > 0 {
		m.add(name, listText(ids))
	}
}

// nodes adds a member whose value is the list of the ids of nodes.
func (m *members) nodes(name string, list []Node) {
	m.put(name, func(dst []byte) []byte { return appendList(dst, list, Node.ID) })
}

// counts adds a member whose value is an object that maps ids to numbers.
func (m *members) counts(name string, counts map[string]int64) {
	if len(counts) == 0 {
		return
	}
	var list members
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		list.add(id, strconv.FormatInt(counts[id], 10))
	}
	m.object(name, list)
}

// object adds a member whose value is an object.
func (m *members) object(name string, o members) {
	if len(o) > 0 {
		m.put(name, o.append)
	}
}

// forkPoints adds the member "forks", a list of fork points.
func (m *members) forkPoints(forks []ForkPoint) {
	var list []members
	for _, p := range forks {
		list = append(list, p.members())
	}
	m.objects("forks", list)
}

// objects adds a member whose value is a list of objects.
func (m *members) objects(name string, list []members) {
	if len(list) > 0 {
		m.put(name, func(dst []byte) []byte {
			return canonjson.AppendList(dst, list, func(dst []byte, o members) []byte { return o.append(dst) })
		})
	}
}

// String returns the object as canonical JSON.
func (m members) String() string { return written(m.append) }

// append appends the object with its members sorted by name.
func (m members) append(dst []byte) []byte {
	slices.SortFunc(m, func(a, b member) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for i, one := range m {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one.value(append(canonjson.AppendString(dst, one.name), ':'))
	}
	return append(dst, '}')
}

// listText returns a list of strings as canonical JSON.
func listText(words []string) string {
	return string(appendList(make([]byte, 0, 64), words, func(w string) string { return w }))
}

// appendList appends a list that holds text(x) for each element x.
func appendList[T any](dst []byte, list []T, text func(T) string) []byte {
	return canonjson.AppendList(dst, list, func(dst []byte, x T) []byte { return canonjson.AppendString(dst, text(x)) })
}
