// Package names finds the name that a misspelled one was probably meant to be, and makes names
// unique.
package names

import (
	"iter"
	"unicode/utf8"
)

// maxLength is the maximum length, in characters, of a word that may be a misspelling.
const maxLength = 64

// Nearest returns the candidate with the smallest [Distance] from what was written: the first
// one, if there are several. It returns "" if even that candidate differs in more than a third of
// its characters.
func Nearest(written string, candidates iter.Seq[string]) string {
	best, bestDistance := "", maxLength
	for c := range candidates {
		length := utf8.RuneCountInString(c)
		most := min(max(1, length/3), length-1, bestDistance-1)
		if d := Distance(written, c, most); d <= most {
			best, bestDistance = c, d
		}
	}
	return best
}

// Distance returns the least number of insertions, deletions, replacements and swaps of adjacent
// characters that turn one word into the other (optimal string alignment). If that is more than
// most, which may be negative, Distance returns some number greater than most. A word of more than
// 64 characters is too far from every other.
func Distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if most < 0 || len(x)-len(y) > most || len(y)-len(x) > most || len(y) > maxLength {
		return most + 1
	}
	// Three rows of the table are needed: the one being filled, the one above it, and for swaps the
	// one above that.
	row := func() []int { return make([]int, len(y)+1) }
	before, last, this := row(), row(), row()
	for j := range last {
		last[j] = j
	}
	for i := range x {
		this[0] = i + 1
		for j := range y {
			replace := 1
			if x[i] == y[j] {
				replace = 0
			}
			this[j+1] = min(this[j]+1, last[j+1]+1, last[j]+replace)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				this[j+1] = min(this[j+1], before[j-1]+1)
			}
		}
		before, last, this = last, this, before
	}
	return last[len(y)]
}
