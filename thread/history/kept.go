package history

import (
	"strconv"

	"github.com/pactkit/pactkit/thread/series"
)

// The type of the containers for records that were never sent, and the kind of those with a text.
const (
	recordType = "cont:record"
	unsent     = "unsent"
)

// keep makes nodes for the parts of the source that were never sent. They are in ^sys from their
// call on. A thought names the node before which it was: what was sent of the answer.
func (ch *change) keep() {
	for _, k := range ch.call.Request.Kept {
		ch.keepOne(k, "cont", nil)
	}
	if len(ch.call.Thoughts) == 0 {
		return
	}
	with := map[*series.Node][]block{}
	for _, i := range ch.next.list[ch.same:] {
		with[i.node] = i.blocks
	}
	for _, x := range ch.call.Thoughts {
		ch.keepOne(series.Kept{Kind: unsent, Value: x.Value, File: ch.call.Origin.File, Line: x.Line}, "thought", with[x.With])
	}
}

// keepOne makes a node whose id begins with base. with are the nodes before which the part was. The
// content of what was not sent is its text, if it has any, so that it is found; then recorded is
// the part as it is.
func (ch *change) keepOne(k series.Kept, base string, with []block) {
	shape := "other"
	if k.Raw {
		shape = "raw"
	}
	b := block{id: ch.w.id(base), typ: recordType, members: members{
		{Name: "content", Value: k.Value}, {Name: "file", Value: quote(k.File)}, {Name: "kind", Value: quote(k.Kind)}, {Name: "line", Value: strconv.Itoa(k.Line)},
		{Name: "provenance", Value: `{"from":` + quote(ch.call.Format) + `,"message":0,"shape":"` + shape + `"}`},
	}}
	if text := quote(series.Text(k.Value)); k.Kind == unsent && text != `""` && text != k.Value {
		b.set("content", text)
		b.set("recorded", k.Value)
	}
	if len(with) > 0 {
		b.set("with", quote(with[0].id))
	}
	ch.sysNew = append(ch.sysNew, b)
}
