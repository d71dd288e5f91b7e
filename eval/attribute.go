package eval

import (
	"math/big"
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// attribute is the implementation of an attribute: functions that return its value.
type attribute struct {
	of   func(engine.Node) value
	life func(engine.Life) value // used instead of of, if set
	// implied returns the value for the implied core of a node (language reference, D28). nil means
	// that it has none.
	implied func(around engine.Node) value
	// column is the header that chunks store as a slice of numbers, if columnar is set.
	column   tree.Column
	columnar bool
}

// attributes has an entry for every attribute of the vocabulary.
var attributes = map[string]*attribute{
	"attribute.nodeType": {
		of:      func(n engine.Node) value { return value{kind: isText, text: n.Type()} },
		implied: func(engine.Node) value { return value{kind: isText, text: "cont"} },
	},
	"attribute.ttl":            {of: func(n engine.Node) value { return optionalNumber(n.TTL()) }},
	"attribute.cad":            {of: func(n engine.Node) value { return optionalNumber(n.Cad()) }},
	"attribute.age":            {of: age, implied: zero},
	"attribute.born_turn":      {of: func(n engine.Node) value { return numberValue(n.Cycle()) }, implied: cycleOf, column: tree.ColumnCycle, columnar: true},
	"attribute.offset":         {of: func(n engine.Node) value { return numberValue(n.Offset()) }, implied: zero, column: tree.ColumnOffset, columnar: true},
	"attribute.priority":       {of: func(n engine.Node) value { return numberValue(n.Priority()) }, implied: zero, column: tree.ColumnPriority, columnar: true},
	"attribute.cycle":          {of: func(n engine.Node) value { return numberValue(n.Cycle()) }, implied: cycleOf, column: tree.ColumnCycle, columnar: true},
	"attribute.created_at_ns":  {of: func(n engine.Node) value { return numberValue(n.CreatedNS()) }, implied: zero, column: tree.ColumnCreatedNS, columnar: true},
	"attribute.creation_index": {of: func(n engine.Node) value { return numberValue(n.CreationIndex()) }, implied: zero, column: tree.ColumnCreationIndex, columnar: true},
	"attribute.depth":          {of: depth, implied: depth},
	"attribute.created_at_iso": {of: func(n engine.Node) value { return optionalText(n.CreatedISO()) }},
	"attribute.key":            {of: func(n engine.Node) value { return optionalText(n.Key()) }},
	"attribute.id":             {of: func(n engine.Node) value { return value{kind: isText, text: n.ID()} }},
	"attribute.kind":           {of: func(n engine.Node) value { return optionalText(n.Kind()) }},
	"attribute.role":           {of: func(n engine.Node) value { return optionalText(n.Role()) }},
	"attribute.tag":            {of: tags},
	"attribute.content":        {of: func(n engine.Node) value { return jsonValue(n.Content()) }},
	"attribute.content_hash":   {of: func(n engine.Node) value { return value{kind: isText, text: n.ContentHash()} }},
	"attribute.parent_id": {
		of:      func(n engine.Node) value { return optionalText(n.ParentID()) },
		implied: func(n engine.Node) value { return value{kind: isText, text: n.ID()} },
	},
	"attribute.entered":    {life: func(l engine.Life) value { return intValue(l.Entered) }},
	"attribute.left":       {life: func(l engine.Life) value { return optionalNumber(engine.Int(l.Left), l.Left != 0) }},
	"attribute.cause":      {life: causeOf},
	"attribute.rule":       {life: ruleOf},
	"attribute.saved":      {life: savedOf},
	"attribute.phase":      member("phase"),
	"attribute.schema":     member("schema"),
	"attribute.mime":       member("mime"),
	"attribute.lang":       member("lang"),
	"attribute.pinned":     member("pinned"),
	"attribute.provenance": member("provenance"),
	"attribute.refs":       member("refs"),
	"attribute.removable":  member("removable"),
}

// lookupAttribute returns the attribute of a name and the type of its values. A name that is not in
// the vocabulary names a custom member.
func lookupAttribute(name string) (*attribute, vocab.ValueType) {
	if t := vocab.Lookup(vocab.Attribute, name); t != nil {
		return attributes[t.ID], t.ValueType
	}
	return member(name), vocab.AnyType
}

// member returns the attribute of a header or custom member, whose values are compared as stored.
func member(name string) *attribute {
	return &attribute{of: func(n engine.Node) value { return jsonValue(n.Header(name)) }}
}

func causeOf(l engine.Life) value {
	if l.Cause == nil {
		return value{}
	}
	return value{kind: isText, text: l.Cause.Cause}
}

func ruleOf(l engine.Life) value {
	if l.Cause == nil {
		return value{}
	}
	return optionalText(l.Cause.Rule, l.Cause.Rule != "")
}

// savedOf returns the tokens that the cause saved. Without a rule, 0 means that nothing is known.
func savedOf(l engine.Life) value {
	if c := l.Cause; c != nil && (c.Rule != "" || c.Saved != 0) {
		return intValue(c.Saved)
	}
	return value{}
}

// cycleOf returns the cycle of an implied core, which is that of the snapshot.
func cycleOf(n engine.Node) value { return intValue(n.Snapshot().Cycle()) }

func zero(engine.Node) value { return intValue(0) }

func tags(n engine.Node) value {
	list, ok := n.Tags()
	if !ok {
		return value{}
	}
	return value{kind: isTags, list: list}
}

func depth(n engine.Node) value {
	d, ok := n.Depth()
	return optionalNumber(engine.Int(int64(d)), ok)
}

// age returns the cycle of the snapshot minus that of the node.
func age(n engine.Node) value {
	now, born := n.Snapshot().Cycle(), n.Cycle()
	if b, ok := born.Int64(); ok && b >= -1<<61 && b <= 1<<61 { // snapshots count up to 2^60
		return intValue(now - b)
	}
	return numberValue(subtract(now, born))
}

// subtract returns a - b. To bound the cost, a is ignored if b is huge, and b if it is tiny or has
// thousands of digits.
func subtract(a int64, b engine.Number) engine.Number {
	text := strings.TrimPrefix(b.String(), "-")
	size, _ := engine.ParseNumber(text)
	switch {
	case size.Cmp(huge) >= 0:
		n, _ := engine.ParseNumber(strings.TrimPrefix("-"+b.String(), "--"))
		return n
	case size.Cmp(tiny) <= 0 || len(text) > 4000:
		return engine.Int(a)
	}
	r, _ := new(big.Rat).SetString(b.String())
	r.Sub(new(big.Rat).SetInt64(a), r)
	digits, _ := r.FloatPrec()
	n, _ := engine.ParseNumber(r.FloatString(digits))
	return n
}

var (
	huge, _ = engine.ParseNumber("1e1000")
	tiny, _ = engine.ParseNumber("1e-1000")
)
