// Package align finds what two lists have in common.
package align

import "sort"

// Increasing returns the indexes of a longest increasing subsequence.
func Increasing(list []int) []int {
	var ends []int // ends[n] is the index of the last element of the best subsequence of length n+1
	before := make([]int, len(list))
	for i, v := range list {
		n := sort.Search(len(ends), func(n int) bool { return list[ends[n]] >= v })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([]int, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		out[n] = i
	}
	return out
}

// Keys returns for each element of a the index of its partner in b, or -1: it pairs the common
// prefix and suffix, then the longest common sequence of the elements that occur once in each, and
// then what follows from these pairs.
func Keys[K comparable](a, b []K) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	within(a, b, 0, len(a), 0, len(b), out, maxDepth)
	return out
}

// maxDepth bounds the recursion: what is left after it stays without a partner.
const maxDepth = 20

func within[K comparable](a, b []K, a0, a1, b0, b1 int, out []int, depth int) {
	for a0 < a1 && b0 < b1 && a[a0] == b[b0] {
		out[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && a[a1-1] == b[b1-1] {
		a1, b1 = a1-1, b1-1
		out[a1] = b1
	}
	if a0 == a1 || b0 == b1 || depth == 0 {
		return
	}
	type once struct{ inA, inB, a, b int }
	seen := map[K]*once{}
	for i := a0; i < a1; i++ {
		if seen[a[i]] == nil {
			seen[a[i]] = &once{}
		}
		seen[a[i]].inA++
		seen[a[i]].a = i
	}
	for k := b0; k < b1; k++ {
		if x := seen[b[k]]; x != nil {
			x.inB++
			x.b = k
		}
	}
	var inA, inB []int // the pairs of elements that each has once, by a
	for i := a0; i < a1; i++ {
		if x := seen[a[i]]; x.inA == 1 && x.inB == 1 {
			inA, inB = append(inA, i), append(inB, x.b)
		}
	}
	chain := Increasing(inB)
	if len(chain) == 0 {
		return
	}
	i, k := a0, b0
	for _, at := range chain {
		i1, k1 := inA[at], inB[at]
		out[i1] = k1
		within(a, b, i, i1, k, k1, out, depth-1)
		i, k = i1+1, k1+1
	}
	within(a, b, i, a1, k, b1, out, depth-1)
}
