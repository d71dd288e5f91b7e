// Package ast declares the syntax tree of PACT selectors.
//
// The tree is a sealed sum of plain structs: every [Anchor] and [Qualifier] is one of the types in
// this package, so a type switch over them can be complete. Every node knows the bytes it was read
// from. A legacy form is read into the same nodes as its modern equivalent and recorded in
// [Query.Legacy]; the tree of `.mt` and that of `.seg` differ in nothing else.
//
// Trees are built by package parser and treated as immutable from then on; passes that rewrite a
// tree work on a copy made with [Query.Clone].
package ast

// A Node is anything that was read from a range of bytes.
type Node interface {
	Bounds() Span
}

// File is a selector file: selectors, comments and blank lines, in order.
type File struct {
	Span
	Selectors []*Selector
	After     []*Comment // comments below the last selector
	Lines     *Lines
}

// Selector is one selector of a file, with what surrounds it. Each comment belongs to one selector,
// or to [File.After].
type Selector struct {
	Span                   // from the first token to the last; neither blanks nor surrounding comments
	Lines       Span       // the whole lines of the selector, without the final line ending
	Query       *Query     // never nil; holds Bad nodes where something could not be read
	Before      []*Comment // comment lines above
	Inside      []*Comment // comments between the first and the last token
	Suffix      *Comment   // comment after the last token, on the same line; or nil
	BlankBefore bool       // there is a blank line above, between the last comment of Before and the selector or, without comments, the previous entry
	Bad         bool       // an error was reported: the selector must be left as it is
}

// Comment is the text from '#' to the end of its line, without trailing white space.
type Comment struct {
	Span
	Text        string
	BlankBefore bool // there is a blank line above
}

// Query is a whole selector: [time] union {control}.
type Query struct {
	Extent
	Time  *Time // nil when omitted, which means @t0
	Union []Fragment
	Tail  *Tail // nil for most selectors
}

// Tail holds what few selectors have.
type Tail struct {
	Controls []Control
	Optional bool // a trailing '?', for mutations only
	Doubtful bool // a type such as '.block:lst' is probably a mistyped pseudo, so nothing may rewrite it
	Legacy   []Legacy
}

// Controls returns the controls, in the order of the source.
func (q *Query) Controls() []Control {
	if q.Tail == nil {
		return nil
	}
	return q.Tail.Controls
}

// Legacy lists the forms of older revisions that were read, in the order of the source.
func (q *Query) Legacy() []Legacy {
	if q.Tail == nil {
		return nil
	}
	return q.Tail.Legacy
}

// Optional reports whether there is a trailing '?', which is for mutations only.
func (q *Query) Optional() bool { return q.Tail != nil && q.Tail.Optional }

// Doubtful reports whether a part of the query is probably mistyped, though it can be read.
// Formatting leaves such a query as it was written.
func (q *Query) Doubtful() bool { return q.Tail != nil && q.Tail.Doubtful }

// Time is the time of a query: the snapshots that it is run on.
type Time struct {
	Extent
	Kind TimeKind
	From Instant // the only instant of TimeAt; unused by TimeEvery and TimeHistory
	To   Instant // of TimeRange and TimePair
}

// TimeKind is the form of a [Time].
type TimeKind uint8

// The forms of a time.
const (
	TimeAt      TimeKind = iota // @t-1
	TimeEvery                   // @*
	TimeRange                   // @t0..@t-5
	TimePair                    // @t0,@t-1
	TimeHistory                 // @history
)

// Instant is one point of a timeline.
type Instant struct {
	Extent
	Kind InstantKind
	N    int64 // of Relative and Cycle; Relative counts back with negative numbers
}

// InstantKind is the form of an [Instant].
type InstantKind uint8

// The forms of an instant.
const (
	Relative InstantKind = iota // @t0, @t-1
	Cycle                       // @c42
	Oldest                      // @t-*
)

// Fragment is one member of a union: chains separated by '??', of which the first that finds
// something answers.
type Fragment struct {
	Extent
	Chains []Chain // at least one
}

// Chain is a sequence of steps.
type Chain struct {
	Extent
	Steps []Step // at least one
}

// Step is an anchor and the qualifiers that narrow it, from left to right.
type Step struct {
	Extent
	Combinator Combinator // how the step relates to the one before
	Anchor     Anchor
	Qualifiers []Qualifier
}

// Combinator relates a step to the one before it.
type Combinator uint8

// The combinators.
const (
	First      Combinator = iota // the first step of a chain
	Descendant                   // white space
	Child                        // >
)

// Anchor selects the nodes of a step: it is one of [*Any] [*Region] [*Depth] [*Type] [*Key] [*Zone]
// [*Coordinates] [*Group] [*Bad].
type Anchor interface {
	Node
	anchor()
}

// Qualifier narrows a step: one of [*Filter] [*Tag] [*Key] [*Zone] [*Positional].
type Qualifier interface {
	Node
	qualifier()
}

// Any is '*': any node except the root and the regions.
type Any struct {
	Extent
	Implied bool // not written: the step begins with a tag or a filter; the span is empty
}

// Region is '^sys', '^seq', '^ah' or '^root'; '.sys' and so on are the same nodes.
type Region struct {
	Extent
	Name RegionName
}

