package vocab

// The attributes of a node. A canonical selector tests those of the group Behavior in square
// brackets and those of the group Attributes in braces; Order is the order of the tests within the
// brackets.

var behavior = []Term{
	{
		ID: "attribute.nodeType", Kind: Attribute, Name: "nodeType", ValueType: StringType, Group: Behavior, Order: 1, Since: "0.1",
		Summary:  "The type of a node.",
		Doc:      "`=`, `!=` and `in` make the same test as a type token: bases and user types, whatever the edition of the data. Orderings and `~` use the stored spelling. A user type with the name of a canonical type or a region cannot be selected by name.",
		Examples: []string{"[nodeType='summary']", ".block[nodeType!='summary']", "[nodeType='custom:note']"},
	},
	{
		ID: "attribute.ttl", Kind: Attribute, Name: "ttl", ValueType: NumberType, Group: Behavior, Order: 2, Since: "0.1",
		Summary:  "How many commits a node has left to live; null means it stays.",
		Doc:      "A node created with ttl N is in N snapshots. A snapshot shows the remaining number.",
		Examples: []string{".block[ttl<=1]", ".block[ttl=null]"},
	},
	{
		ID: "attribute.cad", Kind: Attribute, Name: "cad", ValueType: NumberType, Group: Behavior, Order: 3, Since: "1.0",
		Summary:  "The cadence of a node: after how many cycles it is renewed.",
		Doc:      "It is at least 1, or null for a node that is not renewed.",
		Examples: []string{".block[cad]", ".block[cad=1, ttl=1]"},
	},
	{
		ID: "attribute.phase", Kind: Attribute, Name: "phase", ValueType: AnyType, Group: Behavior, Order: 4, Since: "1.0",
		Summary:  "A phase that the application assigns to a node.",
		Doc:      "The language only defines its position among the tests.",
		Examples: []string{".block[phase='draft']"},
	},
	{
		ID: "attribute.age", Kind: Attribute, Name: "age", ValueType: NumberType, Group: Behavior, Order: 5, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "How many cycles ago a node was created, seen from the selected snapshot.",
		Doc:      "It is the cycle of the snapshot minus `born_turn`. A selector that uses it must write its time.",
		Examples: []string{"@t0 .block[age<2]"},
	},
	{
		ID: "attribute.born_turn", Kind: Attribute, Name: "born_turn", ValueType: NumberType, Group: Behavior, Order: 6, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "The cycle in which a node was created.",
		Doc:      "A selector that uses it must write its time.",
		Examples: []string{"@t-1 .block[born_turn>=3]"},
	},
	{
		ID: "attribute.offset", Kind: Attribute, Name: "offset", ValueType: NumberType, Group: Behavior, Order: 7, Since: "0.1",
		Summary:  "The position among siblings: below 0 before the core, 0 in the core, above 0 after it.",
		Doc:      "Siblings may share an offset. The zones `:pre`, `:core` and `:post` test it.",
		Examples: []string{".cont[offset=0]", ".block[offset>0]"},
	},
	{
		ID: "attribute.priority", Kind: Attribute, Name: "priority", ValueType: NumberType, Group: Behavior, Order: 8, Since: "0.1",
		Summary:  "The weight of a node; 0 unless stored.",
		Examples: []string{".block[priority>=5]"},
	},
	{
		ID: "attribute.cycle", Kind: Attribute, Name: "cycle", ValueType: NumberType, Group: Behavior, Order: 9, Since: "0.1",
		Summary:  "The cycle in which a node was created.",
		Doc:      "Unlike `born_turn`, it can be tested without a written time.",
		Examples: []string{".block[cycle=12]"},
	},
	{
		ID: "attribute.created_at_ns", Kind: Attribute, Name: "created_at_ns", ValueType: NumberType, Group: Behavior, Order: 10, Since: "0.1",
		Summary:  "When a node was created, in nanoseconds since 1970; 0 unless stored.",
		Examples: []string{".block[created_at_ns>1724670000000000000]"},
	},
	{
		ID: "attribute.created_at_iso", Kind: Attribute, Name: "created_at_iso", ValueType: StringType, Group: Behavior, Order: 11, Since: "0.1",
		Summary:  "When a node was created, as text in ISO 8601.",
		Doc:      "It is compared as text, byte by byte: two times compare as expected when they have the same form and zone.",
		Examples: []string{".block[created_at_iso>='2025-08-01T00:00:00Z']"},
	},
	{
		ID: "attribute.creation_index", Kind: Attribute, Name: "creation_index", ValueType: NumberType, Group: Behavior, Order: 12, Since: "0.1",
		Summary:  "The order of nodes created at the same time.",
		Examples: []string{".block[creation_index=0]"},
	},
	{
		ID: "attribute.depth", Kind: Attribute, Name: "depth", ValueType: NumberType, Group: Behavior, Order: 13, Derived: true, Since: "1.0",
		Summary:  "The depth of the region or segment that contains the node: -1, 0, or 1 for the newest segment.",
		Doc:      "It is null for the root, for `^seq` and for nodes outside the regions.",
		Examples: []string{".block[depth<=3]", ".block[depth=-1]"},
	},
}

