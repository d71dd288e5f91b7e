// Package nearest finds the word that was probably meant.
package nearest

import "iter"

// maxLength is the length in characters over which a word is no misspelling of anything.
const maxLength = 64

// Word returns the candidate that is the fewest insertions, deletions, replacements and swaps of
// neighbours away from what was written, the first of them when there are several. It returns "" when even
// the nearest differs in more than a third of its characters.
func Word(written string, candidates iter.Seq[string]) string {
	best, bestDistance := "", 0
	if len(written) > maxLength {
		return ""
	}
	for c := range candidates {
		d := distance([]rune(written), []rune(c))
		if allowed := max(1, len([]rune(c))/3); d > allowed || d >= len([]rune(c)) {
			continue
		}
		if best == "" || d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the optimal string alignment distance.
func distance(a, b []rune) int {
	// Three rows of the table: the one being filled, the one above, and the one above that for swaps.
	above2, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, above[j+1]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], above2[j-1]+1)
			}
		}
		above2, above, row = above, row, above2
	}
	return above[len(b)]
}
