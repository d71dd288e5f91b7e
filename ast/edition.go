package ast

// Edition is a revision of the PACT specification. The two differ in the names of types and in what an
// unquoted #name stands for (decisions D1 and D6).
type Edition uint8

// The editions.
const (
	Edition10 Edition = iota // 1.0, the default
	Edition01                // 0.1
)

func (e Edition) String() string {
	if e == Edition01 {
		return "0.1"
	}
	return "1.0"
}

// ParseEdition reads "1.0" or "0.1".
func ParseEdition(s string) (Edition, bool) {
	switch s {
	case "1.0":
		return Edition10, true
	case "0.1":
		return Edition01, true
	}
	return Edition10, false
}

// EditionOfSpec reads the spec_version of a snapshot: "PACT/1.0.0", "PACT/0.1.0" or "PACT/0.1".
func EditionOfSpec(version string) (Edition, bool) {
	switch version {
	case "PACT/1.0.0":
		return Edition10, true
	case "PACT/0.1.0", "PACT/0.1":
		return Edition01, true
	}
	return Edition10, false
}
