// Package prices knows the windows of models, in tokens, and what tokens cost.
package prices

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Price is what a million tokens of a model cost.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite are the prices of tokens read from the provider's cache and written
	// to it. CacheWrite1h is the price of tokens that are written for an hour.
	CacheRead, CacheWrite, CacheWrite1h float64
}

// Table has prices by the names of models.
type Table map[string]Price

// Windows has the windows of models, in tokens, by their names.
type Windows map[string]int64

// Of returns the price of a model. If the table does not have its name, Of ignores a provider
// before it (anthropic/…) and a version after it: -20250514, -2024-08-06, -latest, or anything
// after a colon or @. If several names match, the longest counts. The second result reports whether
// the table has a price.
func (t Table) Of(model string) (Price, bool) { return find(t, model) }

// Of returns the window of a model, whose name is found as in [Table.Of].
func (t Windows) Of(model string) (int64, bool) { return find(t, model) }

func find[V any](t map[string]V, model string) (v V, ok bool) {
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
			return v, false
		}
	}
}

// isVersion reports whether a name with this suffix is another name of the same model: gpt-4o-mini
// is not gpt-4o.
func isVersion(rest string) bool {
	if rest == "" || rest == "-latest" || rest[0] == ':' || rest[0] == '@' {
		return true
	}
	rest, ok := strings.CutPrefix(rest, "-")
	return ok && len(rest) >= 4 && strings.Trim(rest[:4], "0123456789") == ""
}

//go:embed genai-prices/table.txt
var table string

// Source returns the source of the windows and prices of [Known]: a package, its version and its
// day.
func Source() string {
	_, line, _ := strings.Cut(table, "\n# ")
	name, _, _ := strings.Cut(line, ",")
	return name
}

// Model has the window and the prices of a model. The zero Model has neither.
type Model struct {
	window int64
	prices string
	claude bool // whether it is a Claude whose name does not state a window
}

// Window returns the window of the model in tokens, or 0 if it is unknown. It depends on when a
// call was sent, as in [Model.Price], and on its tokens: when Claude cost more above 200,000
// tokens, only calls that asked for it had a larger window.
func (m Model) Window(when string, in int64) int64 {
	const usual = 200_000
	if m.claude && in <= usual && strings.Contains(m.at(when), "/200000:") {
		return usual
	}
	if in > m.window {
		return 0 // the call had another window
	}
	return m.window
}

// Known returns the model with a name, as providers and clients write it: with a date after it, or
// with the provider (anthropic/…), a region (us.anthropic.…-v1:0) or models/ before it. It returns
// the zero Model for an unknown name, such as that of a deployment. Known remembers its results,
// and may be called concurrently.
func Known(model string) Model {
	if m, ok := known.Load(model); ok {
		return m.(Model)
	}
	m := lookUp(strings.ToLower(model))
	known.Store(model, m)
	return m
}

var known sync.Map

// providers returns the providers of the table, in its order.
var providers = sync.OnceValue(func() (list []provider) {
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "["); ok {
			list = append(list, provider{name: strings.TrimSuffix(name, "]")})
		} else if !strings.HasPrefix(line, "#") {
			p := &list[len(list)-1]
			names, rest, _ := strings.Cut(line, "\t")
			p.lines = append(p.lines, entry{strings.Fields(names), rest})
		}
	}
	return list
})

type provider struct {
	name  string
	lines []entry
}

// entry is a line of the table: the names of a model, and its window and prices.
type entry struct {
	names []string
	rest  string
}

// aliases are other names of providers before the name of a model.
var aliases = map[string]string{
	"models": "google", "gemini": "google", "vertex_ai": "google", "vertex": "google", "google_genai": "google", "google-vertex": "google",
	"bedrock": "aws", "amazon-bedrock": "aws", "xai": "x-ai", "mistralai": "mistral", "deepseek-ai": "deepseek", "moonshot": "moonshotai",
	"z-ai": "zai", "copilot": "github-copilot", "github_copilot": "github-copilot", "fireworks_ai": "fireworks", "together_ai": "together",
}

// direct are the providers in which a name without a provider is looked up. Their models have names
// of their own.
const direct = "anthropic openai google x-ai mistral deepseek cohere moonshotai zai minimax perplexity"

// regional matches the names of Amazon Bedrock: a region, a vendor and a model.
var regional = regexp.MustCompile(`^(?:[a-z-]+\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|zai)\.`)

