// Package parser reads selectors, selector files and insertion positions into the trees of package
// ast.
//
// The syntax is defined by grammar/PactLexer.g4 and grammar/PactParser.g4, which are LL(1). ANTLR
// turns them into automata, and internal/ll1 holds these as tables. Tests compare the tables with
// the Go parser that ANTLR generates (internal/gen). The grammar is permissive: it also accepts
// what is well formed but not allowed. This package rejects that with a message that says what was
// probably meant.
//
// The lexer of internal/ll1 cuts a selector into tokens, and a builder reads them into the tree. If
// a token does not fit the grammar, the machine of internal/ll1 finds all syntax errors and repairs
// the tokens: it drops some, and closes brackets that stay open. The builder then reads the
// repaired tokens instead.
//
// A node lies within its parent, and siblings follow each other without overlap. There are two
// exceptions: nodes that stand for a legacy form are made from the same text and have the same
// span, and the time of a query may be written before a later fragment. An implied star has an
// empty span.
//
// Every function that parses returns a tree and all diagnostics that could be found, sorted by
// position. No input makes it panic. Time and memory grow linearly with the input. All functions
// are safe for concurrent use.
package parser
