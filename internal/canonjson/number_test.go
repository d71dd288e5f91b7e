package canonjson_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Python prints an integer with all its digits, and any other number as the repr of its float64.
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

func TestAbove(t *testing.T) {
	const least, most = -1 << 63, 1<<63 - 1
	for _, test := range []struct {
		number string
		equal  bool
		want   int64
		ok     bool
	}{
		{"7", true, 7, true}, {"7", false, 8, true}, {"-8", false, -7, true},
		{"7.0", true, 7, true}, {"7.0", false, 8, true}, {"70e-1", true, 7, true},
		{"0.5", true, 1, true}, {"-0.5", false, 0, true}, {"-0", true, 0, true}, {"-0", false, 1, true},
		{"9223372036854775807", true, most, true}, {"9223372036854775807", false, 0, false}, {"1e400", true, 0, false},
		{"9223372036854775806.5", false, most, true}, {"9223372036854775807.5", true, 0, false},
		{"-9223372036854775808", true, least, true}, {"-9223372036854775808", false, least + 1, true}, {"-1e400", false, least, true},
	} {
		got, ok := canonjson.Above(test.number, test.equal)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s, %t: %d, %t; want %d, %t", test.number, test.equal, got, ok, test.want, test.ok)
		}
	}
}
