package ast

import "strconv"

// String returns the instant as a selector writes it, such as "@t-1" or "@c5".
func (i Instant) String() string {
	switch {
	case i.Kind == Oldest:
		return "@t-*"
	case i.Kind == Cycle:
		return "@c" + strconv.FormatInt(i.N, 10)
	case i.N > 0:
		return "@t+" + strconv.FormatInt(i.N, 10)
	case i.N == 0:
		return "@t0" // most instants
	}
	return "@t" + strconv.FormatInt(i.N, 10)
}

func (r RegionName) String() string { return [...]string{"^root", "^sys", "^seq", "^ah"}[r] }

func (z ZoneName) String() string { return [...]string{":pre", ":core", ":post"}[z] }

func (p PositionalName) String() string { return [...]string{":first", ":last", ":nth"}[p] }

func (c Combinator) String() string { return [...]string{"", " ", ">"}[c] }

func (o Op) String() string { return [...]string{"=", "in", "!=", ">", ">=", "<", "<=", "~", ""}[o] }

func (f FilterForm) String() string { return [...]string{"{}", "[]", "()"}[f] }

func (k ValueKind) String() string { return [...]string{"null", "bool", "number", "string"}[k] }

func (k TimeKind) String() string { return [...]string{"at", "every", "range", "pair", "history"}[k] }

func (k InstantKind) String() string { return [...]string{"t", "c", "oldest"}[k] }

func (s Slot) String() string { return [...]string{"start", "end", "after", "before"}[s] }
