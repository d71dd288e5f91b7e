// Package gentest makes random trees, histories and selectors for tests. The same seed makes the same things in
// every run; what a seed makes may change with the package.
package gentest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// Rand returns the random numbers of a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Timeline returns a random history: one of three has grown in a live context, the others are files that only a
// lenient reader takes. Its trees have about size nodes, and it has a handful of snapshots.
func Timeline(t testing.TB, r *rand.Rand, size int) *engine.Timeline {
	t.Helper()
	if r.IntN(3) == 0 {
		return Live(t, r, size).Timeline()
	}
	tl, err := engine.Read("history.json", bytes.NewReader(File(r, size)), engine.ReadOptions{})
	if err != nil {
		t.Fatalf("gentest made a file that cannot be read: %v", err)
	}
	return tl
}

// pick returns one of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// one tells, by chance, true once in n times.
func one(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }
