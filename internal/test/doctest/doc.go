// Package doctest tests the documentation: it runs every command block of README.md and docs with
// the built programs and compares their output. It also draws the picture of the README, and runs
// the scripts of testdata/uses. It has tests only.
//
// A console block holds commands after "$ ", each followed by its output. A line that begins with
// "> " continues a command, and a line "..." stands for any lines. A sh block is a script that must
// succeed. The blocks of one page run in order, in one copy of the repository. PACTKIT_UPDATE=1
// rewrites the output in console blocks.
package doctest
