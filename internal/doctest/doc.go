// Package doctest runs what the documentation shows: every command block of README.md and docs, against the
// programs as they are built, and compares what they print. It has no code but its test.
//
// A console block holds commands behind "$ ", with what they print below; a line of "> " goes on with a
// command, and a line "..." stands for any lines. A sh block is a script that must succeed. The blocks of one
// page run in order, in one copy of the repository. PACTKIT_UPDATE=1 rewrites what console blocks show.
package doctest
