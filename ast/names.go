package ast

// LegacyForm is a row of the table of legacy forms (docs/reference/language.md, "Legacy forms").
type LegacyForm uint8

// The legacy forms.
const (
	LegacyTypeName    LegacyForm = iota // .mt .mc .cb
	LegacyTypeBase                      // .block:T, .cb:T, [nodeType='cb:T']
	LegacyDepthPseudo                   // .mt:depth(2)
	LegacyIDToken                       // #cb:u2
	LegacyRangeEnd                      // @t-5..-1
	LegacyOffsetHop                     // cont[offset=0] as a hop
	LegacyHops                          // (d1, seg, *:block)
	LegacyStarType                      // *:block
	LegacySearch                        // ?? {…}
	LegacyWithin                        // within(…) ?? {…}
	LegacyStarSign                      // *@+
	LegacyRole                          // [role='user']
)

var legacyNames = [...]string{
	"type-name", "type-base", "depth-pseudo", "id-token", "range-end", "offset-hop", "hops", "star-type",
	"search", "within", "star-sign", "role",
}

func (f LegacyForm) String() string { return legacyNames[f] }

func (r RegionName) String() string { return [...]string{"^root", "^sys", "^seq", "^ah"}[r] }

func (z ZoneName) String() string { return [...]string{":pre", ":core", ":post"}[z] }

func (p PositionalName) String() string { return [...]string{":first", ":last", ":nth"}[p] }

func (c Combinator) String() string { return [...]string{"", " ", ">"}[c] }

func (o Op) String() string { return [...]string{"=", "in", "!=", ">", ">=", "<", "<=", "~", ""}[o] }

func (f FilterForm) String() string { return [...]string{"{}", "[]", "()"}[f] }

func (k ValueKind) String() string { return [...]string{"null", "bool", "number", "string"}[k] }

func (k TimeKind) String() string { return [...]string{"at", "every", "range", "pair", "history"}[k] }

func (k InstantKind) String() string { return [...]string{"t", "c", "oldest"}[k] }

func (s Slot) String() string { return [...]string{"start", "end", "after", "before"}[s] }
