package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// canonicalNouns are the plural nouns for the types that every edition has.
var canonicalNouns = map[string]string{"seg": "segments", "cont": "containers", "block": "blocks"}

func anchorPhrase(a ast.Anchor) string {
	switch a := a.(type) {
	case *ast.Any:
		return "nodes of any type"
	case *ast.Region:
		return [...]string{
			ast.Root: "the root",
			ast.Sys:  "the system header (^sys)",
			ast.Seq:  "the sequence of segments (^seq)",
			ast.Head: "the active head (^ah)",
		}[a.Name]
	case *ast.Depth:
		return depthPhrase(a.From, a.To)
	case *ast.Type:
		if noun, ok := canonicalNouns[a.Name]; ok {
			return noun
		}
		return "nodes of type " + quote(a.Name)
	case *ast.Key:
		return "nodes " + keyPhrase(a)
	case *ast.Zone:
		return "nodes " + zonePhrase(a.Name)
	case *ast.Coordinates:
		phrases := make([]string, len(a.List))
		for i := range a.List {
			phrases[i] = coordinatePhrase(&a.List[i])
		}
		return strings.Join(phrases, ", and ")
	}
	return "something that could not be read"
}

func depthPhrase(from, to int64) string {
	if from != to {
		return fmt.Sprintf("the segments at the depths %d to %d (1 is the newest)", from, to)
	}
	switch from {
	case -1:
		return "the system header (depth -1)"
	case 0:
		return "the active head (depth 0)"
	case 1:
		return "the newest segment (depth 1)"
	}
	return fmt.Sprintf("the segment at depth %d (1 is the newest)", from)
}

func coordinatePhrase(c *ast.Coordinate) string {
	phrase := depthPhrase(c.From, c.To)
	for _, o := range c.Offsets {
		phrase = fmt.Sprintf("the children at offset %d of %s", o, phrase)
	}
	return phrase
}

func zonePhrase(z ast.ZoneName) string {
	return [...]string{
		ast.Pre:  "in the zone before the core (offset below 0)",
		ast.Core: "in the core (offset 0)",
		ast.Post: "in the zone after the core (offset above 0)",
	}[z]
}

func keyPhrase(k *ast.Key) string {
	if k.ID {
		return "with the id " + quote(k.Name)
	}
	return "with the key " + quote(k.Name)
}

// qualifierPhrase describes a qualifier. It begins with the punctuation that joins it to the phrase
// before.
func qualifierPhrase(q ast.Qualifier) string {
	switch q := q.(type) {
	case *ast.Tag:
		return ", tagged " + quote(q.Name)
	case *ast.Key:
		return ", " + keyPhrase(q)
	case *ast.Zone:
		return ", " + zonePhrase(q.Name)
	case *ast.Positional:
		switch q.Name {
		case ast.FirstOf:
			return "; of these the first below each parent"
		case ast.LastOf:
			return "; of these the last below each parent"
		}
		return fmt.Sprintf("; of these number %d below each parent", q.N)
	case *ast.Filter:
		var b strings.Builder
		for i := range q.Props {
			b.WriteString(", " + testPhrase(&q.Props[i]))
		}
		return b.String()
	}
	return ""
}

// verbs are the operators of tests in words. The value follows.
var verbs = [...]string{
	ast.OpEq:    "is",
	ast.OpIn:    "is",
	ast.OpNe:    "is not",
	ast.OpGt:    "is more than",
	ast.OpGe:    "is at least",
	ast.OpLt:    "is less than",
	ast.OpLe:    "is at most",
	ast.OpMatch: "matches the regular expression",
}

