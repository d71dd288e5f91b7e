package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// span is a part of a text to replace.
type span struct {
	start, end int
	secret          // without a text: data to leave out, which kind describes
	everywhere bool // whether to replace the secret in other texts, too
}

// credentials finds what is a credential in itself, in any text.
var credentials = sync.OnceValue(func() *Redactor {
	r, err := New(Options{Off: []string{Addresses, card, generic}})
	if err != nil {
		panic(err) // the kinds are those of this package
	}
	return r
})

// Credentials returns where credentials are in a text, in order: from the first byte of each to the
// byte after it. They are keys, tokens and passwords, but not addresses. It is safe for concurrent
// use.
func Credentials(text string) (at [][2]int) {
	for _, s := range merged(credentials().match("", text), text) {
		at = append(at, [2]int{s.start, s.end})
	}
	return at
}

// maxDecodings is how many times a text is decoded. What is encoded more often is left out.
const maxDecodings = 4

// find returns what to replace in a text, in order and without overlaps. before is what comes
// before the text, such as the name of a member, and is not replaced.
func (r *Redactor) find(before, text string, depth int) []span {
	found := r.match(before, text)
	found = append(found, r.findUnescaped(before, text)...)
	found = append(found, r.findBroken(text, found)...)
	found = append(found, r.findEncoded(text, depth)...)
	return merged(found, text)
}

