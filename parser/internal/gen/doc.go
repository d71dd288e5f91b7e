// Package gen has what ANTLR makes from grammar/PactLexer.g4 and grammar/PactParser.g4: the lexer
// and the parser in Go, and .interp files with the automata behind them. "make generate" writes all
// files except this one.
//
// The tables of package ll1, which read selectors, are compiled from the .interp files. The Go code
// is the oracle that tests compare those tables with; only tests import it.
package gen
