// Package prices has what the tokens of models cost.
package prices

import "strings"

// Price is what a million tokens of a model cost, in any currency.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite are of tokens that are read from the provider's cache, and written to it.
	CacheRead, CacheWrite float64
}

// Table has prices by the names of models.
type Table map[string]Price

// Of returns the price of a model: that of its name, else of the longest name in the table that it continues after a
// hyphen, colon, dot or @, such as claude-sonnet-4 for claude-sonnet-4-20250514. A provider in front of the model
// (anthropic/…) is passed over if the table does not name it. The second result is false if there is no price.
func (t Table) Of(model string) (Price, bool) {
	for {
		best := ""
		for name := range t {
			rest, ok := strings.CutPrefix(model, name)
			if ok && len(name) > len(best) && (rest == "" || strings.ContainsAny(rest[:1], "-:.@")) {
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
