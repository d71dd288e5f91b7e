// Package inspect serves one page that shows histories: the calls of a session as bars, the context at each of them as a
// tree, what came, changed and left and why, and what a selector finds.
//
// [Handler] answers the requests of the page on behalf of one reader on this machine. [WriteHTML] writes the same page with
// the data in it, as one file. What logs hold is data here and text in the page; nothing is fetched from anywhere.
package inspect
