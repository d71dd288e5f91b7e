package vocab

var regions = []Term{
	{
		ID: "region.root", Kind: Region, Name: "root", Since: "0.1",
		Summary:  "The root of the context tree.",
		Doc:      "It contains the three regions. The first step is searched anywhere below the root, including the root itself; `*` never matches the root.",
		Examples: []string{"^root", "^root > *", "^root .block[ttl=1]"},
	},
	{
		ID: "region.sys", Kind: Region, Name: "sys", Since: "0.1",
		Summary:  "The system header: what comes before the conversation.",
		Doc:      "It is at depth -1: `^sys`, `d-1` and `depth(-1)` are the same step. In document order it is the first region.",
		Examples: []string{"^sys", "^sys .block", "^sys > .block#policy"},
	},
	{
		ID: "region.seq", Kind: Region, Name: "seq", Since: "0.1",
		Summary:  "The sequence of sealed segments, oldest first.",
		Doc:      "Depth 1 is its last child, the newest segment. The region itself has no depth.",
		Examples: []string{"^seq > .seg", "^seq .block+user"},
	},
	{
		ID: "region.ah", Kind: Region, Name: "ah", Since: "0.1",
		Summary:  "The active head: the turn in progress.",
		Doc:      "It is at depth 0: `^ah`, `d0` and `depth(0)` are the same step.",
		Examples: []string{"^ah .block", "^ah > .cont", "^ah :pre .block"},
	},
}

var types = []Term{
	{
		ID: "type.seg", Kind: Type, Name: "seg", Aliases: []string{"mt"}, Since: "0.1",
		Summary:  "A segment: one sealed turn of the conversation.",
		Doc:      "`.seg` matches every node whose base is `seg`, user types of that base included. Edition 0.1 calls it `mt`.",
		Examples: []string{".seg", ".seg > .cont > .block", "[nodeType='seg']"},
	},
	{
		ID: "type.cont", Kind: Type, Name: "cont", Aliases: []string{"mc"}, Since: "0.1",
		Summary:  "A container: groups the blocks of a segment before, in or after its core.",
		Doc:      "`.cont` matches every node whose base is `cont`. A segment without one is read as if its children at offset 0 were inside one. Edition 0.1 calls it `mc`.",
		Examples: []string{".cont:core", ".seg > .cont:pre > .block"},
	},
	{
		ID: "type.block", Kind: Type, Name: "block", Aliases: []string{"cb"}, Since: "0.1",
		Summary:  "A block: one piece of content.",
		Doc:      "`.block` matches every node whose base is `block`. A type with no base of its own, such as `summary`, has this one. Edition 0.1 calls it `cb`.",
		Examples: []string{".block", ".block#summary", ".block+user[ttl<=1]"},
	},
}

var zones = []Term{
	{
		ID: "zone.pre", Kind: Zone, Name: "pre", Since: "0.1",
		Summary:  "Nodes with a negative offset: what comes before the core.",
		Doc:      "Attached to a step it narrows the step; after white space it is a step of its own (D7). Regions and segments are not in any zone.",
		Examples: []string{".block:pre", "^ah :pre .block"},
	},
	{
		ID: "zone.core", Kind: Zone, Name: "core", Since: "0.1",
		Summary:  "Nodes with offset 0.",
		Doc:      "Attached to a step it narrows the step; after white space it is a step of its own (D7). Regions and segments are not in any zone.",
		Examples: []string{".cont:core", "d1 :core > .block"},
	},
	{
		ID: "zone.post", Kind: Zone, Name: "post", Since: "0.1",
		Summary:  "Nodes with a positive offset: what comes after the core.",
		Doc:      "Attached to a step it narrows the step; after white space it is a step of its own (D7). Regions and segments are not in any zone.",
		Examples: []string{".block:post", "d2 :post .block"},
	},
}

var pseudos = []Term{
	{
		ID: "pseudo.first", Kind: Pseudo, Name: "first", Since: "0.1",
		Summary:  "The first of the siblings that remain.",
		Doc:      "Siblings are children of one parent, in canonical order. Qualifiers before the pseudo narrow them; qualifiers after it test the node it finds (D3).",
		Examples: []string{".block:first", ".seg > .block+user:first", ".block:first{status='ok'}"},
	},
	{
		ID: "pseudo.last", Kind: Pseudo, Name: "last", Since: "0.1",
		Summary:  "The last of the siblings that remain.",
		Doc:      "Siblings are children of one parent, in canonical order.",
		Examples: []string{".block:last", "^seq > .seg:last"},
	},
	{
		ID: "pseudo.nth", Kind: Pseudo, Name: "nth", Params: []string{"n"}, Since: "0.1",
		Summary:  "The n-th of the siblings that remain, counted from 1.",
		Doc:      "`:nth(0)` is an error; a number past the last sibling matches nothing.",
		Examples: []string{".block:nth(2)", ".seg .block+tool:nth(1)"},
	},
}

var instants = []Term{
	{
		ID: "instant.t", Kind: Instant, Name: "@tN", Since: "0.1",
		Summary:  "A point counted back from now: `@t0` is the newest, `@t-1` the one before.",
		Doc:      "`@t0` is what an omitted time means. In a live context of edition 1.0 it is the working state (D10). `@t+N` exists only for N = 0. A single instant that does not exist is an error; a range is clipped.",
		Examples: []string{"@t0 .block", "@t-1 .block", "@t0..@t-5 .block", "@t0,@t-1 .block"},
	},
	{
		ID: "instant.c", Kind: Instant, Name: "@cN", Since: "0.1",
		Summary:  "The sealed snapshot of cycle N.",
		Doc:      "It never means the working state. Side calls have cycles too, and no other address (D39).",
		Examples: []string{"@c42 .block", "@c9..@c3 .seg"},
	},
	{
		ID: "instant.every", Kind: Instant, Name: "@*", Since: "0.1",
		Summary:  "Every snapshot that `@t` counts, newest first.",
		Doc:      "The result is one list of ids, each at its first occurrence. It cannot be an end of a range or a pair.",
		Examples: []string{"@* .summary", "@* .block#k @limit=3"},
	},
	{
		ID: "instant.history", Kind: Instant, Name: "@history", Since: "1.0",
		Summary:  "The range from the newest instant to the oldest.",
		Doc:      "It is short for `@t0..@t-*`, which is how the canonical style writes it.",
		Examples: []string{"@history .block", "@history .summary @mode=latest"},
	},
	{
		ID: "instant.oldest", Kind: Instant, Name: "@t-*", Since: "1.0",
		Summary:  "The oldest instant, as the end of a range.",
		Doc:      "It has no meaning by itself.",
		Examples: []string{"@t-3..@t-* .block"},
	},
}
