// Package parser reads selectors, selector files and insertion positions into the trees of package ast.
//
// The syntax is defined by grammar/PactLexer.g4 and grammar/PactParser.g4 alone. Both are LL(1) and are
// compiled, from the automata that ANTLR itself builds, to the tables of internal/ll1; the parser that ANTLR
// generates for Go (internal/gen) is the oracle those tables are tested against. The grammar is permissive:
// what is well shaped but not allowed is read, and refused here with a message that knows what was meant.
//
// A selector is read in one of two ways. The machine of internal/ll1 says whether it holds an error. If not, and if each of
// its tokens says by itself what it becomes, as in most, its tree is built straight from the tokens (plain.go); else from
// the events of the machine, which tell what a recovery has left out (build*.go). Both share what tokens mean, and have to
// give the same tree and the same diagnostics.
//
// A node lies within its parent, and siblings follow each other without overlap. Two exceptions: nodes that a legacy
// form stands for are made from the same text and have the same span, and the time of a query may be written in
// front of a later fragment. A star that is implied has an empty span.
//
// Every function that parses returns a tree and all diagnostics that could be found, sorted by place; no input makes one
// panic, and time and memory grow linearly with the input. All functions are safe for concurrent use.
package parser
