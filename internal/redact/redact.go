package redact

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// Options adjust the rules.
type Options struct {
	Patterns []string // regular expressions; the first group, if there is one, is the secret
	Names    []string // words in any case
	Allow    []string // regular expressions for secrets that stay; they match a whole secret
	Off      []string // kinds that stay
}

// Redactor replaces secrets with placeholders. It replaces the same secret with the same
// placeholder in all texts. It must not be used concurrently.
type Redactor struct {
	rules   []*rule
	byWord  [][]*rule // the rules of each keyword
	words   *ahocorasick.Trie
	allow   []*regexp.Regexp
	off     map[string]bool
	known   map[secret]int    // the numbers of the placeholders
	counts  map[string]int    // numbers of secrets by kind
	shown   map[string]bool   // the texts of secrets to replace wherever they are
	order   []secret          // the secrets in the order in which they were found
	replace *strings.Replacer // replaces the secrets of shown; nil if shown has changed
	left    map[string]bool   // digests of what cannot be scanned
	named   map[string]bool   // whether names of members are those of credentials
	images  int               // images in left
	others  int               // other data in left
}

// secret is a text that was found, with its kind.
type secret struct{ kind, text string }

// New returns a Redactor. The errors are those of [CheckPattern] and [CheckKind].
func New(o Options) (*Redactor, error) {
	r := &Redactor{off: map[string]bool{}, known: map[secret]int{}, counts: map[string]int{}, shown: map[string]bool{}, left: map[string]bool{}, named: map[string]bool{}}
	for _, kind := range o.Off {
		if err := CheckKind(kind); err != nil {
			return nil, err
		}
		r.off[kind] = true
	}
	for _, p := range o.Allow {
		if err := CheckPattern(p); err != nil {
			return nil, err
		}
		r.allow = append(r.allow, regexp.MustCompile("^(?:"+p+")$"))
	}
	own, err := o.rules()
	if err != nil {
		return nil, err
	}
	for _, one := range slices.Concat(own, ownRules(), loadRules()) {
		if !r.isOff(one.kind) {
			r.rules = append(r.rules, one)
		}
	}
	r.index()
	return r, nil
}

// rules returns the rules that the options add.
func (o *Options) rules() (out []*rule, err error) {
	for i, p := range o.Patterns {
		if err := CheckPattern(p); err != nil {
			return nil, err
		}
		out = append(out, (&rule{kind: fmt.Sprintf("pattern-%d", i+1), pattern: p, common: true}).prepare())
	}
	for _, name := range o.Names {
		one := &rule{kind: "name", pattern: `(?i)` + regexp.QuoteMeta(name), common: true}
		if isASCII(name) {
			one.keywords = []string{strings.ToLower(name)}
			if isWord(name[0]) {
				one.pattern = `(?i)\b` + regexp.QuoteMeta(name)
			}
			if isWord(name[len(name)-1]) {
				one.pattern += `\b`
			}
		}
		out = append(out, one.prepare())
	}
	return out, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func (r *Redactor) isOff(kind string) bool {
	return r.off[kind] || isAddress(kind) && r.off[Addresses]
}

// isCredential is IsCredential for the names of members. It remembers the results, because names
// repeat.
func (r *Redactor) isCredential(name string) bool {
	is, ok := r.named[name]
	if !ok && len(name) <= 64 {
		is = !r.isOff(credential) && IsCredential(name)
		if len(r.named) < 1<<12 {
			r.named[name] = is
		}
	}
	return is
}

// index builds the automaton that finds the keywords of all rules in one pass.
func (r *Redactor) index() {
	number := map[string]int{}
	for _, one := range r.rules {
		for _, word := range one.keywords {
			n, ok := number[word]
			if !ok {
				n = len(r.byWord)
				number[word], r.byWord = n, append(r.byWord, nil)
			}
			r.byWord[n] = append(r.byWord[n], one)
		}
	}
	words := make([]string, len(number))
	for word, n := range number {
		words[n] = word
	}
	r.words = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
}

// placeholder returns the placeholder of a secret, with the next number if the secret is new. If
// everywhere is set and the secret is distinct, again replaces it, too.
func (r *Redactor) placeholder(s secret, everywhere bool) string {
	n, ok := r.known[s]
	if !ok {
		r.counts[s.kind]++
		n = r.counts[s.kind]
		r.known[s], r.order = n, append(r.order, s)
	}
	if everywhere && !r.shown[s.text] && isDistinct(s.text) {
		r.shown[s.text], r.replace = true, nil
	}
	return s.placeholder(n)
}

func (s secret) placeholder(n int) string { return fmt.Sprintf("[redacted %s %d]", s.kind, n) }

// isDistinct reports whether a text is so unusual that it is the secret wherever it is.
func isDistinct(s string) bool {
	return len(s) >= 6 && hasDigit(s) && strings.ContainsFunc(s, func(c rune) bool { return c > '9' }) && entropyOf(s) >= 2.5
}

// again replaces the secrets of shown in a text, also as they are written in JSON.
func (r *Redactor) again(text string) string {
	if r.replace == nil {
		r.replace = r.replacer()
	}
	return r.replace.Replace(text)
}

// replacer returns the replacer of the secrets of shown.
func (r *Redactor) replacer() *strings.Replacer {
	type replacement struct{ old, new string }
	var list []replacement
	for _, s := range r.order {
		if !r.shown[s.text] {
			continue
		}
		form, placeholder := s.text, s.placeholder(r.known[s])
		list = append(list, replacement{form, placeholder})
		for range 3 { // JSON in strings of JSON
			quoted := quote(form)
			if quoted == form {
				break
			}
			form = quoted
			list = append(list, replacement{form, placeholder})
		}
	}
	// A longer secret may contain a shorter one.
	slices.SortStableFunc(list, func(a, b replacement) int { return cmp.Compare(len(b.old), len(a.old)) })
	var pairs []string
	for _, one := range list {
		pairs = append(pairs, one.old, one.new)
	}
	return strings.NewReplacer(pairs...)
}

// Report counts what a [Redactor] has replaced and left out.
type Report struct {
	Redacted int            `json:"redacted"`           // different secrets, addresses included
	Kinds    map[string]int `json:"kinds"`              // of each kind
	Images   int            `json:"images,omitempty"`   // different images that were left out
	LeftOut  int            `json:"left_out,omitempty"` // other data that cannot be scanned and was left out
}

// Report returns the numbers so far.
func (r *Redactor) Report() Report {
	return Report{len(r.order), maps.Clone(r.counts), r.images, r.others}
}

// String returns the report in words, such as "14 redacted, 3 kinds; 2 images left out".
func (r Report) String() string {
	text := fmt.Sprintf("%d redacted", r.Redacted)
	if r.Redacted > 0 {
		text += ", " + count(len(r.Kinds), "kind")
	}
	var left []string
	if r.Images > 0 {
		left = append(left, count(r.Images, "image"))
	}
	if r.LeftOut > 0 {
		left = append(left, count(r.LeftOut, "other value")+" that cannot be scanned")
	}
	if len(left) > 0 {
		text += "; " + strings.Join(left, " and ") + " left out"
	}
	return text
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
