// Package selectors has the verbs that keep selectors. Each file is a verb, or a part of one.
package selectors