func lookUp(name string) Model {
	const million = "[1m]" // Claude Code's mark of a window of a million
	name, isMillion := strings.CutSuffix(name, million)
	m := Model{}
	switch before, rest, found := strings.Cut(name, "/"); {
	case strings.HasPrefix(name, "arn:aws:bedrock:"):
		m = of("aws", name[strings.LastIndexByte(name, '/')+1:])
	case found:
		if before = cmp.Or(aliases[before], before); before == "openrouter" {
			return lookUp(rest)
		}
		if m = of(before, rest); m == (Model{}) {
			m = of("openrouter", before+"/"+rest)
		} else if m.window == 0 {
			m.window = of("openrouter", before+"/"+rest).window
		}
	case regional.MatchString(name):
		m = of("aws", name)
	default:
		for p := range strings.FieldsSeq(direct) {
			if m = of(p, name); m != (Model{}) {
				if m.window == 0 { // a reseller names the same model
					m.window = of("openrouter", p+"/"+name).window
				}
				break
			}
		}
	}
	if m.claude = strings.Contains(name, "claude") && !isMillion; isMillion {
		m.window = 1_000_000
	}
	return m
}

// of returns a model of a provider: that of the first line with the name itself, or else of the
// first line with the name without its version.
func of(name, model string) (m Model) {
	at := slices.IndexFunc(providers(), func(p provider) bool { return p.name == name })
	if at < 0 {
		return m
	}
	for _, line := range providers()[at].lines {
		for _, pattern := range line.names {
			isSame := pattern[0] == '=' && pattern[1:] == model
			if !isSame && (m != (Model{}) || !matches(pattern[0], pattern[1:], model)) {
				continue
			}
			window, prices, _ := strings.Cut(line.rest, "\t")
			n, _ := strconv.ParseInt(window, 10, 64)
			if m = (Model{window: n, prices: prices}); isSame {
				return m
			}
			break
		}
	}
	return m
}

// dates matches what may follow the name of a model, and versions what may follow its beginning.
var (
	dates    = regexp.MustCompile(`^(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest))?$`)
	versions = regexp.MustCompile(`^(?:\d{4,8})?(?:[-@:._](?:v?\d+|latest|preview|exp|beta|thinking))*$`)
)

// matches reports whether a model has a name of the table: all of it (=), its beginning (^), its
// end ($), or what follows a region (*).
func matches(kind byte, pattern, model string) bool {
	follow := versions
	switch kind {
	case '=':
		follow = dates
	case '$':
		return strings.HasSuffix(model, pattern)
	case '*':
		at := strings.Index(model, pattern)
		if at < 0 || at > 0 && !strings.ContainsRune(".@/", rune(model[at-1])) {
			return false
		}
		model = model[at:]
	}
	rest, ok := strings.CutPrefix(model, pattern)
	return ok && follow.MatchString(rest)
}

// Price returns what a million tokens of a call cost. It depends on when the call was sent, in RFC
// 3339; without a time, Price returns the newest price. It also depends on the tokens of the call:
// with many of them, all tokens of some models cost more. The second result is false if the price
// is unknown.
func (m Model) Price(when string, in int64) (Price, bool) {
	text := m.at(when)
	if text == "" || text[0] == ',' {
		return Price{}, false
	}
	var p Price
	fields := []*float64{&p.Input, &p.Output, &p.CacheRead, &p.CacheWrite, &p.CacheWrite1h}
	given := strings.Split(text, ",")
	for i, into := range fields {
		switch {
		case i < len(given) && given[i] != "":
			*into = rate(given[i], in)
		case i == 4: // for one hour, without a price of its own
			*into = p.CacheWrite
		case i > 1:
			*into = p.Input
		}
	}
	return p, true
}

// at returns the prices at a time: the last ones that are valid then. Some are valid from a day on,
// others at hours of the day in UTC. Without a time, at ignores the latter.
func (m Model) at(when string) (text string) {
	if !strings.Contains(m.prices, ";") {
		return m.prices
	}
	const day = len("2006-01-02")
	if t, err := time.Parse(time.RFC3339Nano, when); err == nil {
		when = t.UTC().Format("2006-01-02T15:04")
	} else {
		when = ""
	}
	for one := range strings.SplitSeq(m.prices, ";") {
		from, rates, isLimited := strings.Cut(one, " ")
		first, last, isHours := strings.Cut(from, "-")
		switch {
		case !isLimited:
			text = one
		case isHours && len(first) == len("15:04"):
			if when != "" && isWithin(when[day+1:], first, last) {
				text = rates
			}
		case when == "" || when >= from:
			text = rates
		}
	}
	return text
}

// isWithin reports whether a time of the day is in an interval. The interval may include midnight.
func isWithin(now, first, last string) bool {
	if last < first {
		return now >= first || now < last
	}
	return first <= now && now < last
}

// rate parses a price with tiers, and returns the price of the last tier that the tokens exceed.
func rate(text string, in int64) (price float64) {
	for one := range strings.SplitSeq(text, "/") {
		from, value, isTier := strings.Cut(one, ":")
		if !isTier {
			value = from
		} else if n, _ := strconv.ParseInt(from, 10, 64); in <= n {
			break
		}
		price, _ = strconv.ParseFloat(value, 64)
	}
	return price
}
