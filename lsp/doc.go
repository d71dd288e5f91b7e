// Package lsp is the language server of selectors: for selector files, and for the strings of other files that
// hold selectors.
//
// What it says comes from the same libraries as what the command line says, in the same words. A document is an
// immutable snapshot of its text; notifications are applied in the order they arrive, and every request runs on
// the snapshots that were there when it arrived, beside others, until it is answered or cancelled.
package lsp
