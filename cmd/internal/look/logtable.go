package look

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
)

// logColumns are the columns of the table of calls.
var logColumns = []verb.Column{
	{Name: "CYCLE", Style: "33"}, {Name: "TIME"}, {Name: "MODEL"}, {Name: "MSGS", Right: true},
	{Name: "IN", Right: true}, {Name: "OUT", Right: true}, {Name: "CACHED", Right: true}, {Name: "WINDOW", Right: true}, {Name: "CHANGE"}, {Name: "WHAT"},
}

// printLog prints calls as a table, each with the requested details below it.
func (v *logVerb) printLog(r *verb.Reporter, list []*calls.Call) {
	lines := verb.ColumnLines(r, logColumns, v.logRows(list), v.OutWidth)
	fmt.Fprintln(v.Out, lines[0])
	for i := range list {
		v.printCall(r, list, lines, i)
	}
	fmt.Fprintln(v.Out, totals(list))
}

// logRows returns the cells of calls.
func (v *logVerb) logRows(list []*calls.Call) [][]string {
	rows := make([][]string, len(list))
	for i, c := range list {
		t := c.Tokens
		if c.Event != nil {
			rows[i] = []string{open.CycleName(c), "", "", "", "", "", "", "", changeCell(c), eventCell(c)}
			continue
		}
		rows[i] = []string{
			open.CycleName(c), shortTime(c.Time), v.modelCell(c), strconv.Itoa(c.Messages),
			tokenCell(&t.In, t.Label), tokenCell(t.Out, t.OutLabel), tokenCell(t.Cached, calls.Exact),
			windowCell(c), changeCell(c), strings.Join(happened(c), "; "),
		}
	}
	return rows
}

// printCall prints the line of a call, and the requested details.
func (v *logVerb) printCall(r *verb.Reporter, list []*calls.Call, lines []string, i int) {
	fmt.Fprintln(v.Out, lines[i+1])
	if v.stat && list[i].Event == nil {
		printShares(v.Run, list[i].Tokens.Shares, list[i].Tokens.In)
	}
	if !v.patch {
		return
	}
	var main *calls.Call
	for j := i - 1; j >= 0 && main == nil; j-- {
		if list[j].Side == nil {
			main = list[j]
		}
	}
	printPatch(v.Run, r, main, list[i])
}

// eventCell says in words what a state between calls follows.
func eventCell(c *calls.Call) string {
	e := c.Event
	text := verb.Visible(e.Kind)
	if e.Trigger != "" {
		text += " (" + verb.Visible(e.Trigger) + ")"
	}
	if e.Before > 0 {
		text += fmt.Sprintf(", %s before", verb.Count(int(e.Before), "token"))
	}
	if e.After > 0 {
		text += fmt.Sprintf(", %d after", e.After)
	}
	text += freeText(c)
	if what := happened(c); len(what) > 0 {
		text += ": " + strings.Join(what, "; ")
	}
	return text
}

// modelCell is the model of a call, cut on a terminal.
func (v *logVerb) modelCell(c *calls.Call) string {
	if v.OutWidth == 0 {
		return verb.Visible(c.Model)
	}
	return verb.Clip(verb.Visible(c.Model), verb.MaxCell/2)
}

// tokenCell writes a number of tokens after the mark of its grade: - for an unknown one.
func tokenCell(n *int64, grade calls.Label) string {
	if n == nil || grade == calls.Unknown {
		return "-"
	}
	return gradeMark(grade) + strconv.FormatInt(*n, 10)
}

func gradeMark(grade calls.Label) string {
	switch grade {
	case calls.Exact:
		return ""
	case calls.AtLeast:
		return "≥"
	}
	return "~"
}

// changeCell counts what is new, left or changed.
func changeCell(c *calls.Call) string {
	var out []string
	for _, x := range [...]struct {
		sign string
		n    int
	}{{"+", len(c.Added)}, {"-", len(c.Left)}, {"~", len(c.Changed)}} {
		if x.n > 0 {
			out = append(out, x.sign+strconv.Itoa(x.n))
		}
	}
	return strings.Join(out, " ")
}