// RegionName names a region or the root.
type RegionName uint8

// The regions and the root.
const (
	Root RegionName = iota // ^root
	Sys                    // ^sys
	Seq                    // ^seq
	Head                   // ^ah
)

// Depth is 'd1', 'd1..d3' or 'depth(1)': segments by age, -1 the system header, 0 the active head.
type Depth struct {
	Extent
	From, To int64 // -1 or more; From <= To
}

// Type is a type token such as '.seg' or '.log.entry', in 1.0 spelling and without a legacy base.
type Type struct {
	Extent
	Name string
}

// Key is '#name'. It means the header key or, in edition 0.1 and for an unquoted token that holds a
// colon, for id (decision D6). It is an anchor, and attached to a step a qualifier.
type Key struct {
	Extent
	Name string
	ID   bool
}

// Zone is ':pre', ':core' or ':post': an anchor when it is a step of its own, else a qualifier.
type Zone struct {
	Extent
	Name ZoneName
}

// ZoneName names a zone of a container.
type ZoneName uint8

// The zones.
const (
	Pre  ZoneName = iota // :pre, offset < 0
	Core                 // :core, offset = 0
	Post                 // :post, offset > 0
)

// Coordinates is a position such as '(d1,0)' or a set of them, '((d1,0), (d2,0))'.
type Coordinates struct {
	Extent
	List []Coordinate // at least one
}

// Coordinate is one absolute address: a depth, or a range of depths, and the offset of a child at
// each level below.
type Coordinate struct {
	Extent
	From, To int64
	Offsets  []int64
}

// Group is a chain in parentheses, which only group.
type Group struct {
	Extent
	Chain *Chain
}

// Bad stands for an anchor that could not be read; a diagnostic says why.
type Bad struct {
	Extent
}

// Filter is a bracketed list of tests: '{…}', '[…]' or, directly after a type, '(…)'. The brackets
// only decide whether a bare ephemeral or sticky is a flag.
type Filter struct {
	Extent
	Form  FilterForm
	Props []Prop // at least one, except below a reported error
}

// FilterForm is the kind of brackets a filter was written in.
type FilterForm uint8

// The forms of a filter.
const (
	Braces   FilterForm = iota // {…}
	Brackets                   // […]
	Parens                     // (…)
)

// Prop is one test of an attribute.
type Prop struct {
	Extent
	Name   string
	Op     Op
	Flag   bool    // ephemeral or sticky, in brackets or a group
	Values []Value // none for OpPresent, any number for OpIn, otherwise one
}

// Op is the operator of a [Prop]. The order of the constants is the canonical order of tests of one
// attribute.
type Op uint8

// The operators.
const (
	OpEq      Op = iota // =
	OpIn                // in […]
	OpNe                // !=
	OpGt                // >
	OpGe                // >=
	OpLt                // <
	OpLe                // <=
	OpMatch             // ~
	OpPresent           // the bare name
)

// Value is a literal.
type Value struct {
	Extent
	Kind   ValueKind
	Quoted bool   // written in quotes
	Text   string // the decoded string, the normalized number, "true", "false" or "null"
}

// ValueKind is the type of a literal. The order of the constants is the canonical order in a list.
type ValueKind uint8

// The kinds of value.
const (
	Null ValueKind = iota
	Bool
	Number
	String
)

// Tag is '+name'.
type Tag struct {
	Extent
	Name string
}

// Positional is ':first', ':last' or ':nth(n)'.
type Positional struct {
	Extent
	Name PositionalName
	N    int64 // of Nth, from 1
}

// PositionalName names a positional pseudo.
type PositionalName uint8

// The positional pseudos.
const (
	FirstOf PositionalName = iota // :first
	LastOf                        // :last
	NthOf                         // :nth(n)
)

// Control is '@name' or '@name=value'.
type Control struct {
	Extent
	Name     string
	HasValue bool
	Quoted   bool   // the value was a string
	Value    string // decoded; numbers as words are normalized
}

// Position is an insertion position: where a mutation puts a node.
type Position struct {
	Span
	Container *Chain // the parent of the new node
	Slot      Slot
	N         int64 // of After and Before, from 1
	Optional  bool  // a trailing '?': do nothing when nothing matches
}

// Slot is where a node is inserted among the children of its container.
type Slot uint8

// The slots.
const (
	AtStart Slot = iota // (d0, )
	AtEnd               // (d0, end)
	After               // (d0, +1)
	Before              // (d0, -1)
)

// Legacy records a form of an older revision that was read as its modern equivalent.
type Legacy struct {
	Span
	Form   LegacyForm
	Modern string // the text that replaces the span; "" when no text does
}

func (*Any) anchor()         {}
func (*Region) anchor()      {}
func (*Depth) anchor()       {}
func (*Type) anchor()        {}
func (*Key) anchor()         {}
func (*Zone) anchor()        {}
func (*Coordinates) anchor() {}
func (*Group) anchor()       {}
func (*Bad) anchor()         {}

func (*Filter) qualifier()     {}
func (*Tag) qualifier()        {}
func (*Key) qualifier()        {}
func (*Zone) qualifier()       {}
func (*Positional) qualifier() {}
