package thread

import (
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// origin is what an importer writes into provenance, to render the log again. The values of the log
// are in the node; origin says where they belong. The first block of a message describes the whole
// message.
type origin struct {
	From    string // the name of the format
	Message int    // number of the message in the log, from 0
	Role    string
	NoRole  bool
	Shape   shape
	Type    string // of the part, as it was written
	Raw     bool   // content is the whole part
	NoID    bool   // the importer made call_id
	// Implied says that call_id is that of the call, although the log identifies the call by the
	// order or in a member that lists several ids.
	Implied bool
	// The members of the record around a message, of the message, of the part and
	// of the function in a part that are custom members of the node.
	Record []kept
	Msg    []kept
	Part   []kept
	Call   []kept
}

// originMember is a member of an origin in JSON and its field: a *string, *bool, *int or *[]kept.
// All except from and message are omitted if they are empty.
type originMember struct {
	name  string
	field any
}

// members returns the members of an origin, sorted by name.
func (o *origin) members() [13]originMember {
	return [...]originMember{
		{"call", &o.Call}, {"from", &o.From}, {"implied_id", &o.Implied}, {"message", &o.Message}, {"message_members", &o.Msg},
		{"no_id", &o.NoID}, {"no_role", &o.NoRole}, {"part", &o.Part}, {"raw", &o.Raw}, {"record", &o.Record},
		{"role", &o.Role}, {"shape", (*string)(&o.Shape)}, {"type", &o.Type},
	}
}

// shape is how the content of a message was written.
type shape string

const (
	shapeText  shape = ""      // a string
	shapeParts shape = "parts" // a list of parts
	shapeNull  shape = "null"
	shapeNone  shape = "none"  // no content
	shapeBlank shape = "blank" // an empty string beside calls
	shapeEmpty shape = "empty" // an empty list
	shapeOther shape = "other" // anything else, in content as it was
	shapeRaw   shape = "raw"   // a line that is not JSON, in content
	shapeList  shape = "list"  // of a log: a bare list instead of an object
	shapeOne   shape = "body"  // of a log: an object instead of a bare list
)

// kept is a member of a log and the custom member of the node that holds it.
type kept struct{ name, member string }

// append appends a kept member as JSON: its name, or both names if they differ.
func (k kept) append(dst []byte) []byte {
	if k.name == k.member {
		return canonjson.AppendString(dst, k.name)
	}
	dst = canonjson.AppendString(append(dst, '['), k.name)
	return append(canonjson.AppendString(append(dst, ','), k.member), ']')
}

// keptIn reads what append writes.
func keptIn(v *value) (k kept, ok bool) {
	if k.name, ok = v.text(); ok || !v.is('[') {
		return kept{k.name, k.name}, ok
	}
	both := v.children()
	if len(both) != 2 {
		return k, false
	}
	name, ok := both[0].text()
	member, ok2 := both[1].text()
	return kept{name, member}, ok && ok2
}

// append appends the origin as JSON, for the provenance of a node.
func (o *origin) append(dst []byte) []byte {
	first := len(dst)
	for _, m := range o.members() {
		start := len(dst)
		dst = append(canonjson.AppendString(append(dst, ','), m.name), ':')
		empty := false
		switch field := m.field.(type) {
		case *string:
			empty = *field == "" && m.name != "from"
			dst = canonjson.AppendString(dst, *field)
		case *bool:
			empty = !*field
			dst = append(dst, "true"...)
		case *int:
			dst = strconv.AppendInt(dst, int64(*field), 10)
		case *[]kept:
			empty = len(*field) == 0
			sep := byte('[')
			for _, k := range *field {
				dst = k.append(append(dst, sep))
				sep = ','
			}
			dst = append(dst, ']')
		}
		if empty {
			dst = dst[:start]
		}
	}
	dst[first] = '{'
	return append(dst, '}')
}

// originOf reads the provenance of a node; nil for one that no importer wrote.
func originOf(n engine.Node) *origin {
	p := n.Header("provenance")
	if p.String() == "" || p.String()[0] != '{' {
		return nil
	}
	o := &origin{}
	members := o.members()
	for f := range valueOf(p).fields() {
		i := slices.IndexFunc(members[:], func(m originMember) bool { return m.name == f.name })
		if i >= 0 && !f.into(members[i].field) {
			return nil
		}
	}
	if o.From == "" {
		return nil
	}
	return o
}

// into reads a value into the field of an originMember.
func (v *value) into(field any) (ok bool) {
	switch field := field.(type) {
	case *string:
		*field, ok = v.text()
	case *bool:
		*field, ok = v.is('t'), v.is('t') || v.is('f')
	case *int:
		n, whole := canonjson.Int(v.raw)
		*field, ok = int(n), whole
	case *[]kept:
		ok = v.is('[')
		for e := range v.elements() {
			k, is := keptIn(e)
			*field, ok = append(*field, k), ok && is
		}
	}
	return ok
}
