// Package parser reads selectors, selector files and insertion positions into the trees of package
// ast.
//
// The syntax is defined by grammar/PactLexer.g4 and grammar/PactParser.g4 alone. Both are LL(1).
// The automata that ANTLR builds from them are compiled to the tables of internal/ll1; the parser
// that ANTLR generates for Go (internal/gen) is the oracle that tests compare those tables with.
// The grammar is permissive: it accepts what is well formed but not allowed, and this package
// reports it with a message that says what was probably meant.
//
// The machine of internal/ll1 cuts a selector into tokens and reports whether they hold an error.
// If they do, it reports all errors and repairs the tokens: it leaves some out, and closes brackets
// that stay open. One builder then makes the tree from the tokens, with one token of lookahead.
//
// A node lies within its parent, and siblings follow each other without overlap. There are two
// exceptions: nodes that stand for a legacy form are made from the same text and have the same
// span, and the time of a query may be written before a later fragment. An implied star has an
// empty span.
//
// Every function that parses returns a tree and all diagnostics, sorted by position. No input makes
// it panic, and time and memory grow linearly with the input. All functions are safe for concurrent
// use.
package parser
