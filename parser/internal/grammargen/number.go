package main

import "fmt"

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
