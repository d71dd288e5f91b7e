package vocab

var operators = []Term{
	{
		ID: "operator.eq", Kind: Operator, Name: "=", Since: "0.1",
		Summary:  "Equal.",
		Doc:      "Numbers compare by exact value, strings byte by byte. A missing attribute equals only `null`. On a custom attribute a number and a string are never equal.",
		Examples: []string{"{status='ok'}", "[offset=0]", "{status=null}"},
	},
	{
		ID: "operator.in", Kind: Operator, Name: "in", Since: "1.0",
		Summary:  "Equal to one of a list.",
		Doc:      "`=` before a list means the same.",
		Examples: []string{"{status in ['ok', 'done']}", "[ttl in [null, 1]]"},
	},
	{
		ID: "operator.ne", Kind: Operator, Name: "!=", Since: "0.1",
		Summary:  "Not equal.",
		Doc:      "It is true for a missing attribute, unless the operand is `null`.",
		Examples: []string{"{status!='ok'}", "[ttl!=null]"},
	},
	{
		ID: "operator.gt", Kind: Operator, Name: ">", Since: "0.1",
		Summary:  "Greater.",
		Doc:      "Orderings are never true for a missing attribute. On a custom attribute they compare numbers when both sides are numbers, and strings otherwise.",
		Examples: []string{"[offset>0]"},
	},
	{
		ID: "operator.ge", Kind: Operator, Name: ">=", Since: "0.1",
		Summary:  "Greater or equal.",
		Examples: []string{"[priority>=5]"},
	},
	{
		ID: "operator.lt", Kind: Operator, Name: "<", Since: "0.1",
		Summary:  "Less.",
		Examples: []string{"[offset<0]"},
	},
	{
		ID: "operator.le", Kind: Operator, Name: "<=", Since: "0.1",
		Summary:  "Less or equal.",
		Examples: []string{"[ttl<=1]"},
	},
	{
		ID: "operator.match", Kind: Operator, Name: "~", Since: "1.0",
		Summary:  "Matches a regular expression.",
		Doc:      "The expression is in RE2 syntax and may match anywhere in a string (D8). In a string literal a backslash is written twice.",
		Examples: []string{`{content~'(?i)error'}`, `{key~'^nav\\.'}`},
	},
}
