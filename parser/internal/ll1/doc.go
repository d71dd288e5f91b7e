// Package ll1 reads selectors: a lexer and a parser that run on tables compiled from the grammar.
//
// [Lex] splits a source into tokens; a minimal automaton finds the longest token at each offset. A
// [Machine] reads tokens with one token of lookahead. [Machine.Repair] gives all errors, and tokens
// without them; [Machine.Expected] what may follow some tokens. All of them take linear time for
// any input, keep no state between calls and do not recurse.
//
// Most sources are ASCII. For these there is one transition per byte, with few branches.
//
// The tables, and the kinds of tokens, are in tables.go. "make generate" writes it from
// grammar/PactLexer.g4 and grammar/PactParser.g4.
package ll1
