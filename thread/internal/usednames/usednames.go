// Package usednames makes names unique.
package usednames

import "strconv"

// Set is a set of used names. The value of a name is the last number that was tried for it.
type Set map[string]int

// Add adds a name and returns it. If the name is in use, it adds and returns the name followed by a
// hyphen and the first number, from 2, that makes it unique. The amortized cost does not depend on
// the number of names with the same base.
func (s Set) Add(base string) string {
	name, n := base, max(s[base], 1)
	for s[name] > 0 {
		n++
		name = base + "-" + strconv.Itoa(n)
	}
	s[base] = n
	s[name] = max(s[name], 1)
	return name
}
