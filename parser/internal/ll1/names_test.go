package ll1

import (
	"strconv"

	"github.com/pactkit/pactkit/parser/internal/gen"
)

const numKinds = int(TokBadChar) + 1

var (
	kindNames = gen.NewPactLexer(nil).SymbolicNames
	ruleNames = gen.NewPactParser(nil).RuleNames
)

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

// Rule is the number of a rule in the tables.
type Rule uint8

// String returns the name in the grammar.
func (r Rule) String() string { return ruleNames[r] }
