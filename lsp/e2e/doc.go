// Package e2e drives pact-lsp as editors do: the program itself, over its standard streams, with
// the protocol library of Visual Studio Code. Its test needs Node and what `npm ci --prefix
// lsp/e2e` installs, and so has a build tag; `make test` sees to both.
package e2e
