// Package inspect serves one page that shows histories: the calls of a session as bars, the context
// at each of them as a tree, what entered, changed and left and why, and what a selector finds.
//
// [Handler] serves the page and its requests to one user on this machine. [WriteHTML] writes the
// same page with the data in it, as one file. The content of logs is data here and plain text in
// the page; nothing is fetched from anywhere.
package inspect
