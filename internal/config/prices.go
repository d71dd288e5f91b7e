package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/internal/prices"
)

// Prices returns the prices of models in the table [prices].
func (c *Config) Prices() prices.Table {
	t, _ := c.settings["prices"].data.(prices.Table)
	return t
}

// priceNames are the members of a price, in the order in which they are written.
var priceNames = [...]string{"input", "output", "cache-read", "cache-write", "cache-write-1h"}

// priceKeys are the keys of a price.
var priceKeys = []Key{
	{Name: priceNames[0], Type: Amount, Doc: "The price of a million tokens of input."},
	{Name: priceNames[1], Type: Amount, Doc: "The price of a million tokens of output."},
	{Name: priceNames[2], Type: Amount, Doc: "The price of a million tokens read from the cache; by default, that of `input`."},
	{Name: priceNames[3], Type: Amount, Doc: "The price of a million tokens written to the cache; by default, that of `input`."},
	{Name: priceNames[4], Type: Amount, Doc: "The price of a million tokens written to the cache for an hour; by default, that of `cache-write`."},
}

// priceFields returns the fields of a price, in the order of priceNames.
func priceFields(p *prices.Price) [len(priceNames)]*float64 {
	return [...]*float64{&p.Input, &p.Output, &p.CacheRead, &p.CacheWrite, &p.CacheWrite1h}
}

// prices checks a table of prices.
func (c *checker) prices(k *Key, v value) (prices.Table, bool) {
	models, ok := v.data.(*table)
	if !ok {
		c.report(v.span, `write [prices."gpt-4o"] and below it input = 2.5`, "%s is %s", k.Name, k.Type)
		return nil, false
	}
	out := prices.Table{}
	for _, m := range models.members {
		t, isTable := m.value.data.(*table)
		if !isTable {
			c.report(m.value.span, fmt.Sprintf("write [prices.%q] and below it input = 2.5; a name with a dot needs the quotes", m.name), "prices.%s is not a table", m.name)
			ok = false
			continue
		}
		p, good := c.price(m.name, t)
		out[m.name], ok = p, ok && good
	}
	return out, ok
}

// price checks the table of one model. Members that are missing get their defaults.
func (c *checker) price(model string, t *table) (p prices.Price, ok bool) {
	p.CacheRead, p.CacheWrite, p.CacheWrite1h = math.NaN(), math.NaN(), math.NaN()
	fields := priceFields(&p)
	ok = true
	for _, m := range t.members {
		i := slices.Index(priceNames[:], m.name)
		if i < 0 {
			if _, isTable := m.value.data.(*table); isTable {
				c.report(m.key, fmt.Sprintf("write [prices.%q]: a name with a dot needs the quotes", model+"."+m.name), "unknown key %q", "prices."+model+"."+m.name)
				ok = false
				continue
			}
			c.report(m.key, didYouMean(names.Nearest(m.name, slices.Values(priceNames[:]))), "unknown key %q", "prices."+model+"."+m.name)
			ok = false
			continue
		}
		n, isNumber := m.value.data.(number)
		if !isNumber || n < 0 || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
			c.report(m.value.span, "", "prices.%s.%s is a number that is not negative", model, m.name)
			ok = false
			continue
		}
		*fields[i] = float64(n)
	}
	for _, f := range fields {
		if math.IsNaN(*f) {
			*f = p.Input
			if f == &p.CacheWrite1h {
				*f = p.CacheWrite
			}
		}
	}
	return p, ok
}

// literalPrices writes prices as an inline table.
func literalPrices(t prices.Table) string {
	var models []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		p := t[name]
		var list []string
		for i, f := range priceFields(&p) {
			list = append(list, priceNames[i]+" = "+strconv.FormatFloat(*f, 'g', -1, 64))
		}
		models = append(models, quoteTOML(name)+" = { "+strings.Join(list, ", ")+" }")
	}
	return inlineTable(models)
}

// Windows returns the windows of models, in tokens, in the table [windows].
func (c *Config) Windows() prices.Windows {
	t, _ := c.settings["windows"].data.(prices.Windows)
	return t
}

// windows checks a table of windows.
func (c *checker) windows(k *Key, v value) (prices.Windows, bool) {
	models, ok := v.data.(*table)
	if !ok {
		c.report(v.span, `write [windows] and below it "claude-opus-4-6" = 200_000`, "%s is %s", k.Name, k.Type)
		return nil, false
	}
	out := prices.Windows{}
	for _, m := range models.members {
		n, isNumber := m.value.data.(number)
		if !isNumber || n < 1 || float64(n) != math.Trunc(float64(n)) || float64(n) > math.MaxInt32 {
			c.report(m.value.span, "a name with a dot needs quotes", "windows.%s is a number of tokens, from 1", m.name)
			ok = false
			continue
		}
		out[m.name] = int64(n)
	}
	return out, ok
}

// literalWindows writes windows as an inline table.
func literalWindows(t prices.Windows) string {
	var models []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		models = append(models, quoteTOML(name)+" = "+strconv.FormatInt(t[name], 10))
	}
	return inlineTable(models)
}

// inlineTable writes a table on one line.
func inlineTable(members []string) string {
	if len(members) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(members, ", ") + " }"
}
