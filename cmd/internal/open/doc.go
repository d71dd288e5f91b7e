// Package open opens what flags and arguments name: histories, sessions, selectors, instants.
package open

import _ "github.com/pactkit/pactkit/internal/sqlite" // for sessions in databases
