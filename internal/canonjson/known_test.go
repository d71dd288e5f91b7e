package canonjson

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPick reads objects whose members, values and forms repeat and change, with one scanner.
func TestPick(t *testing.T) {
	names := Names{"a", "longer than sixteen bytes", "inside"}
	values := []Value{
		{`1`, Other}, {`-2e5`, Other}, {`null`, Null}, {`true`, Other}, {`text`, Plain}, {`\n`, Escaped}, {`\u0041`, Coded}, {`[1,{"a":2}]`, Other},
		{strings.Repeat("x", 200), Plain},
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := NewScanner("", 10)
	for n := range 5000 {
		var want [2]Value
		parts := []string{`"b":"` + strings.Repeat("y", n/64%3) + `"`, `"c":{"a":[]}`, `"":0`, `"\u0064":0`, `"inside":{"a":7}`}
		for i := range want {
			want[i] = values[(n/50+r.IntN(50)/49)%len(values)]
			raw := want[i].Raw
			if want[i].Form.IsString() {
				raw = `"` + raw + `"`
			}
			parts = append(parts, `"`+names[i]+`":`+raw)
		}
		if n%100 > 90 {
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		}
		var got [2]Value
		inside := ""
		s.SetSource("{" + strings.Join(parts, []string{",", " , "}[n/1000%2]) + "}")
		err := s.Pick(&names, got[:], func(which int) (err error) {
			if which != 2 {
				t.Fatal("called for", names[which])
			}
			inside, err = s.Raw()
			return err
		})
		if err == nil {
			err = s.End()
		}
		if got != want || inside != `{"a":7}` || err != nil {
			t.Fatalf("%s: %v, %s, %v", s.src, got, inside, err)
		}
	}
	if len(s.known) == 0 {
		t.Error("no name is known")
	}
}

// TestKnown checks that the number of known names is limited, even if few objects have the same
// names, and that a duplicate member is found after any number of known ones.
func TestKnown(t *testing.T) {
	s := NewScanner("", 10)
	for n := range 20000 {
		s.SetSource(fmt.Sprintf(`{"a%d":{"b%d":1,"%s":2},"c":[{"d":%d}]}`, n%5, n, strings.Repeat("x", n%300), n))
		if err := s.Skip(); err != nil {
			t.Fatal(err)
		}
		if len(s.known) > maxKnown {
			t.Fatalf("%d names are known", len(s.known))
		}
	}
	for n := range 3 * manyNames {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`"n%d":0`, i))
		}
		for range 2 * fewMisses {
			s.SetSource("{" + strings.Join(parts, ",") + "}")
			if err := s.Skip(); err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			s.SetSource("{" + strings.Join(append(slices.Clone(parts), parts[i]), ",") + "}")
			err, _ := s.Skip().(*Error)
			if want := fmt.Sprintf("duplicate member %q", fmt.Sprintf("n%d", i)); err == nil || err.Msg != want || err.Offset != strings.LastIndex(s.src, `"n`) {
				t.Fatalf("%s: %v", s.src, err)
			}
		}
	}
}

// TestLines checks that each line is a separate text.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		src  string
		want string
	}{
		{"\n {\"a\":1} \r\n\n2\n\t\n", "{\"a\":1}|2|"},
		{"{\"a\":\n1}", "'\\n' where a JSON value should follow"},
		{"[1,2\n]", "'\\n' where a comma or ] should follow"},
		{"1 2\n", "1'2' where the end should follow"},
	} {
		s := NewScanner(test.src, 10)
		s.Lines = true
		var got strings.Builder
		for s.Line() {
			raw, err := s.Raw()
			got.WriteString(raw)
			if err == nil {
				err = s.End()
			}
			if err != nil {
				got.WriteString(err.(*Error).Msg)
				break
			}
			got.WriteString("|")
		}
		if got.String() != test.want {
			t.Errorf("%q: %q, want %q", test.src, got.String(), test.want)
		}
	}
}
