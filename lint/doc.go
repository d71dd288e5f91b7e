// Package lint finds mistakes and old forms in selectors and corrects them.
//
// [Rules] is the table of what is looked for. A rule is one file with a function, one page of documentation
// beside it whose examples run as tests, and one line of the table. Rules read trees and never change them;
// what they suggest are edits of the text, safe when they cannot change what a selector selects.
//
// [Check] reports, [Fix] also applies edits: those of one round do not overlap, are made together, and the
// result is read and checked again until nothing is left to correct.
//
// The package knows no snapshots and no files of other languages. What fixtures and configuration know comes
// in as [Facts]; the strings of a program are checked one by one, as sources of their own.
package lint
