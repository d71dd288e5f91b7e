package main

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// minimize merges the equivalent states of an automaton (Moore's algorithm). It
// returns the class of each state, numbered by first appearance, and the number of classes.
//
// Two states are alike when their outputs are equal and row gives them equal numbers; row sees states
// through class, so numbers which refer to states refer to classes.
func minimize(outputs []int, row func(state int, class []int) []int) (class []int, count int) {
	class, count = number(len(outputs), func(s int) []int { return outputs[s : s+1] })
	for {
		finer, n := number(len(outputs), func(s int) []int {
			return append(row(s, class), class[s])
		})
		if n == count {
			return class, count
		}
		class, count = finer, n
	}
}

// number gives equal rows equal numbers, in order of first appearance.
func number(rows int, row func(i int) []int) (ids []int, count int) {
	ids = make([]int, rows)
	seen := map[string]int{}
	var key []byte
	for i := range ids {
		key = key[:0]
		for _, v := range row(i) {
			key = binary.AppendVarint(key, int64(v))
		}
		id, ok := seen[string(key)]
		if !ok {
			id = len(seen)
			seen[string(key)] = id
		}
		ids[i] = id
	}
	return ids, len(seen)
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

// representatives returns one state of each class: the first.
func representatives(class []int, count int) []int {
	first := make([]int, count)
	for id := range first {
		first[id] = slices.Index(class, id)
	}
	return first
}
