// Package prices computes what the tokens of models cost.
package prices

import "strings"

// Price is what a million tokens of a model cost, in any currency.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite are the prices of tokens read from the provider's cache, and written
	// to it.
	CacheRead, CacheWrite float64
}

// Table has prices by the names of models.
type Table map[string]Price

// Of returns the price of a model. If the table does not have its name, Of ignores a provider
// before it (anthropic/…) and a version after it: -20250514, -2024-08-06, -latest, or anything
// after a colon or @. If several names match, the longest counts. The second result reports whether
// the table has a price.
func (t Table) Of(model string) (Price, bool) {
	for {
		best := ""
		for name := range t {
			rest, ok := strings.CutPrefix(model, name)
			if ok && len(name) > len(best) && isVersion(rest) {
				best = name
			}
		}
		if best != "" {
			return t[best], true
		}
		var found bool
		if _, model, found = strings.Cut(model, "/"); !found {
			return Price{}, false
		}
	}
}

// isVersion reports whether a suffix leaves a name the name of the same model: gpt-4o-mini is not
// gpt-4o.
func isVersion(rest string) bool {
	if rest == "" || rest == "-latest" || rest[0] == ':' || rest[0] == '@' {
		return true
	}
	rest, ok := strings.CutPrefix(rest, "-")
	return ok && len(rest) >= 4 && strings.Trim(rest[:4], "0123456789") == ""
}
