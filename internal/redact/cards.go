package redact

import "strings"

// cardForms are the kinds of payment cards: the first digits of their numbers, and the sizes of the
// groups in which the digits are written.
var cardForms = []struct {
	from, to string
	groups   []int
}{
	{"4", "4", []int{4, 4, 4, 4}}, {"51", "55", []int{4, 4, 4, 4}}, {"2221", "2720", []int{4, 4, 4, 4}}, {"34", "34", []int{4, 6, 5}},
	{"37", "37", []int{4, 6, 5}}, {"6011", "6011", []int{4, 4, 4, 4}}, {"644", "659", []int{4, 4, 4, 4}}, {"3528", "3589", []int{4, 4, 4, 4}},
	{"62", "62", []int{4, 4, 4, 4}}, {"300", "305", []int{4, 6, 4}}, {"36", "36", []int{4, 6, 4}}, {"38", "39", []int{4, 6, 4}},
}

// findCards calls found with the positions of the numbers of payment cards.
func findCards(text string, found func(start, end int)) {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		start := i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if start > 0 && (isWord(text[start-1]) || text[start-1] == '.') || i-start < 4 {
			continue
		}
		for _, form := range cardForms {
			first := text[start:min(start+len(form.from), i)]
			if first < form.from || first > form.to {
				continue
			}
			if end := groupsEnd(text, start, i, form.groups); end > 0 && (end == len(text) || !isWord(text[end])) && isLuhn(text[start:end]) {
				found(start, end)
				i = end
				break
			}
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// groupsEnd returns the end of a number in groups of digits with spaces or hyphens between them, or
// of a number in one run of digits, which ends at end. It returns 0 for any other text.
func groupsEnd(text string, start, end int, groups []int) int {
	sum := 0
	for _, n := range groups {
		sum += n
	}
	if end-start == sum {
		return end
	}
	at := start
	for i, n := range groups {
		if i > 0 {
			if at == len(text) || text[at] != ' ' && text[at] != '-' {
				return 0
			}
			at++
		}
		if at+n > len(text) || strings.Trim(text[at:at+n], "0123456789") != "" {
			return 0
		}
		at += n
	}
	return at
}

// isLuhn reports whether the check digit of a number is right.
func isLuhn(text string) bool {
	sum, isSecond := 0, false
	for i := len(text) - 1; i >= 0; i-- {
		if !isDigit(text[i]) {
			continue
		}
		n := int(text[i] - '0')
		if isSecond {
			n *= 2
		}
		sum += n/10 + n%10
		isSecond = !isSecond
	}
	return sum%10 == 0
}
