package ll1

import (
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/parser/internal/gen"
)

const numKinds = int(TokBadChar) + 1

var kindNames = gen.NewPactLexer(nil).SymbolicNames

// String returns the name in the grammar.
func (k Kind) String() string {
	switch {
	case k == TokEOF:
		return "EOF"
	case int(k) < numKinds:
		return kindNames[k]
	}
	return strconv.Itoa(int(k))
}

// Rule is a rule of the tables.
type Rule uint8

// ruleNames are the names of the rules, in the order of the grammar: all but those that grammargen inlines.
var ruleNames = slices.DeleteFunc(slices.Clone(gen.NewPactParser(nil).RuleNames), func(name string) bool {
	return slices.Contains([]string{"anchor", "qualifier", "argument", "value", "name"}, name)
})

// String returns the name in the grammar.
func (r Rule) String() string { return ruleNames[r] }
