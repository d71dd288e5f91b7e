package main

import "fmt"

// minimize merges the equivalent states of an automaton (Moore's algorithm). It
// returns the class of each state, numbered by first appearance, and the first state of each class.
//
// Two states are alike when their outputs are equal and row gives them equal numbers; row sees states
// through class, so numbers which refer to states refer to classes.
func minimize(outputs []int, row func(state int, class []int) []int) (class, first []int) {
	class, first = number(len(outputs), func(s int) []int { return outputs[s : s+1] })
	for {
		finer, more := number(len(outputs), func(s int) []int {
			return append(row(s, class), class[s])
		})
		if len(more) == len(first) {
			return class, first
		}
		class, first = finer, more
	}
}

// number gives equal rows equal numbers, in order of first appearance, and returns the first row of each number.
func number(rows int, row func(i int) []int) (ids, first []int) {
	var seen registry[[]int]
	for i := range rows {
		id := seen.add(row(i))
		ids = append(ids, id)
		if id == len(first) {
			first = append(first, i)
		}
	}
	return ids, first
}

// registry numbers values in order of first appearance. Values are the same if they print the same.
type registry[T any] struct {
	list []T
	ids  map[string]int
}

// add returns the number of a value, which the registry keeps if it is new.
func (r *registry[T]) add(v T) int {
	key := fmt.Sprint(v)
	id, ok := r.ids[key]
	if !ok {
		if r.ids == nil {
			r.ids = map[string]int{}
		}
		id = len(r.list)
		r.ids[key] = id
		r.list = append(r.list, v)
	}
	return id
}
