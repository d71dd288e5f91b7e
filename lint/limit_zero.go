package lint

// limitZero finds selectors that ask for nothing.
func limitZero(p *pass) {
	for _, c := range p.Query.Controls() {
		if c.Name == "limit" && c.Value == "0" {
			p.report(c.Bounds(), "`"+p.text(c.Bounds())+"` asks for nothing", "")
		}
	}
}
