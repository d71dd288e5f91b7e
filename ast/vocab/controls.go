package vocab

var controls = []Term{
	{
		ID: "control.mode", Kind: Control, Name: "mode", ValueType: EnumType, Params: []string{"pairwise", "union", "latest", "reduce"}, Order: 1, NeedsTime: true, Since: "1.0",
		Summary:  "How the results for the snapshots of a range or pair are combined.",
		Doc:      "`pairwise` (the default) compares neighbors, `reduce` the newest with the oldest; `union` merges the ids; `latest` names, for each node, the newest snapshot that selects it.",
		Examples: []string{"@t0..@t-5 .block @mode=latest", "@history .summary @mode=union"},
	},
	{
		ID: "control.order", Kind: Control, Name: "order", ValueType: EnumType, Params: []string{"pre", "post", "bfs", "path", "turn:asc,pre", "turn:desc,pre"}, Order: 2, Since: "1.0",
		Summary:  "The order of the result.",
		Doc:      "`pre` (the default) is document order within each fragment and changes nothing. `post` puts children before parents, `bfs` goes level by level, `path` sorts by depth and offsets, `turn:asc,pre` and `turn:desc,pre` by segment. Any value but `pre` sorts the whole result.",
		Examples: []string{".block @order=bfs", ".block @order=turn:desc,pre"},
	},
	{
		ID: "control.unique", Kind: Control, Name: "unique", ValueType: NoValue, Order: 3, Since: "1.0",
		Summary:  "The result must not have more than one node.",
		Examples: []string{"#policy @unique"},
	},
	{
		ID: "control.skip", Kind: Control, Name: "skip", ValueType: IntType, Order: 4, Since: "1.0",
		Summary:  "Leaves out the first N results.",
		Examples: []string{".block @skip=10", ".block @skip=10 @limit=5"},
	},
	{
		ID: "control.p", Kind: Control, Name: "p", ValueType: IntType, Order: 5, Since: "1.0",
		Summary:  "Page N of the result, from 1.",
		Doc:      "`@limit` is the number of results per page, and is required (D11).",
		Examples: []string{".block @p=2 @limit=20"},
	},
	{
		ID: "control.limit", Kind: Control, Name: "limit", ValueType: IntType, Order: 6, Since: "1.0",
		Summary:  "At most N results; with 0 the result is empty.",
		Examples: []string{".block @limit=5"},
	},
	{
		ID: "control.first", Kind: Control, Name: "first", ValueType: NoValue, Order: 6, Since: "1.0",
		Summary:  "Only the first result, like `@limit=1`.",
		Examples: []string{"#summary @first"},
	},
}
