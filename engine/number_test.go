package engine_test

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// ratOf returns the exact value of a number with a small exponent.
func ratOf(s string) (*big.Rat, bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(s[i+1:]); err != nil || e > 500 || e < -500 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

func TestNumberOrder(t *testing.T) {
	// Each is less than the next one, except that = joins equal ones.
	rows := []string{
		"-1e999999999999999999999", "-1e400", "-9223372036854775809", "-9223372036854775808", "-1.5", "-1=-1.0=-10e-1",
		"-1e-400", "0=-0=0.0=-0.0e5=0e-99999999999999999999", "1e-999999999999999999999", "1e-7", "0.1=1e-1=0.10", "1=1.0",
		"9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "1e19=10000000000000000000",
		"1e400", "2e400", "1e401=10e400",
	}
	for i, row := range rows {
		for a := range strings.SplitSeq(row, "=") {
			x, ok := engine.ParseNumber(a)
			if !ok {
				t.Fatalf("%s is no number", a)
			}
			if x.String() != a {
				t.Errorf("%s is written as %s", a, x)
			}
			for j, other := range rows {
				for b := range strings.SplitSeq(other, "=") {
					y, _ := engine.ParseNumber(b)
					want := 0
					if i < j {
						want = -1
					} else if i > j {
						want = 1
					}
					if got := x.Cmp(y); got != want {
						t.Errorf("%s against %s: %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
	for _, s := range []string{"", "-", "01", "1.", ".5", "1e", "1e+", "+1", "NaN", "1 ", "0x1"} {
		if _, ok := engine.ParseNumber(s); ok {
			t.Errorf("%q passes as a number", s)
		}
	}
}
