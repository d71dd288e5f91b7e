// Package e2e drives pact-lsp as editors do: the program itself, over its standard streams, with
// the protocol library of Visual Studio Code. Its test has a build tag, because it needs Node and
// what `npm ci --prefix lsp/e2e` installs; `make test` takes care of both.
package e2e
