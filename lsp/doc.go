// Package lsp is the language server for selectors, in selector files and in the strings of other
// files.
//
// It uses the same libraries as the command line and reports the same findings in the same words. A
// document is immutable. Notifications are applied in the order in which they arrive; every request
// runs concurrently on the documents that were open when it arrived, until it is answered or
// canceled.
package lsp
