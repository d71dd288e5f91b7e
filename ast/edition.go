package ast

import "github.com/pactkit/pactkit/internal/edition"

// Edition is a revision of the PACT specification, the same type as engine.Edition. The two differ
// in the names of types and in what an unquoted #name stands for (decisions D1 and D6). Its String
// is "1.0" or "0.1".
type Edition = edition.Edition

// The editions.
const (
	Edition10 = edition.V10 // 1.0, the default
	Edition01 = edition.V01 // 0.1
)

// ParseEdition reads "1.0" or "0.1".
func ParseEdition(s string) (Edition, bool) { return edition.Parse(s) }
