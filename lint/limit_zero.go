package lint

// limitZero finds selectors with a limit of zero.
func limitZero(p *pass) {
	for _, c := range p.Query.Controls() {
		if c.Name == "limit" && c.Value == "0" {
			p.report(c.Bounds(), "`"+p.text(c.Bounds())+"` selects nothing", "")
		}
	}
}
