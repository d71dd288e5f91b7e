package history

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/align"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// id returns an unused id that consists of a base and a number.
func (w *Writer) id(base string) string {
	for n := w.made[base] + 1; ; n++ {
		if id := base + ":" + strconv.Itoa(n); !w.ids[id] {
			w.ids[id], w.made[base] = true, n
			return id
		}
	}
}

// formatOf returns the format in which the messages of a call are imported. Messages that are not
// in the format of a provider are converted to that of OpenAI's chat API.
func formatOf(name string) thread.Format {
	f, err := thread.ParseFormat(name)
	switch {
	case name == "bedrock":
		return thread.Anthropic
	case err != nil, !f.Imports():
		return thread.OpenAI
	case f == thread.ClaudeCode:
		return thread.Anthropic // its messages are in Anthropic's format
	}
	return f
}

// blocks makes the blocks of messages, each given as its items, with package thread.
func (w *Writer) blocks(ctx context.Context, ch *change, list [][]*item) error {
	if len(list) == 0 {
		return nil
	}
	f := formatOf(ch.call.Format)
	var texts []string
	var owners, numbers []int // of each message that is imported: its index in list, and its number
	for n, items := range list {
		in := convert(ch.call.Format, items[0].message)
		number := items[0].number
		if number < 0 || len(in) > 1 {
			number = w.number
			w.number += len(in)
		}
		for k, m := range in {
			if m == "" { // a choice without a message
				continue
			}
			texts = append(texts, m)
			owners, numbers = append(owners, n), append(numbers, number+k)
		}
		for _, i := range items {
			i.number = number
		}
	}
	if len(numbers) > 0 { // most are consecutive, and then the provenances are as they must be
		w.reader.First = numbers[0]
	}
	drafts, err := w.reader.ReadMessages(ctx, "request.json", texts, f)
	if err != nil {
		if len(list) > 1 { // at least one is malformed
			for _, items := range list {
				if err := w.blocks(ctx, ch, [][]*item{items}); err != nil {
					return err
				}
			}
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.finish(list[0], []block{{members: members{
			{Name: "content", Value: list[0][0].message.Value}, {Name: "kind", Value: `"malformed"`},
			{Name: "provenance", Value: `{"from":"` + f.String() + `","message":0,"raw":true}`}, {Name: "role", Value: `"user"`},
		}}}, ch)
		return nil
	}
	blocks := make([][]block, len(list))
	made := blocksOf(drafts)
	kept := made[:0] // those of one message follow each other
	for _, n := range made {
		before, number, after := messageIn(n.get("provenance"))
		imported := number
		if number -= w.reader.First; number < 0 || number >= len(owners) || n.typ == containerType {
			continue
		}
		if numbers[number] != imported {
			n.set("provenance", before+strconv.Itoa(numbers[number])+after)
		}
		if value := list[owners[number]][0].message.Value; texts[number] != value {
			n.share(value)
		}
		kept = append(kept, n)
		own := &blocks[owners[number]]
		*own = kept[len(kept)-1-len(*own):]
	}
	for n, items := range list {
		w.finish(items, blocks[n], ch)
	}
	return nil
}

// share lets long members share the memory of a message from which they were converted, and copies
// the others.
func (b *block) share(text string) {
	const long = 128
	b.id, b.typ = strings.Clone(b.id), strings.Clone(b.typ)
	for i := range b.members {
		m, at := &b.members[i], -1
		if len(m.Value) >= long {
			at = strings.Index(text, m.Value)
		}
		if at >= 0 {
			m.Value = text[at : at+len(m.Value)]
		} else {
			m.Value = strings.Clone(m.Value)
		}
	}
}

// finish assigns the blocks of a message to its parts, in order. The last part gets what is left.
func (w *Writer) finish(list []*item, blocks []block, ch *change) {
	m := list[0].message
	if m.Parts == nil {
		about(m.About, m.Value, blocks)
	}
	for n, i := range list {
		k := min(1, len(blocks))
		if n == len(list)-1 {
			k = len(blocks)
		}
		own := blocks[:k:k]
		about(i.part.About, m.Value, own)
		w.name(i, own, ch)
		blocks = blocks[k:]
	}
}

// name assigns blocks to a part, and ids to the blocks: the id of the tool call, otherwise that of
// the part, otherwise a number. The blocks of a part that changed or came back keep their ids if
// their number is the same.
func (w *Writer) name(i *item, blocks []block, ch *change) {
	before := ch.changed[i]
	kept := len(before) == len(blocks) && len(before) > 0
	back := w.left[i.node]
	delete(w.left, i.node)
	for k := range blocks {
		b := &blocks[k]
		if b.typ == "" {
			b.typ = "block"
		}
		own := b.id
		switch b.id = ""; {
		case kept:
			b.id = before[k].id
		case len(back) == len(blocks):
			b.id = back[k]
		}
		name := i.node.ID
		if k > 0 || strings.HasPrefix(name, "message:") {
			name = ""
		}
		for _, id := range [...]string{own, name} {
			if b.id == "" && id != "" && !strings.HasPrefix(id, "block:") && !w.ids[id] {
				b.id = id
				w.ids[id] = true
			}
		}
		if b.id == "" {
			b.id = w.id("block")
		}
		if key := b.get("key"); key != "" {
			if w.keys[key] && !(kept && before[k].get("key") == key) {
				b.drop("key")
			}
			w.keys[key] = true
		}
	}
	i.blocks = blocks
}

// about adds what the source records about a message or part but was not sent to the first block,
// except for what has a node of its own, see [change.keep]. Renderers omit it.
func about(text, message string, blocks []block) {
	if text == "" || len(blocks) == 0 {
		return
	}
	thoughts := series.Beside(text, message)
	s, b := canonjson.Borrow(text), &blocks[0]
	defer s.Return()
	_ = s.Object(func(name string, _ int) error { // the text is canonical JSON
		v, err := s.Raw()
		if len(thoughts) == 0 || !slices.Contains(thoughts, v) || !normal.Thinks(name) {
			b.set(freeName(b.members, name, "message_"), v)
		}
		return err
	})
}

// freeName returns the name for a member of a node: its own name, or one with a prefix if that is
// reserved or taken.
func freeName(m members, name, prefix string) string {
	if m.get(name) != "" || thread.IsReserved(name) {
		name = prefix + name
	}
	for m.get(name) != "" {
		name += "_"
	}
	return name
}

// messageIn returns the number of the message in a provenance, or -1, and what is around it.
func messageIn(provenance string) (before string, number int, after string) {
	const name = `"message":`
	begin := strings.Index(provenance, name)
	if begin < 0 {
		return "", -1, ""
	}
	begin += len(name)
	end := begin + max(strings.IndexAny(provenance[begin:], ",}"), 0)
	n, err := strconv.Atoi(provenance[begin:end])
	if err != nil {
		return "", -1, ""
	}
	return provenance[:begin], n, provenance[end:]
}

// imported returns the nodes that package thread makes of the body of a request.
func (w *Writer) imported(ctx context.Context, text string, f thread.Format) ([]block, error) {
	w.reader.First = 0
	drafts, err := w.reader.Read(ctx, "request.json", text, f)
	return blocksOf(drafts), err
}

func blocksOf(drafts []engine.Draft) []block {
	out := make([]block, len(drafts))
	for i, d := range drafts {
		const few = 10 // five members follow, and what the source records of most messages
		all := make(members, 0, len(d.Members)+few)
		for name, v := range d.Members {
			all = append(all, engine.Member{Name: name, Value: v.String()})
		}
		for _, x := range [...]engine.Member{{Name: "kind", Value: d.Kind}, {Name: "key", Value: d.Key}, {Name: "role", Value: d.Role}} {
			if x.Value != "" {
				all = append(all, engine.Member{Name: x.Name, Value: word(x.Value)})
			}
		}
		for _, x := range [...]engine.Member{{Name: "content", Value: d.Content.String()}, {Name: "provenance", Value: d.Provenance.String()}} {
			if x.Value != "" {
				all = append(all, x)
			}
		}
		slices.SortFunc(all, func(a, b engine.Member) int { return strings.Compare(a.Name, b.Name) })
		out[i] = block{id: d.ID, typ: d.Type, members: all}
	}
	return out
}

// settings makes the nodes in ^sys for the members of the request other than its messages.
func (ch *change) settings(ctx context.Context) error {
	w := ch.w
	defer ch.keep()
	if w.begun && slices.Equal(w.current.setting, ch.next.setting) && w.current.format == ch.next.format && w.current.member == ch.next.member && w.current.isText == ch.next.isText {
		ch.next.system = w.current.system
		return nil
	}
	made, err := ch.around(ctx)
	if err != nil {
		return err
	}
	old := w.current.system
	ch.sysSet, ch.sysUnset = map[string]members{}, map[string][]string{}
	pairs := pairSystem(old, made)
	used := make([]bool, len(old))
	for k := range made {
		b := &made[k]
		at := pairs[k]
		if at < 0 {
			base, _, _ := strings.Cut(b.typ, ":")
			b.id = w.id(base)
			ch.sysNew = append(ch.sysNew, *b)
			continue
		}
		used[at], b.id = true, old[at].id
		set, unset := differ(old[at].members, b.members)
		if len(set) > 0 {
			ch.sysSet[b.id] = set
		}
		if len(unset) > 0 {
			ch.sysUnset[b.id] = unset
		}
	}
	for n, o := range old {
		if !used[n] {
			ch.sysGone = append(ch.sysGone, o.id)
		}
	}
	ch.next.system = made
	return nil
}

// pairSystem returns for each new node in ^sys the old one that it is, or -1: those with the same
// content, and between them those of the same type, in order. New nodes are written after old ones,
// so if one would be between them, the nodes are paired by type alone.
func pairSystem(old, made []block) []int {
	type key struct{ typ, content string }
	keys := func(list []block) []key {
		out := make([]key, len(list))
		for n, b := range list {
			out[n] = key{b.typ, normal.Content("", "", b.get("content"))}
		}
		return out
	}
	for _, byContent := range [...]bool{true, false} {
		out, taken, last, next := make([]int, len(made)), make([]bool, len(old)), -1, 0
		for k := range out {
			out[k] = -1
		}
		if byContent {
			for n, k := range align.Keys(keys(old), keys(made)) {
				if k >= 0 {
					out[k], taken[n], last = n, true, k
				}
			}
		}
		isBetween := false
		for k, b := range made {
			if out[k] < 0 {
				for n := next; n < len(old) && !taken[n]; n++ {
					if old[n].typ == b.typ {
						out[k] = n
						break
					}
				}
			}
			if out[k] >= 0 {
				next = out[k] + 1
			} else {
				isBetween = isBetween || k < last
			}
		}
		if !isBetween || !byContent {
			return out
		}
	}
	return nil
}

// around makes nodes of the body without its messages: with package thread if it knows the format,
// otherwise a container.
func (ch *change) around(ctx context.Context) ([]block, error) {
	c := ch.call
	rest := map[string]string{}
	var system []block
	for _, s := range c.Request.Settings {
		if s.Kind == series.Instructions && (c.Format == "otel" || c.Format == "bedrock") && normal.Setting(s.Name, s.Value) != "" {
			var err error
			if system, err = ch.w.imported(ctx, "["+strings.Join(convert(c.Format, systemMessage(c.Format, s.Value)), ",")+"]", thread.OpenAI); err == nil {
				continue
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		rest[s.Name] = s.Value
	}
	for k := range system {
		system[k].typ = cmp.Or(system[k].typ, "block")
		system[k].set("provenance", `{"from":`+quote(c.Format)+`,"message":0,"type":"instructions"}`) // not one of the messages
	}
	if f, err := thread.ParseFormat(c.Format); err == nil && f != thread.ClaudeCode && c.List != "" {
		rest[c.List] = "[]"
		text := ch.next.isText
		if text {
			rest[c.List] = `""` // of the same type as the messages
		}
		blocks, err := ch.w.imported(ctx, object(rest), f)
		if text && len(blocks) > 0 {
			blocks = blocks[:len(blocks)-1]
		}
		if err == nil && len(blocks) > 0 {
			for k := range blocks {
				blocks[k].typ = cmp.Or(blocks[k].typ, "block")
			}
			return blocks, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		delete(rest, c.List)
	}
	if len(rest) == 0 {
		return system, nil
	}
	out := block{typ: containerType, members: members{{Name: "provenance", Value: `{"from":"` + c.Format + `","message":0}`}}}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		out.set(freeName(out.members, name, "record_"), rest[name])
	}
	return append(system, out), nil
}

// systemMessage returns the message of instructions that are recorded on their own: a list of
// parts, or a text.
func systemMessage(format, instructions string) *series.Message {
	name := "content"
	if format == "otel" && strings.HasPrefix(instructions, "[") {
		name = "parts"
	}
	return &series.Message{Value: object(map[string]string{"role": `"system"`, name: instructions}), Role: series.System}
}

// differ returns the new and changed members of a node, and the names of the removed ones.
func differ(before, after members) (set members, unset []string) {
	for _, m := range after {
		if i, ok := before.at(m.Name); !ok || before[i].Value != m.Value {
			set = append(set, m)
		}
	}
	for _, m := range before {
		if _, ok := after.at(m.Name); !ok {
			unset = append(unset, m.Name)
		}
	}
	return set, unset
}

// containerType is the type of the container for the rest of a request.
const containerType = "cont:log"

func quote(s string) string {
	var short [64]byte
	return string(canonjson.AppendString(short[:0], s))
}

// words has the kinds and roles that most nodes have, as JSON.
var words = map[string]string{
	"text": `"text"`, "call": `"call"`, "result": `"result"`, "user": `"user"`, "assistant": `"assistant"`, "tool": `"tool"`, "system": `"system"`,
}

// word is like quote for a kind or a role, most of which need no memory of their own.
func word(s string) string {
	if q, ok := words[s]; ok {
		return q
	}
	return quote(s)
}