func testPhrase(p *ast.Prop) string {
	if p.Flag {
		if p.Name == "sticky" {
			return "sticky (ttl 1 and cad 1)"
		}
		return "ephemeral (ttl 0 or 1, and no cad)"
	}
	if p.Op == ast.OpPresent {
		return "that have the attribute " + p.Name
	}
	values := make([]string, len(p.Values))
	for i, v := range p.Values {
		values[i] = valuePhrase(v)
	}
	value := joinOr(values)
	null := len(p.Values) == 1 && p.Values[0].Kind == ast.Null
	switch {
	case null && p.Op == ast.OpEq:
		return "without the attribute " + p.Name
	case null && p.Op == ast.OpNe:
		return "that have the attribute " + p.Name
	case len(p.Values) == 0:
		return fmt.Sprintf("whose %s is one of nothing, so none", p.Name)
	case p.Name == "tag" && (p.Op == ast.OpEq || p.Op == ast.OpIn):
		return "tagged " + value
	case p.Name == "tag" && p.Op == ast.OpNe:
		return "not tagged " + value
	case p.Name == "nodeType" && (p.Op == ast.OpEq || p.Op == ast.OpIn):
		return "of type " + value
	case p.Name == "nodeType" && p.Op == ast.OpNe:
		return "not of type " + value
	}
	return fmt.Sprintf("whose %s %s %s", p.Name, verbs[p.Op], value)
}

func valuePhrase(v ast.Value) string {
	if v.Kind == ast.String {
		return quote(v.Text)
	}
	return v.Text
}

func joinOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// quote marks a word of the user, to tell it from the words of the explanation.
func quote(s string) string { return strconv.Quote(s) }

func timeSentence(t *ast.Time) string {
	if t == nil {
		return "Looks at the newest state (@t0), because no time is written."
	}
	switch t.Kind {
	case ast.TimeEvery:
		return "Looks at every snapshot, the newest first (@*)."
	case ast.TimeHistory:
		return "Looks at all snapshots, the newest first (@history)."
	case ast.TimeRange:
		return fmt.Sprintf("Looks at the snapshots from %s to %s, the newest first.", instant(t.From), instant(t.To))
	case ast.TimePair:
		return fmt.Sprintf("Looks at two snapshots: %s and %s.", instant(t.From), instant(t.To))
	}
	return fmt.Sprintf("Looks at %s.", instant(t.From))
}

func instant(i ast.Instant) string {
	switch {
	case i.Kind == ast.Oldest:
		return "the oldest one (@t-*)"
	case i.Kind == ast.Cycle:
		return fmt.Sprintf("the snapshot of cycle %d (@c%d)", i.N, i.N)
	case i.N == 0:
		return "the newest state (@t0)"
	case i.N == -1:
		return "the state before the newest (@t-1)"
	case i.N < 0:
		return fmt.Sprintf("the state %s before the newest (@t%d)", steps(i.N), i.N)
	}
	return fmt.Sprintf("a state after the newest (@t+%d), which never exists", i.N)
}

// steps returns a number of steps back in words; n is negative.
func steps(n int64) string { return strings.TrimPrefix(strconv.FormatInt(n, 10), "-") + " steps" }

// orders describes the values of @order.
var orders = map[string]string{
	"pre":           "in document order",
	"post":          "with children before their parents",
	"bfs":           "level by level",
	"path":          "by depth and then by the offsets on the way",
	"turn:asc,pre":  "from the oldest segment to the newest",
	"turn:desc,pre": "from the newest segment to the oldest",
}

// controlSentence describes a control. It returns "" if resultSentence already describes it.
func controlSentence(q *ast.Query, c *ast.Control) string {
	written := "@" + c.Name
	if c.HasValue {
		written += "=" + c.Value
	}
	each := ""
	if mode := control(q, "mode"); looksAtSeveral(q.Time) && q.Time.Kind != ast.TimeEvery && mode != "union" && mode != "latest" {
		each = " in each snapshot"
	}
	switch c.Name {
	case "mode":
		return ""
	case "order":
		if c.Value == "pre" || !looksAtSeveral(q.Time) {
			return ""
		}
		return fmt.Sprintf("Within a snapshot, takes them %s (%s).", orders[c.Value], written)
	case "unique":
		return fmt.Sprintf("Fails when there is more than one result%s (@unique).", each)
	case "skip":
		return fmt.Sprintf("Leaves out the first %s%s (%s).", c.Value, each, written)
	case "p":
		return fmt.Sprintf("Takes page %s%s (%s).", c.Value, each, written)
	case "limit":
		return fmt.Sprintf("Stops after %s%s (%s).", c.Value, each, written)
	case "first":
		return fmt.Sprintf("Stops after the first%s (@first).", each)
	}
	return fmt.Sprintf("%s is not a word of the language; it is passed on to the calling program.", written)
}