// merged sorts spans and joins those that overlap. A joined span has the kind of the first one.
func merged(found []span, text string) []span {
	if len(found) < 2 {
		return found
	}
	slices.SortStableFunc(found, func(a, b span) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	found = withoutParts(found)
	out := found[:1]
	for _, s := range found[1:] {
		last := &out[len(out)-1]
		switch {
		case s.start >= last.end:
			out = append(out, s)
		case s.end > last.end:
			last.end = s.end
			last.text = text[last.start:last.end]
		}
	}
	return out
}

// withoutParts removes the addresses that overlap a secret from sorted spans. The rest of such a
// text is not an address.
func withoutParts(found []span) []span {
	var secrets []span
	reach := 0 // the end of all secrets so far; they may overlap
	for _, s := range found {
		if s.everywhere {
			reach = max(reach, s.end)
			secrets = append(secrets, span{start: s.start, end: reach})
		}
	}
	return slices.DeleteFunc(found, func(s span) bool {
		if !isAddress(s.kind) {
			return false
		}
		i, _ := slices.BinarySearchFunc(secrets, s.end, func(o span, end int) int { return cmp.Compare(o.start, end) })
		return i > 0 && secrets[i-1].end > s.start
	})
}

// match returns what the rules find, in any order.
func (r *Redactor) match(before, text string) (out []span) {
	whole := before + text
	add := func(start, end int, kind string, common bool) {
		start = max(start, len(before))
		if start >= end || r.isAllowed(whole[start:end]) {
			return
		}
		out = append(out, span{start - len(before), end - len(before), secret{kind, whole[start:end]}, !common})
	}
	for one, windows := range r.windows(whole) {
		m := one.compiled()
		for _, w := range windows {
			part := whole[w[0]:w[1]]
			for _, at := range m.FindAllStringSubmatchIndex(part, -1) {
				s := one.secretOf(at)
				if s[0] < s[1] && one.accepts(part, [2]int{at[0], at[1]}, s) {
					add(w[0]+s[0], w[0]+s[1], one.kind, one.common)
				}
			}
		}
	}
	if !r.isOff("ip") {
		findIPs(text, func(start, end int) { add(len(before)+start, len(before)+end, "ip", true) })
	}
	if !r.isOff(card) {
		findCards(text, func(start, end int) { add(len(before)+start, len(before)+end, card, true) })
	}
	return out
}

func (r *Redactor) isAllowed(text string) bool {
	return slices.ContainsFunc(r.allow, func(re *regexp.Regexp) bool { return re.MatchString(text) })
}

// secretOf returns the position of the secret in a match.
func (r *rule) secretOf(at []int) [2]int {
	if r.group > 0 && 2*r.group+1 < len(at) {
		return [2]int{at[2*r.group], at[2*r.group+1]}
	}
	for i := 2; i+1 < len(at); i += 2 {
		if at[i] >= 0 && at[i] < at[i+1] {
			return [2]int{at[i], at[i+1]}
		}
	}
	return [2]int{at[0], at[1]}
}

// accepts reports whether a match is a secret.
func (r *rule) accepts(text string, match, secret [2]int) bool {
	value := text[secret[0]:secret[1]]
	if r.entropy > 0 && entropyOf(value) <= r.entropy || r.accept != nil && !r.accept(value) {
		return false
	}
	return !slices.ContainsFunc(r.allows, func(a allow) bool { return a.allowed(text, match, secret) })
}

// windows yields the rules that may find something, in their order, each with the parts of the text
// to search, which surround its keywords.
func (r *Redactor) windows(text string) func(func(*rule, [][2]int) bool) {
	hits := map[*rule][]int{} // ends of keywords
	r.words.Walk(lower(text), func(end, _, word int64) bool {
		for _, one := range r.byWord[word] {
			if one.kind != generic || canBeGeneric(text[end+1:]) {
				hits[one] = append(hits[one], int(end)+1)
			}
		}
		return true
	})
	return func(yield func(*rule, [][2]int) bool) {
		for _, one := range r.rules {
			ends := hits[one]
			if len(ends) == 0 && len(one.keywords) > 0 {
				continue
			}
			windows := [][2]int{{0, len(text)}}
			if m := one.compiled(); !m.wide && len(one.keywords) > 0 {
				windows = around(text, ends, m.most)
			}
			if !yield(one, windows) {
				return
			}
		}
	}
}

// canBeGeneric reports whether the pattern of the generic rule can match with a keyword before this
// text. Its keywords are frequent and its pattern is slow. It needs an operator soon, and then a
// long word that has not only letters.
func canBeGeneric(text string) bool {
	const gap, spaces = 20 + 3, 4 + 5 // as in the pattern, where the word is at least 10 characters long
	i := strings.IndexAny(text[:min(gap+1, len(text))], "=>:|?,")
	for ; 0 <= i && i < min(gap+1, len(text)); i++ {
		if strings.IndexByte("=>:|?,", text[i]) < 0 {
			continue
		}
		for j := i + 1; j < min(i+1+spaces, len(text)); j++ {
			n, isPlain := 0, true
			for ; j+n < len(text) && (isWord(text[j+n]) || strings.IndexByte(".=-+/", text[j+n]) >= 0); n++ {
				c := text[j+n]
				if isPlain = isPlain && (c|0x20 >= 'a' || c == '_' || c == '.' || c == '-'); n >= 200 || n >= 9 && !isPlain {
					return true
				}
			}
		}
	}
	return false
}

// lower returns a text with ASCII letters in lower case. Positions stay.
func lower(text string) []byte {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return out
}

// around returns the parts of a text that can hold a match around one of the keywords, which end at
// ends, in order. A match has at most most bytes, besides words of any length.
func around(text string, ends []int, most int) (out [][2]int) {
	const margin = 64 // longer than keywords
	for _, end := range ends {
		if n := len(out); n > 0 && end+most <= out[n-1][1] {
			continue
		}
		from := wordStart(text, max(wordStart(text, max(end-margin-most, 0))-most, 0))
		to := wordEnd(text, min(wordEnd(text, min(end+most, len(text)))+most, len(text)))
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], to)
			continue
		}
		out = append(out, [2]int{from, to})
	}
	return out
}

// wordStart returns the start of the word around i. White space separates words.
func wordStart(text string, i int) int { return strings.LastIndexAny(text[:i], " \t\n\r\v\f") + 1 }

// wordEnd returns the end of the word around i.
func wordEnd(text string, i int) int {
	if n := strings.IndexAny(text[i:], " \t\n\r\v\f"); n >= 0 {
		return i + n
	}
	return len(text)
}
