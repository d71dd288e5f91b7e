package vocab

// terms is the whole language, by kind and in canonical order.
var terms = []Term{
	{ID: "region.root", Kind: Region, Name: "root"},
	{ID: "region.sys", Kind: Region, Name: "sys"},
	{ID: "region.seq", Kind: Region, Name: "seq"},
	{ID: "region.ah", Kind: Region, Name: "ah"},

	{ID: "type.seg", Kind: Type, Name: "seg", Aliases: []string{"mt"}},
	{ID: "type.cont", Kind: Type, Name: "cont", Aliases: []string{"mc"}},
	{ID: "type.block", Kind: Type, Name: "block", Aliases: []string{"cb"}},

	{ID: "zone.pre", Kind: Zone, Name: "pre"},
	{ID: "zone.core", Kind: Zone, Name: "core"},
	{ID: "zone.post", Kind: Zone, Name: "post"},

	{ID: "pseudo.first", Kind: Pseudo, Name: "first"},
	{ID: "pseudo.last", Kind: Pseudo, Name: "last"},
	{ID: "pseudo.nth", Kind: Pseudo, Name: "nth", Params: []string{"n"}},

	{ID: "attribute.nodeType", Kind: Attribute, Name: "nodeType", ValueType: StringType, Group: Behavior, Order: 1},
	{ID: "attribute.ttl", Kind: Attribute, Name: "ttl", ValueType: NumberType, Group: Behavior, Order: 2},
	{ID: "attribute.cad", Kind: Attribute, Name: "cad", ValueType: NumberType, Group: Behavior, Order: 3},
	{ID: "attribute.phase", Kind: Attribute, Name: "phase", ValueType: AnyType, Group: Behavior, Order: 4},
	{ID: "attribute.age", Kind: Attribute, Name: "age", ValueType: NumberType, Group: Behavior, Order: 5, Derived: true, NeedsTime: true},
	{ID: "attribute.born_turn", Kind: Attribute, Name: "born_turn", ValueType: NumberType, Group: Behavior, Order: 6, Derived: true, NeedsTime: true},
	{ID: "attribute.offset", Kind: Attribute, Name: "offset", ValueType: NumberType, Group: Behavior, Order: 7},
	{ID: "attribute.priority", Kind: Attribute, Name: "priority", ValueType: NumberType, Group: Behavior, Order: 8},
	{ID: "attribute.cycle", Kind: Attribute, Name: "cycle", ValueType: NumberType, Group: Behavior, Order: 9},
	{ID: "attribute.created_at_ns", Kind: Attribute, Name: "created_at_ns", ValueType: NumberType, Group: Behavior, Order: 10},
	{ID: "attribute.created_at_iso", Kind: Attribute, Name: "created_at_iso", ValueType: StringType, Group: Behavior, Order: 11},
	{ID: "attribute.creation_index", Kind: Attribute, Name: "creation_index", ValueType: NumberType, Group: Behavior, Order: 12},
	{ID: "attribute.depth", Kind: Attribute, Name: "depth", ValueType: NumberType, Group: Behavior, Order: 13, Derived: true},

	{ID: "attribute.key", Kind: Attribute, Name: "key", ValueType: StringType, Group: Attributes, Order: 1},
	{ID: "attribute.id", Kind: Attribute, Name: "id", ValueType: StringType, Group: Attributes, Order: 2},
	{ID: "attribute.kind", Kind: Attribute, Name: "kind", ValueType: StringType, Group: Attributes, Order: 3},
	{ID: "attribute.tag", Kind: Attribute, Name: "tag", ValueType: TagsType, Group: Attributes, Order: 4},
	{ID: "attribute.schema", Kind: Attribute, Name: "schema", ValueType: AnyType, Group: Attributes, Order: 5},
	{ID: "attribute.mime", Kind: Attribute, Name: "mime", ValueType: AnyType, Group: Attributes, Order: 6},
	{ID: "attribute.lang", Kind: Attribute, Name: "lang", ValueType: AnyType, Group: Attributes, Order: 7},
	{ID: "attribute.content", Kind: Attribute, Name: "content", ValueType: StringType, Group: Attributes},
	{ID: "attribute.content_hash", Kind: Attribute, Name: "content_hash", ValueType: StringType, Group: Attributes},
	{ID: "attribute.parent_id", Kind: Attribute, Name: "parent_id", ValueType: StringType, Group: Attributes},
	{ID: "attribute.removable", Kind: Attribute, Name: "removable", ValueType: BoolType, Group: Attributes},
	{ID: "attribute.role", Kind: Attribute, Name: "role", ValueType: StringType, Group: Attributes, Deprecated: "+tag"},

	{ID: "flag.ephemeral", Kind: Flag, Name: "ephemeral", Order: 1},
	{ID: "flag.sticky", Kind: Flag, Name: "sticky", Order: 2},

	{ID: "operator.eq", Kind: Operator, Name: "="},
	{ID: "operator.in", Kind: Operator, Name: "in"},
	{ID: "operator.ne", Kind: Operator, Name: "!="},
	{ID: "operator.gt", Kind: Operator, Name: ">"},
	{ID: "operator.ge", Kind: Operator, Name: ">="},
	{ID: "operator.lt", Kind: Operator, Name: "<"},
	{ID: "operator.le", Kind: Operator, Name: "<="},
	{ID: "operator.match", Kind: Operator, Name: "~"},

	{ID: "control.mode", Kind: Control, Name: "mode", ValueType: EnumType, Params: []string{"pairwise", "union", "latest", "reduce"}, Order: 1, NeedsTime: true},
	{ID: "control.order", Kind: Control, Name: "order", ValueType: EnumType, Params: []string{"pre", "post", "bfs", "path", "turn:asc,pre", "turn:desc,pre"}, Order: 2},
	{ID: "control.unique", Kind: Control, Name: "unique", ValueType: NoValue, Order: 3},
	{ID: "control.skip", Kind: Control, Name: "skip", ValueType: IntType, Order: 4},
	{ID: "control.p", Kind: Control, Name: "p", ValueType: IntType, Order: 5},
	{ID: "control.limit", Kind: Control, Name: "limit", ValueType: IntType, Order: 6},
	{ID: "control.first", Kind: Control, Name: "first", ValueType: NoValue, Order: 6},

	{ID: "instant.t", Kind: Instant, Name: "@tN"},
	{ID: "instant.c", Kind: Instant, Name: "@cN"},
	{ID: "instant.every", Kind: Instant, Name: "@*"},
	{ID: "instant.history", Kind: Instant, Name: "@history"},
	{ID: "instant.oldest", Kind: Instant, Name: "@t-*"},
}
