package ast

import (
	"iter"
	"slices"
)

// LegacyForm is a form of an older revision that is still read as its modern equivalent.
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

// LegacyInfo documents a legacy form.
type LegacyInfo struct {
	Form    LegacyForm
	Name    string          // in kebab case; it never changes
	Summary string          // one sentence
	Safe    bool            // the modern form selects the same nodes in data of either edition
	Edition bool            // part of edition 0.1, and legacy only in edition 1.0
	Changes []LegacyExample // at least one
}

// LegacyExample is a selector of edition 1.0 that uses a form, and the selector that replaces it.
type LegacyExample struct {
	Old, New string
}

var legacyForms = []LegacyInfo{
	{LegacyTypeName, "type-name", "The names that edition 0.1 has for the canonical types.", true, true, []LegacyExample{
		{".mt > .mc > .cb", ".seg > .cont > .block"},
		{"[nodeType='cb']", "[nodeType='block']"},
	}},
	{LegacyTypeBase, "type-base", "A user type after its base. A canonical base has no meaning and is dropped; any other base is part of the type. `.block:T`, `.seg:T` and `.cont:T` are legacy in edition 0.1 too.", true, true, []LegacyExample{
		{".block:summary", ".summary"},
		{".cb:summary", ".summary"},
		{"[nodeType='cb:summary']", "[nodeType='summary']"},
		{".custom:note", "[nodeType='custom:note']"},
	}},
	{LegacyDepthPseudo, "depth-pseudo", "Depths as a pseudo. The depth replaces the anchor, and a bare `^seq` before it; a lower bound becomes a test. Depths below 1 are legacy in edition 0.1 too (D41).", true, true, []LegacyExample{
		{".mt:depth(2)", "d2"},
		{"^seq .seg:depth(1,2)", "d1..d2"},
		{":depth(1-3)", "d1..d3"},
		{":depth(1,3)", "((d1), (d3))"},
		{":depth({1,2})", "d1..d2"},
		{":depth(1..3)", "d1..d3"},
		{".seg:depth(-1)", "d-1"},
		{".seg:depth(<0)", "d-1"},
		{"^seq .seg:depth(>0)", "^seq .seg[depth>=1]"},
	}},
	{LegacyIDToken, "id-token", "An unquoted token with a colon: an id, not a key (D6).", true, true, []LegacyExample{
		{"#cb:u2", "{id='cb:u2'}"},
	}},
	{LegacyRangeEnd, "range-end", "An end of a range without its `@t`.", true, true, []LegacyExample{
		{"@t-5..-1 .block", "@t-5..@t-1 .block"},
	}},
	{LegacyOffsetHop, "offset-hop", "An offset in a coordinate, written as a filter on a container.", true, false, []LegacyExample{
		{"(d1,cont[offset=0])", "(d1,0)"},
		{"(d1,mc[offset=-1])", "(d1,-1)"},
	}},
	{LegacyHops, "hops", "A coordinate that continues with types. `seg` directly after the depth changes nothing, `N:T` is a child of type T at offset N, `*:T` and `.T` are nodes of type T below.", true, false, []LegacyExample{
		{"(d1, seg, cont[offset=0], *:block)", "(d1,0) .block"},
		{"(d1, cont[offset=0, ttl=1])", "(d1,0)[ttl=1]"},
		{"(d1, 0:item)", "d1 > .item[offset=0]"},
		{"(d1..d2, .seg .block)", "(d1..d2) .block"},
	}},
	{LegacyStarType, "star-type", "A type after a star.", true, false, []LegacyExample{
		{"^seq *:block", "^seq .block"},
		{"*:root", "^root"},
	}},
	{LegacySearch, "search", "A search that begins with `??`.", true, false, []LegacyExample{
		{"?? {status='open'}", "{status='open'}"},
	}},
	{LegacyWithin, "within", "A search below a position.", true, false, []LegacyExample{
		{"within(d1, seg) ?? {status='open'}", "(d1) *{status='open'}"},
	}},
	{LegacyStarSign, "star-sign", "The sign of an offset.", true, false, []LegacyExample{
		{"*@+", "*[offset>0]"},
		{"*@-", "*[offset<0]"},
	}},
	{LegacyRole, "role", "Any test of the header `role`. Its replacement finds nothing until the data is migrated too, so neither the formatter nor a safe fix makes the change.", false, true, []LegacyExample{
		{".block[role='user']", ".block+user"},
		{"{role='user'}", "+user"},
	}},
}

// LegacyForms yields the documentation of every legacy form.
func LegacyForms() iter.Seq[LegacyInfo] { return slices.Values(legacyForms) }

// Info returns the documentation of the form.
func (f LegacyForm) Info() LegacyInfo { return legacyForms[f] }

func (f LegacyForm) String() string { return legacyForms[f].Name }
