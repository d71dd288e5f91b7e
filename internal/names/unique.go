package names

import "strconv"

// Set has the names that are in use, with the number of the latest name that was made from each.
type Set map[string]int

// Add adds a name and returns it, or, if it is in use, the name with the first number from 2 on
// that makes it unique. The cost does not depend on how many names have the same base.
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
