package ast

import "github.com/pactkit/pactkit/internal/edition"

// Edition is an edition of the PACT specification, the same type as engine.Edition. The editions
// differ in the names of types and in what an unquoted #name means (decisions D1 and D6). The
// method String returns "1.0" or "0.1".
type Edition = edition.Edition

// The editions.
const (
	Edition10 = edition.V10 // 1.0, the default
	Edition01 = edition.V01 // 0.1
)

// ParseEdition returns the edition that "1.0" or "0.1" names; ok is false for any other text.
func ParseEdition(s string) (e Edition, ok bool) { return edition.Parse(s) }
