package ast

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
