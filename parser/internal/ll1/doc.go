// Package ll1 has a lexer and a parser of selectors that run on tables compiled from the grammar.
//
// [Lex] splits a source into tokens: a minimal automaton finds the longest token at each offset. A
// [Machine] parses tokens with one token of lookahead: [Machine.Repair] returns all errors and the
// repaired tokens, and [Machine.Expected] what may follow a sequence of tokens. All of them take
// linear time for any input, keep no state between calls, and do not recurse.
//
// Most sources are ASCII. For these, the lexer makes one transition per byte, with few branches.
//
// The tables and the kinds of tokens are in tables.go, which "make generate" writes from
// grammar/PactLexer.g4 and grammar/PactParser.g4.
package ll1
