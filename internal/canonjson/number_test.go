package canonjson_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Python prints an integer digit by digit, anything else as the repr of its float64.
func TestAppendPython(t *testing.T) {
	const (
		in   = `[-0,-0.0,1.0,1e5,1E16,1e-5,0.0001,1e400,-1e400,12345678901234567890123,5.996286726705301e08,{"1.0":"1.0\""}]`
		want = `[0,-0.0,1.0,100000.0,1e+16,1e-05,0.0001,Infinity,-Infinity,12345678901234567890123,599628672.6705301,{"1.0":"1.0\""}]`
	)
	if diff := cmp.Diff(want, string(canonjson.AppendPython(nil, in))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestInt(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "-1": -1, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63} {
		if got, ok := canonjson.Int(s); !ok || got != want {
			t.Errorf("%s: got %d, %t", s, got, ok)
		}
	}
	for _, s := range []string{"", "-", "-0", "1.0", "1e1", "9223372036854775808", "99999999999999999999"} {
		if got, ok := canonjson.Int(s); ok {
			t.Errorf("%s: got %d", s, got)
		}
	}
}
