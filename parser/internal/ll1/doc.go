// Package ll1 reads selectors: a lexer and a parser that run on tables compiled from the grammar.
//
// [Lex] cuts a source into tokens; a minimal automaton finds the longest token at each place. A
// [Machine] reads tokens with one token of lookahead and gives a flat concrete syntax tree, a list of
// events. Both take linear time for any input, keep no state between calls and do not recurse.
//
// Most sources are ASCII and hold no error. For these there is a way of one step for each byte and one for each
// token, with few branches; what it cannot read is read again with care. Where the tokens alone are wanted, and whether they
// hold an error, [Machine.Read] takes that way without a list of events.
//
// Rules that only name a part of another rule, such as anchor, are none in the tables: grammargen puts what
// they hold into the rules around them.
//
// The tables, and the names of tokens and rules, are in tables.go; "make generate" writes it from
// grammar/PactLexer.g4 and grammar/PactParser.g4.
package ll1
