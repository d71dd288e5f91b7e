// Package gen holds what ANTLR makes of grammar/PactLexer.g4 and grammar/PactParser.g4: the lexer and
// the parser in Go, and the .interp files with the automata behind them. "make generate" writes all of
// it except this file.
//
// The .interp files are the input of the tables in package ll1, which read selectors. The Go code is
// the oracle those tables are tested against; nothing but tests imports it.
package gen