// happened says in words what happened between two calls.
func happened(c *calls.Call) []string {
	var out []string
	if c.Side != nil {
		what := "side call"
		if c.Side.Kind != "" {
			what += " (" + verb.Visible(c.Side.Kind) + ")"
		}
		out = append(out, fmt.Sprintf("%s of @c%d", what, c.Side.Of))
	}
	if by := c.By; by != nil {
		out = append(out, fmt.Sprintf("started by @c%d of %s", by.Cycle, verb.Visible(by.History)))
	}
	for _, x := range c.Starts {
		out = append(out, "starts "+verb.Visible(x.History))
	}
	out = append(out, grouped(c.Left)...)
	var changed []calls.Departure
	for _, x := range c.Changed {
		d := x.Departure()
		d.By = "" // each has its own stand-in
		changed = append(changed, d)
	}
	out = append(out, grouped(changed)...)
	if c.Failed != "" {
		out = append([]string{"failed: " + verb.Clip(verb.Visible(c.Failed), verb.MaxCell)}, out...)
	}
	if c.FromCache {
		out = append([]string{fromCache}, out...)
	}
	if list := c.Tokens.Iterations; len(list) > 0 {
		var sum int64
		var each []string
		for _, n := range list {
			sum += n
			each = append(each, strconv.FormatInt(n, 10))
		}
		text := fmt.Sprintf("%d requests to the provider, of %s tokens", len(list), strings.Join(each, " and "))
		if sum != c.Tokens.In {
			text += fmt.Sprintf(", in all %d", sum)
		}
		out = append(out, text)
	}
	if n := c.Tokens.Fewer; n > 0 {
		out = append(out, fmt.Sprintf("%d tokens fewer than expected, not explained", n))
	}
	if n := len(c.Unsent); n > 0 {
		out = append(out, verb.Count(n, "answer")+" left out")
	}
	if len(c.Settings) > 0 {
		out = append(out, verb.Visible(strings.Join(c.Settings, ", "))+" changed")
	}
	if b := c.Cache.Broken; b != nil {
		out = append(out, "cache broke at "+breakPoint(b))
	}
	return out
}

// breakPoint names what ended the common prefix of two calls.
func breakPoint(b *calls.Break) string {
	if b.Node != "" {
		return verb.Visible(b.Node)
	}
	return verb.Visible(b.Setting)
}

// grouped counts departures by cause and replacement. It names the ids of a few.
func grouped(list []calls.Departure) []string {
	type group struct {
		cause, by string
		policy    calls.ByPolicy // without what it saved
		inferred  bool
	}
	var order []group
	ids, saved := map[group][]string{}, map[group]int64{}
	for _, d := range list {
		g := group{d.Cause, d.By, calls.ByPolicy{Rule: d.Rule, Trigger: d.Trigger}, d.Inferred}
		if ids[g] == nil {
			order = append(order, g)
		}
		ids[g] = append(ids[g], d.ID)
		saved[g] += d.Saved
	}
	var out []string
	for _, g := range order {
		cause := verb.Visible(g.cause)
		if g.cause == "unknown" {
			cause = "lost, cause unknown:"
		} else if g.inferred {
			cause += "?"
		}
		text := cause + " " + strconv.Itoa(len(ids[g]))
		if len(ids[g]) == 1 {
			text = cause + " " + verb.Visible(ids[g][0])
		}
		if g.by != "" {
			text += " into " + verb.Visible(g.by)
		}
		if p := g.policy; p.Rule != "" {
			p.Saved = saved[g]
			text += " " + open.RuleText(p)
		}
		out = append(out, text)
	}
	return out
}

// fromCache says that a cache of the client or a proxy answered a call.
const fromCache = "answered from a cache"

// notSummed says what calls are whose tokens are not summed, if there are any.
func notSummed(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s, without their tokens", n, what)
}

// cachedTotal says how many tokens were cached, unless that is unknown of all calls.
func cachedTotal(cached int64, known, unknown int) string {
	switch {
	case unknown == 0:
		return fmt.Sprintf(", %d cached", cached)
	case known > 0:
		return fmt.Sprintf(", %s%d cached", gradeMark(calls.AtLeast), cached)
	}
	return ""
}

