// Package gendocs has the test that compares the reference page and the manual pages with the
// command tree and the table of configuration keys, and writes them with PACTKIT_UPDATE=1. It is a
// test so that no program links the writer of manual pages.
package gendocs
