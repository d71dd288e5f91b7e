package redact

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// scannerRules is the default configuration of gitleaks. Its license is in the same folder.
//
//go:embed gitleaks/gitleaks.toml
var scannerRules []byte

// rule finds one kind of secret.
type rule struct {
	kind     string
	keywords []string // in lower case; a match contains one; without any, the rule searches the whole text
	group    int      // the group of the expression that is the secret; 0 is the first that matched
	entropy  float64  // the entropy of a secret exceeds it
	allows   []allow
	accept   func(secret string) bool // nil accepts all
	common   bool                     // whether secrets are replaced only where the rule finds them
	pattern  string
	compiled func() matcher
}

// matcher is a compiled pattern.
type matcher struct {
	*regexp.Regexp
	most int  // the length of a match, without unlimited repetitions
	wide bool // whether an unlimited repetition can match white space
}

// allow describes texts that match a rule but are not secrets.
type allow struct {
	target  string // match, line, or "" for the secret
	both    bool   // whether both an expression and a stop word must match
	regexes []*regexp.Regexp
	words   []string // in lower case
}

// scannerFile has the members of the scanner's configuration that are used. Paths are ignored,
// because a text in a log may be from any file.
type scannerFile struct {
	Allowlist scannerAllow
	Rules     []struct {
		ID          string
		Regex       string
		SecretGroup int
		Entropy     float64
		Keywords    []string
		Allowlists  []scannerAllow
	}
}

type scannerAllow struct {
	Condition   string
	RegexTarget string
	Paths       []string
	Regexes     []string
	StopWords   []string
}

// loadRules returns the rules of the scanner, modelKeys, serviceTokens and assignments. It parses
// them once.
var loadRules = sync.OnceValue(func() []*rule {
	var f scannerFile
	if err := toml.Unmarshal(scannerRules, &f); err != nil {
		panic(err) // TestRules reads the file
	}
	all := f.Allowlist.compile()
	var out []*rule
	for _, s := range f.Rules {
		if s.Regex == "" {
			continue // the rule is about names of files
		}
		r := &rule{kind: s.ID, pattern: s.Regex, group: s.SecretGroup, entropy: s.Entropy, keywords: lowered(s.Keywords), allows: []allow{all}}
		for _, a := range s.Allowlists {
			if len(a.Paths) == 0 || !strings.EqualFold(a.Condition, "and") {
				r.allows = append(r.allows, a.compile())
			}
		}
		out = append(out, r.prepare())
	}
	// The first rule that finds a secret names it, so the unspecific ones come last.
	i := slices.IndexFunc(out, func(r *rule) bool { return r.kind == generic })
	return append(slices.Delete(slices.Clone(out), i, i+1), modelKeys(), serviceTokens(), out[i], assignments())
})

func (a scannerAllow) compile() allow {
	out := allow{target: a.RegexTarget, both: strings.EqualFold(a.Condition, "and"), words: lowered(a.StopWords)}
	for _, p := range a.Regexes {
		out.regexes = append(out.regexes, regexp.MustCompile(p))
	}
	return out
}

func lowered(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

// prepare delays compiling the pattern until it is needed, because most patterns never are.
func (r *rule) prepare() *rule {
	r.compiled = sync.OnceValue(func() matcher {
		m := matcher{Regexp: regexp.MustCompile(r.pattern)}
		parsed, err := syntax.Parse(r.pattern, syntax.Perl)
		if err != nil {
			m.wide = true
			return m
		}
		m.most, m.wide = extent(parsed.Simplify())
		return m
	})
	return r
}

// extent returns the greatest length of a match without unlimited repetitions, and reports whether
// an unlimited repetition can match white space.
func extent(re *syntax.Regexp) (most int, wide bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return 4 * len(re.Rune), false
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 4, false
	case syntax.OpStar, syntax.OpPlus:
		most, wide = extent(re.Sub[0])
		return most, wide || canBeSpace(re.Sub[0])
	}
	for _, sub := range re.Sub {
		n, w := extent(sub)
		wide = wide || w
		if re.Op == syntax.OpAlternate {
			most = max(most, n)
		} else {
			most += n
		}
	}
	return most, wide
}

// canBeSpace reports whether an expression can match white space.
func canBeSpace(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, func(c rune) bool { return isSpace(byte(c)) })
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for _, c := range " \t\n\r" {
				if re.Rune[i] <= c && c <= re.Rune[i+1] {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(re.Sub, canBeSpace)
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// allowed reports whether a says that a match is not a secret.
func (a *allow) allowed(text string, match, secret [2]int) bool {
	value := text[secret[0]:secret[1]]
	target := value
	switch a.target {
	case "match":
		target = text[match[0]:match[1]]
	case "line":
		end := strings.IndexByte(text[match[1]:], '\n')
		if end < 0 {
			end = len(text) - match[1]
		}
		target = text[strings.LastIndexByte(text[:match[0]], '\n')+1 : match[1]+end]
	}
	byRegex := slices.ContainsFunc(a.regexes, func(re *regexp.Regexp) bool { return re.MatchString(target) })
	if byRegex && !a.both || len(a.words) == 0 && byRegex || !byRegex && a.both && len(a.regexes) > 0 {
		return byRegex
	}
	lower := strings.ToLower(value)
	return slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(lower, w) })
}

// entropyOf returns the entropy of a text in bits per character, as the scanner computes it.
func entropyOf(s string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, c := range s {
		counts[c]++
		n++
	}
	sum := 0.0
	for _, c := range slices.Sorted(maps.Values(counts)) { // sorted, because addition rounds
		p := float64(c) / float64(n)
		sum -= p * math.Log2(p)
	}
	return sum
}

// ownKinds returns the kinds that Options.Off can name besides the rules of the scanner.
func ownKinds() []string {
	return []string{Addresses, "bearer", "basic", credential, modelKey, serviceToken, "password-hash", "url-password", card, "email", "ip", "home-folder"}
}

// Addresses stands for the kinds of addresses: email, ip and home-folder.
const Addresses = "addresses"

// generic is the kind of the scanner's rule for secrets of any shape after words such as key.
const generic = "generic-api-key"

// credential is the kind of values that are credentials by their names.
const credential = "credential"

// modelKey is the kind of keys of model providers.
const modelKey = "model-key"

// serviceToken is the kind of tokens of services.
const serviceToken = "service-token"

// card is the kind of numbers of payment cards.
const card = "card"

// isAddress reports whether a kind is one for which Addresses stands.
func isAddress(kind string) bool { return kind == "email" || kind == "ip" || kind == "home-folder" }

// Kinds yields the kinds that Options.Off can name.
func Kinds(yield func(string) bool) {
	for _, kind := range ownKinds() {
		if !yield(kind) {
			return
		}
	}
	for _, r := range loadRules() {
		if !slices.Contains(ownKinds(), r.kind) && !yield(r.kind) {
			return
		}
	}
}

// CheckKind returns an error unless Options.Off can name the kind.
func CheckKind(kind string) error {
	for k := range Kinds {
		if k == kind {
			return nil
		}
	}
	return fmt.Errorf("there is no kind of secrets %q: use the id of a rule of gitleaks, or one of %s", kind, strings.Join(ownKinds(), ", "))
}

// CheckPattern returns an error unless a text is a regular expression that does not match the empty
// text.
func CheckPattern(text string) error {
	re, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("%q is not a regular expression: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if re.MatchString("") {
		return fmt.Errorf("%q matches the empty text", text)
	}
	return nil
}
