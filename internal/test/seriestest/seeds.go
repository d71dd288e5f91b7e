package seriestest

import (
	"os"
	"strconv"
	"testing"
)

// Seeds returns how many conversations a test makes: usual, or the value of PACTKIT_SEEDS.
func Seeds(t testing.TB, usual uint64) uint64 {
	t.Helper()
	more := os.Getenv("PACTKIT_SEEDS")
	if more == "" {
		return usual
	}
	n, err := strconv.ParseUint(more, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("PACTKIT_SEEDS=%s: a number of conversations is needed", more)
	}
	return n
}