// totals is the last line of a table of calls.
func totals(list []*calls.Call) string {
	var in, out, cached, session, rest int64
	inGrade, outGrade := calls.Exact, calls.Exact
	known, unknown := 0, 0 // calls whose cached tokens are
	side, failed, fromCaches, recorded, events, media, without := 0, 0, 0, 0, 0, false, false
	var missing []string
	for _, c := range list {
		if c.Event != nil {
			events++
			continue
		}
		t := &c.Tokens
		for _, what := range c.Missing {
			if !slices.Contains(missing, what) {
				missing = append(missing, what)
			}
		}
		if c.Recorded {
			recorded++
		}
		if c.Side != nil {
			side++
		}
		if c.Failed != "" {
			failed++
			continue
		}
		if c.FromCache {
			fromCaches++
			continue
		}
		in, inGrade, session = in+t.In, calls.Worse(inGrade, t.Label), max(session, t.Session)
		if t.Out != nil {
			out, outGrade = out+*t.Out, calls.Worse(outGrade, t.OutLabel)
		}
		if t.Cached != nil {
			cached, known = cached+*t.Cached, known+1
		} else {
			unknown++
		}
		if t.Rest > 0 {
			rest = t.Rest
		}
		hasMedia := t.Media > 0 || t.Counted != nil && t.Counted.Media > 0
		media, without = media || hasMedia, without || hasMedia && t.Label != calls.Exact
	}
	text := callCount(len(list)-events, side)
	text += fmt.Sprintf(", %s%d tokens in, %s%d out", gradeMark(inGrade), in, gradeMark(outGrade), out) + cachedTotal(cached, known, unknown)
	text += notSummed(failed, "failed") + notSummed(fromCaches, fromCache)
	if len(missing) > 0 {
		text += "; not in this log: " + verb.Visible(enumerated(missing))
	} else if rest > 0 && media {
		text += "; not counted here: images, sounds and files"
	} else if rest > 0 {
		text += "; not explained by what was sent:"
	}
	if rest > 0 {
		about := fmt.Sprintf("about %d tokens of each call", rest)
		if len(missing) > 0 || media {
			about = "(" + about + ")"
		}
		text += " " + about
	}
	if without {
		text += "; without images, sounds and files"
	}
	if session > 0 && inGrade == calls.Exact && session != in {
		text += fmt.Sprintf("; the log itself sums %d tokens in", session)
	}
	if 0 < recorded && recorded < len(list)-events {
		text += fmt.Sprintf("; the requests of %s are recorded, the others inferred", verb.Count(recorded, "call"))
	}
	if inGrade != calls.Exact || gradeMark(outGrade) == "~" {
		text += "; numbers after ~ are estimates"
	}
	return text
}

// callCount says how many calls there are, and how many of them are side calls.
func callCount(all, side int) string {
	text := verb.Count(all, "call")
	if side > 0 {
		text += fmt.Sprintf(" (%d beside the conversation)", side)
	}
	return text
}

// enumerated joins what a list names.
func enumerated(list []string) string {
	n := len(list) - 1
	if n == 0 {
		return list[0]
	}
	return strings.Join(list[:n], ", ") + " and " + list[n]
}

// printPatch prints the nodes in which a line differs from the previous one.
func printPatch(run *verb.Run, r *verb.Reporter, main, c *calls.Call) {
	added := map[string]bool{}
	for _, id := range c.Added {
		added[id] = true
	}
	var d engine.Changes
	if main != nil {
		d = engine.Diff(main.Snapshot, c.Snapshot)
	} else {
		d.Added = slices.Collect(c.Snapshot.All())
	}
	why := map[string]calls.Departure{}
	for _, x := range c.Left {
		why[x.ID] = x
	}
	for _, x := range c.Changed {
		why[x.ID] = x.Departure()
	}
	print := func(line string) { fmt.Fprintln(run.Out, "    "+line) }
	reason := func(id string) string { return "  (" + open.BecauseOf(why[id]) + ")" }
	for _, n := range d.Removed {
		if _, ok := why[n.ID()]; ok {
			print(open.RemovedLine(r, n) + reason(n.ID()))
		}
	}
	for _, n := range d.Added {
		if added[n.ID()] {
			print(open.AddedLine(r, n))
		}
	}
	for _, ch := range d.Changed {
		if _, ok := why[ch.New.ID()]; ok {
			ch.Fields = slices.DeleteFunc(slices.Clone(ch.Fields), func(f string) bool {
				return f == "created_at_ns" || f == "created_at_iso" || f == "creation_index" || f == "cycle" || f == "provenance"
			})
			print(open.ChangedLine(r, ch) + reason(ch.New.ID()))
		}
	}
	for _, x := range c.Changed {
		if m, ok := c.Snapshot.Find(x.By); ok {
			target, _ := c.Snapshot.Find(x.ID)
			print(open.ChangeLine(r, "33", "~", target, "shown as "+open.PreviewOf(m, verb.MaxCell)) + reason(x.ID))
		}
	}
}
