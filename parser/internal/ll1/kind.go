package ll1

// Kind is a kind of token: a lexer rule of the grammar, or TokEOF, which is 0.
type Kind uint8

// Set is a set of token kinds.
type Set uint64

// maxKinds is the number of kinds a set can hold, and a row of the tables.
const maxKinds = 64

// Has reports whether k is in the set.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }
