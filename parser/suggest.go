package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast/vocab"
)

// didYouMean suggests a word of the table.
func didYouMean(k vocab.Kind, name, sigil string) string {
	if t := nearest(k, name); t != nil {
		return "did you mean `" + sigil + t.Name + "`?"
	}
	return ""
}

// nearest finds the word that was probably meant: one that is called by another name, that begins as the name
// does, or that is a few edits away.
func nearest(k vocab.Kind, name string) *vocab.Term {
	if k == vocab.Region {
		if t := vocab.Lookup(k, regionCalled(name)); t != nil {
			return t
		}
	}
	for t := range vocab.All(k) {
		if len(name) >= 2 && (strings.HasPrefix(name, t.Name) || strings.HasPrefix(t.Name, name)) {
			return t
		}
	}
	const most = 2
	var best *vocab.Term
	distance := min(most, len(name)/2) + 1
	for t := range vocab.All(k) {
		if d := edits(name, t.Name); d < distance {
			best, distance = t, d
		}
	}
	return best
}

// regionCalled maps what people call a region in prose to its name.
func regionCalled(name string) string {
	switch name {
	case "head", "active", "current", "activehead", "active-head":
		return "ah"
	case "header":
		return "sys"
	case "history", "segments", "turns":
		return "seq"
	}
	return ""
}

// nearPseudo suggests the pseudo that a suffix, which may as well be the name of a type, is one edit away from.
func nearPseudo(name string) string {
	for _, k := range []vocab.Kind{vocab.Zone, vocab.Pseudo} {
		for t := range vocab.All(k) {
			if edits(name, t.Name) == 1 {
				return "did you mean `:" + t.Name + "`?"
			}
		}
	}
	return ""
}

// edits counts the insertions, deletions, replacements and swaps of neighbours that turn a into b. Names much
// longer than the words of the table are far from all of them.
func edits(a, b string) int {
	const longest = 32
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var rows [3][longest + 1]int
	before, above, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
