package open

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
)

// Quoted is a JSON string as the engine writes it.
func Quoted(s string) string { return engine.Text(s).String() }

// StateNames returns the addresses of the states that nodes come from. It returns nil if all come
// from the newest.
func StateNames(t *engine.Timeline, nodes []engine.Node) map[*engine.Snapshot]string {
	names := map[*engine.Snapshot]string{}
	for _, n := range nodes {
		names[n.Snapshot()] = ""
	}
	if len(names) == 0 || len(names) == 1 && nodes[0].Snapshot() == t.At(0) {
		return nil
	}
	for back, s := range t.All() {
		if _, ok := names[s]; ok {
			names[s] = Address(back)
		}
	}
	return names
}

// Address returns the address of the state a number of steps back.
func Address(back int) string {
	if back == 0 {
		return "@t0"
	}
	return fmt.Sprintf("@t-%d", back)
}

// BecauseOf says why a node left or changed.
func BecauseOf(d calls.Departure) string {
	text := verb.Visible(d.Cause)
	switch {
	case d.Cause == "unknown":
		return "cause unknown"
	case d.Inferred:
		text += ", inferred"
	}
	if d.Rule != "" {
		text += " " + RuleText(d.ByPolicy)
	}
	if d.By != "" {
		text += ", " + verb.Visible(d.By) + " stands for it"
	}
	return text
}

// RuleText describes the rule of a policy: its name, why it ran, and how many tokens it saved.
func RuleText(p calls.ByPolicy) string {
	text := "by " + verb.Visible(p.Rule)
	if p.Trigger != "" {
		text += " (" + verb.Visible(p.Trigger) + ")"
	}
	if p.Saved > 0 {
		text += fmt.Sprintf(", %s saved", verb.Count(int(p.Saved), "token"))
	}
	return text
}

// CoordinateOf returns the coordinate of a node: its depth, and the offset of each node on the way
// from there. For a node without a depth it returns the region.
func CoordinateOf(n engine.Node) string {
	depth, ok := n.Depth()
	if !ok {
		if _, hasParent := n.Parent(); !hasParent {
			return "^root"
		}
		return verb.Visible(n.Type())
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

// PreviewOf returns the beginning of the content of a node on one line of a width in columns.
func PreviewOf(n engine.Node, width int) string {
	return ShortValue(n.Content(), width)
}

// ShortValue returns the beginning of a value on one line: a string without its quotes, anything
// else as JSON.
func ShortValue(v engine.Value, width int) string {
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	// A character takes at most four bytes, so what is cut off here would not fit.
	if most := 16 * width; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return verb.Clip(verb.Visible(strings.Join(strings.Fields(text), " ")), width)
}

// maxValue is the width in columns of a value in a line about a change.
const maxValue = 40

// RemovedLine, addedLine and changedLine describe a change of a node in a line.
func RemovedLine(r *verb.Reporter, n engine.Node) string {
	return ChangeLine(r, "31", "-", n, SummaryOf(n))
}

func AddedLine(r *verb.Reporter, n engine.Node) string {
	return ChangeLine(r, "32", "+", n, SummaryOf(n))
}

func ChangedLine(r *verb.Reporter, ch engine.Change) string {
	return ChangeLine(r, "33", "~", ch.New, strings.Join(changedValues(ch), "  "))
}

func ChangeLine(r *verb.Reporter, style, sign string, n engine.Node, rest string) string {
	return strings.TrimRight(r.Paint(style, sign+" "+verb.Visible(n.ID()))+"  "+rest, " ")
}

func SummaryOf(n engine.Node) string {
	parts := []string{verb.Visible(n.Type()), CoordinateOf(n)}
	if name := CallName(n); name != "" {
		kind, _ := n.Kind()
		parts = append(parts, verb.Clip(verb.Visible(strings.TrimSpace(kind+" "+name)), maxValue))
	}
	return strings.Join(append(parts, PreviewOf(n, maxValue)), "  ")
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
			return strconv.Quote(ShortValue(x, maxValue))
		}
		out = append(out, fmt.Sprintf("%s: %s → %s", verb.Visible(name), unquotePlain(show(old)), unquotePlain(show(now))))
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

// CallName returns the name of the tool of a call or a result. A result without a name has that of
// its call.
func CallName(n engine.Node) string {
	name, ok := n.Header("name").Text()
	if ok {
		return name
	}
	if id, ok := n.Header("call_id").Text(); ok {
		if call, found := n.Snapshot().Find(id); found {
			name, _ = call.Header("name").Text()
		}
	}
	return name
}
