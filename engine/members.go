package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// members are the members of an object that is being written. All methods but add
// and text leave out what is empty.
type members []tree.Member

// add adds a member whose value is canonical JSON.
func (m *members) add(name, value string) { *m = append(*m, tree.Member{Name: name, Value: value}) }

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

// counts adds a number for each of some ids.
func (m *members) counts(name string, counts map[string]int64) {
	if len(counts) == 0 {
		return
	}
	var list members
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		list.add(id, strconv.FormatInt(counts[id], 10))
	}
	m.add(name, list.object())
}

// object writes the object, sorting the members.
func (m members) object() string {
	slices.SortFunc(m, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
	buf := buffers.Get().(*[]byte)
	dst := appendObject((*buf)[:0], m)
	text := string(dst)
	putBuffer(buf, dst)
	return text
}

// appendObject appends an object of canonical values.
func appendObject(dst []byte, list []tree.Member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(canonjson.AppendString(dst, m.Name), ':'), m.Value...)
	}
	return append(dst, '}')
}

// listText returns a list of strings as canonical JSON.
func listText(words []string) string {
	return string(appendList(make([]byte, 0, 64), words, func(w string) string { return w }))
}

// appendList appends a list of strings, one for each element.
func appendList[T any](dst []byte, list []T, text func(T) string) []byte {
	return canonjson.AppendList(dst, list, func(dst []byte, x T) []byte { return canonjson.AppendString(dst, text(x)) })
}
