// Package ast declares the syntax tree of PACT selectors.
//
// The tree consists of plain structs. Every [Anchor] and every [Qualifier] is one of the types in
// this package, so a type switch over them can be complete. Every node has the range of bytes it
// was read from. A legacy form is read into the same nodes as its modern equivalent and recorded in
// [Query.Legacy]: the trees of `.mt` and `.seg` differ in nothing else.
//
// Package parser builds trees. They are immutable afterwards; code that rewrites a tree works on a
// copy made with [Query.Clone].
package ast

// Node is anything that was read from a range of bytes.
type Node interface {
	Bounds() Span
}

// File is a selector file: its selectors and comments, in order.
type File struct {
	Span
	Selectors []*Selector
	After     []*Comment // comments below the last selector
	Lines     *Lines
}

// Selector is one selector of a file with the comments and blank lines around it. Each comment
// belongs to exactly one selector, or to [File.After].
type Selector struct {
	Span                   // from the first token to the last, without surrounding comments
	Lines       Span       // the whole lines of the selector, without the final line ending
	Query       *Query     // never nil; has Bad anchors where something could not be read
	Before      []*Comment // comment lines above
	Inside      []*Comment // comments between the first and the last token
	Suffix      *Comment   // comment after the last token, on the same line; or nil
	BlankBefore bool       // there is a blank line directly above, below any comments in Before
	Bad         bool       // it has an error, so it must not be rewritten
}

// Comment is the text from '#' to the end of its line, without trailing white space.
type Comment struct {
	Span
	Text        string
	BlankBefore bool // there is a blank line above
}

// Query is a whole selector: a time, a union of fragments, and controls.
type Query struct {
	Extent
	Time  *Time // nil when omitted, which means @t0
	Union []Fragment
	Tail  *Tail // nil for most selectors
}

// Tail has the rarer parts of a query.
type Tail struct {
	Controls []Control
	Optional bool // a trailing '?', for mutations only
	Doubtful bool // a type such as '.block:lst' is probably a mistyped pseudo
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

// Optional reports whether the query ends in '?', which is for mutations only.
func (q *Query) Optional() bool { return q.Tail != nil && q.Tail.Optional }

// Doubtful reports whether a part of the query is probably mistyped, although it can be read. The
// formatter leaves such a query as it was written.
func (q *Query) Doubtful() bool { return q.Tail != nil && q.Tail.Doubtful }

// Time says which snapshots a query reads.
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

// Instant is the address of one snapshot.
type Instant struct {
	Extent
	Kind InstantKind
	N    int64 // of Relative: 0 for now, -1 for the one before; of Cycle: the cycle
}

// InstantKind is the form of an [Instant].
type InstantKind uint8

// The forms of an instant.
const (
	Relative InstantKind = iota // @t0, @t-1
	Cycle                       // @c42
	Oldest                      // @t-*
)

// Fragment is one member of a union: chains separated by '??'. The first chain that selects any
// node gives the result.
type Fragment struct {
	Extent
	Chains []Chain // at least one
}

// Chain is a sequence of steps, each searched from the nodes of the one before.
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

// Combinator is the relation of a step to the one before it.
type Combinator uint8

// The combinators.
const (
	First      Combinator = iota // the first step of a chain
	Descendant                   // white space
	Child                        // >
)

// Anchor is what a step looks for: one of [*Any], [*Region], [*Depth], [*Type], [*Key], [*Zone],
// [*Coordinates], [*Group] and [*Bad].
type Anchor interface {
	Node
	anchor()
}

// Qualifier narrows a step: one of [*Filter], [*Tag], [*Key], [*Zone] and [*Positional].
type Qualifier interface {
	Node
	qualifier()
}

// Any is '*': any node except the root and the regions.
type Any struct {
	Extent
	Implied bool // not written: the step begins with a tag or a filter; the span is empty
}

// Region is '^sys', '^seq', '^ah' or '^root'. The types '.sys', '.seq', '.ah' and '.root' are read
// as regions too.
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

// Depth is 'd1', 'd1..d3' or 'depth(1)': segments by age. Depth -1 is the system header, 0 the
// active head, and 1 the newest segment.
type Depth struct {
	Extent
	From, To int64 // -1 or more; From <= To
}

// Type is a type token such as '.seg' or '.log.entry', in the spelling of edition 1.0.
type Type struct {
	Extent
	Name string
}

// Key is '#name', as an anchor or a qualifier. It tests the header key or, if ID is set, the id:
// that is how edition 0.1 reads unquoted names, and both editions unquoted names with a colon
// (decision D6).
type Key struct {
	Extent
	Name string
	ID   bool
}

// Zone is ':pre', ':core' or ':post'. A step of its own has it as anchor; otherwise it is a
// qualifier.
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

// Coordinate is one absolute position: a depth or a range of depths, and the offset of a child at
// each level below.
type Coordinate struct {
	Extent
	From, To int64 // depths, as in Depth
	Offsets  []int64
}

// Group is a chain in parentheses, which do nothing but group.
type Group struct {
	Extent
	Chain *Chain
}

// Bad stands for an anchor that could not be read; a diagnostic says why.
type Bad struct {
	Extent
}

// Filter is a list of tests in brackets: '{…}', '[…]' or, directly after a type, '(…)'. The form
// matters only for a bare ephemeral or sticky, which is an attribute in braces and a flag
// elsewhere.
type Filter struct {
	Extent
	Form  FilterForm
	Props []Prop // at least one, unless an error was reported
}

// FilterForm is the form of the brackets of a filter.
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

// Op is the operator of a [Prop]. The order of the constants is the canonical order of tests of the
// same attribute.
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
	Text   string // a decoded string, a number in normal form, "true", "false" or "null"
}

// ValueKind is the type of a [Value]. The order of the constants is the canonical order of values
// in a list.
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
	N    int64 // of NthOf, from 1
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
	Value    string // decoded, with numbers in normal form
}

// Position is an insertion position: where a mutation puts a node.
type Position struct {
	Span
	Container *Chain // the parent of the new node
	Slot      Slot
	N         int64 // of After and Before, from 1
	Optional  bool  // a trailing '?': do nothing if nothing matches
}

// Slot says where among the children of its container a node is inserted.
type Slot uint8

// The slots.
const (
	AtStart Slot = iota // (d0, )
	AtEnd               // (d0, end)
	After               // (d0, +1)
	Before              // (d0, -1)
)

// Legacy records a legacy form, which was read as its modern equivalent.
type Legacy struct {
	Span
	Form   LegacyForm
	Modern string // the text to replace the span with; "" if there is none
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
