package lint

// limitZero finds selectors that ask for nothing.
func limitZero(p *pass) {
	for _, c := range p.Query.Controls {
		if c.Name == "limit" && c.Value == "0" {
			p.report(c.Span, "`"+p.text(c.Span)+"` asks for nothing", "")
		}
	}
}
