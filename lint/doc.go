// Package lint finds mistakes and old forms in selectors and corrects them.
//
// [Rules] is the table of rules. A rule is one file with a function, one page of documentation
// beside it whose examples run as tests, and one line in the table. Rules read trees and never
// change them. They suggest edits of the text. An edit is safe if it cannot change what a selector
// selects.
//
// [Check] reports findings; [Fix] also applies edits. The edits of one round do not overlap and are
// made together. Then the result is parsed and checked again, until nothing is left to correct.
//
// The package does not read snapshots or files of other languages. Facts from fixtures and
// configuration come in through [Facts]; the strings of a program are checked one by one, as
// separate sources.
package lint