var properties = []Term{
	{
		ID: "attribute.key", Kind: Attribute, Name: "key", ValueType: StringType, Group: Attributes, Order: 1, Since: "1.0",
		Summary:  "The name under which a component is known across its versions.",
		Doc:      "`#k` tests for it. Several nodes may share a key; a result whose last step requires one is ordered deepest first, then newest first.",
		Examples: []string{"#summary", ".block{key='hero banner'}", "{key in ['a', 'b']}"},
	},
	{
		ID: "attribute.id", Kind: Attribute, Name: "id", ValueType: StringType, Group: Attributes, Order: 2, Since: "0.1",
		Summary:  "The identity of a node, unique in its tree.",
		Doc:      "An unquoted `#x` tests for it in edition 0.1, and in both editions when it contains a colon (D6).",
		Examples: []string{"{id='cb:u2'}"},
	},
	{
		ID: "attribute.kind", Kind: Attribute, Name: "kind", ValueType: StringType, Group: Attributes, Order: 3, Since: "0.1",
		Summary:  "What a block is for, as named by the application.",
		Doc:      "It is not the type of the node, and no type token tests for it.",
		Examples: []string{".block{kind='tool_call'}"},
	},
	{
		ID: "attribute.tag", Kind: Attribute, Name: "tag", ValueType: TagsType, Group: Attributes, Order: 4, Since: "1.0",
		Summary:  "The tags of a node: a string or a list of strings.",
		Doc:      "Any member satisfies a test, and `!=` negates `=`. `+t` is the test for one tag. An empty list counts as present.",
		Examples: []string{".block+user", "{tag='two words'}", ".block{tag!='draft'}"},
	},
	{
		ID: "attribute.schema", Kind: Attribute, Name: "schema", ValueType: AnyType, Group: Attributes, Order: 5, Since: "1.0",
		Summary:  "The schema that the content of a node follows.",
		Examples: []string{".block{schema='v1'}"},
	},
	{
		ID: "attribute.mime", Kind: Attribute, Name: "mime", ValueType: AnyType, Group: Attributes, Order: 6, Since: "0.1",
		Summary:  "The media type of the content of a node.",
		Examples: []string{".block{mime='application/json'}"},
	},
	{
		ID: "attribute.lang", Kind: Attribute, Name: "lang", ValueType: AnyType, Group: Attributes, Order: 7, Since: "1.0",
		Summary:  "The language of the content of a node.",
		Examples: []string{".block{lang='en'}"},
	},
	{
		ID: "attribute.cause", Kind: Attribute, Name: "cause", ValueType: StringType, Group: Attributes, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "Why a node left the context or, if that comes first, why its content changes next; null if neither happens.",
		Doc:      "One of `expired`, `pruned`, `deleted`, `compacted`, `cleared`, `truncated`, `deduplicated`, `trimmed`, `edited`, `rewound`, `session-cleared` and `unknown`, or another value that the history records (D40). A selector that uses it must write its time.",
		Params:   []string{"expired", "pruned", "deleted", "compacted", "cleared", "truncated", "deduplicated", "trimmed", "edited", "rewound", "session-cleared", "unknown"},
		Examples: []string{"@* .block{cause='compacted'}", "@* {cause in ['expired', 'pruned']}"},
	},
	{
		ID: "attribute.content", Kind: Attribute, Name: "content", ValueType: StringType, Group: Attributes, Since: "0.1",
		Summary:  "The content of a node, when it is text.",
		Doc:      "Structured content is present, but equals nothing and is never ordered.",
		Examples: []string{".block{content~'(?i)error'}"},
	},
	{
		ID: "attribute.content_hash", Kind: Attribute, Name: "content_hash", ValueType: StringType, Group: Attributes, Since: "0.1",
		Summary:  "The SHA-256 of the content of a node, in hexadecimal.",
		Doc:      "The stored hash is used; if there is none, it is computed.",
		Examples: []string{"{content_hash='9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}"},
	},
	{
		ID: "attribute.entered", Kind: Attribute, Name: "entered", ValueType: NumberType, Group: Attributes, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "The cycle in which a node entered the context.",
		Doc:      "It is the cycle of the first snapshot in the unbroken run of snapshots that have the node, up to the selected one (D40). A selector that uses it must write its time.",
		Examples: []string{"@t0 .block{entered>=5}", "@history .block{entered=3}"},
	},
	{
		ID: "attribute.left", Kind: Attribute, Name: "left", ValueType: NumberType, Group: Attributes, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "The cycle in which a node left the context; null while it is there.",
		Doc:      "It is the cycle of the first later snapshot without the node (D40), so it is null in the newest one. A selector that uses it must write its time.",
		Examples: []string{"@* .block{left}", "@c3 .block{left<=5}"},
	},
	{
		ID: "attribute.parent_id", Kind: Attribute, Name: "parent_id", ValueType: StringType, Group: Attributes, Since: "0.1",
		Summary:  "The id of the parent of a node.",
		Doc:      "It always comes from the tree; a stored value is ignored.",
		Examples: []string{"{parent_id='^seq'}"},
	},
	{
		ID: "attribute.pinned", Kind: Attribute, Name: "pinned", ValueType: AnyType, Group: Attributes, Since: "0.1",
		Summary:  "Whether a node is kept after its time to live has ended.",
		Examples: []string{".block{pinned=true}"},
	},
	{
		ID: "attribute.provenance", Kind: Attribute, Name: "provenance", ValueType: AnyType, Group: Attributes, Since: "0.1",
		Summary:  "Where a node comes from, as named by the application.",
		Examples: []string{".block{provenance}"},
	},
	{
		ID: "attribute.refs", Kind: Attribute, Name: "refs", ValueType: AnyType, Group: Attributes, Since: "1.0",
		Summary:  "The nodes that a node refers to.",
		Doc:      "It is usually a list, so only its presence can be tested: only `tag` looks inside a list.",
		Examples: []string{".redaction{refs}"},
	},
	{
		ID: "attribute.removable", Kind: Attribute, Name: "removable", ValueType: BoolType, Group: Attributes, Since: "0.1",
		Summary:  "Whether a container is removed with its last child.",
		Examples: []string{".cont{removable=true}"},
	},
	{
		ID: "attribute.role", Kind: Attribute, Name: "role", ValueType: StringType, Group: Attributes, Since: "0.1", Deprecated: "+tag",
		Summary:  "Who speaks, in edition 0.1; edition 1.0 uses tags.",
		Doc:      "The formatter does not change it, because the replacement selects the same nodes only when the data has been migrated too.",
		Examples: []string{".block{role='user'}"},
	},
	{
		ID: "attribute.rule", Kind: Attribute, Name: "rule", ValueType: StringType, Group: Attributes, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "The step or limit of a policy that is behind the `cause` of a node; null if it is none of a policy.",
		Doc:      "It is the rule that the history records with the cause: the step as the policy writes it, such as `clear .block+tool`, or `limit` and its number (D40). A selector that uses it must write its time.",
		Examples: []string{"@* .block{rule='clear .block+tool'}", "@* {rule~'^limit '}"},
	},
	{
		ID: "attribute.saved", Kind: Attribute, Name: "saved", ValueType: NumberType, Group: Attributes, Derived: true, NeedsTime: true, Since: "1.0",
		Summary:  "How many tokens of a node were no longer sent after the `cause`, as its policy counted; null if that is not recorded.",
		Doc:      "It is 0 for a node that was not sent before, such as an empty container (D40). A selector that uses it must write its time.",
		Examples: []string{"@* .block{saved>=1000}", "@* {cause='pruned', saved=0}"},
	},
}

var flags = []Term{
	{
		ID: "flag.ephemeral", Kind: Flag, Name: "ephemeral", Order: 1, Since: "1.0",
		Summary:  "Nodes that are in at most one snapshot: ttl is 0 or 1, and there is no cadence.",
		Doc:      "In square brackets and groups only; in braces the word tests an attribute of that name.",
		Examples: []string{".block[ephemeral]", ".block(ephemeral)"},
	},
	{
		ID: "flag.sticky", Kind: Flag, Name: "sticky", Order: 2, Since: "1.0",
		Summary:  "Nodes that are renewed with every commit: ttl and cadence are 1 (D9).",
		Doc:      "In square brackets and groups only; in braces the word tests an attribute of that name.",
		Examples: []string{".block[sticky]"},
	},
}
