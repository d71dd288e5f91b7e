// Package parser reads selectors, selector files and insertion positions into the trees of package ast.
//
// The syntax is defined by grammar/PactLexer.g4 and grammar/PactParser.g4 alone. Both are LL(1) and are
// compiled, from the automata that ANTLR itself builds, to the tables of internal/ll1; the parser that ANTLR
// generates for Go (internal/gen) is the oracle those tables are tested against. The grammar is permissive:
// what is well shaped but not allowed is read, and refused here with a message that knows what was meant.
//
// Every function returns a tree and all diagnostics that could be found, sorted by place; no input makes one
// panic, and time and memory grow linearly with the input. All functions are safe for concurrent use.
package parser
