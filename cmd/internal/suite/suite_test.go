package suite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answers has answers of each kind. Some ids could be mistaken for something else.
var answers = []Answer{
	{Kind: IDs, IDs: []string{"block:1", "two words", "", "!x", "(none)", `"q"`, "{}", "é\u2028\n", "true", "@t0", "- a", "x: y", "#k"}},
	{Kind: IDs},
	{Kind: Latest, IDs: []string{"a", "b c"}, At: []string{"@t0", "@t-12"}},
	{Kind: Range, Range: `{"query":"` + strings.Repeat("long ", 30) + `\"[{,","snapshots":[{"a":[1,2,{"b":"` + strings.Repeat("]},", 40) + `"}]},{}],"n":1.50}`},
	{Kind: Errors, Codes: []string{"E_A"}},
	{Kind: Errors, Codes: []string{"E_A", "E_B"}},
}

var sources = map[string]string{
	"a.txtar": `Title.

-- h.json --
{"root": {}}
-- cases --
# first
.a
=> x

# not answered
.b
  { x=1 }  # comment
-- more.cases --
%files h.json
.c
=> {"a":
=>  1}
.d
=> ! E_X
# next
.e

.f
=> (none)`,
	"a.yaml": `# top
files: h.json
cases:
  - selector: .a
    ids: [x, y] # old

  # about b
  - name: b
    selector: |
      .b
        {x=1}
  - error:
      - E_A
      # inside
      - E_B
    selector: .c
  - { name: d,
      selector: .d }
  - selector: .e
    range: |
      {"a":
        1}

    strict: true
# end`,
}

// TestRewrite checks that a new answer in a suite is read as that answer, and that nothing else
// changes.
func TestRewrite(t *testing.T) {
	for name, text := range sources {
		for _, src := range []string{text, text + "\n", strings.ReplaceAll(text, "\n", "\r\n")} {
			s, err := Parse(name, src)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range s.Cases {
				if s.Cases[i].fixed != "" {
					continue
				}
				for k := range answers {
					list := make([]*Answer, len(s.Cases))
					list[i] = &answers[k]
					checkRewrite(t, s, list)
				}
			}
			same, err := s.Rewrite(make([]*Answer, len(s.Cases)))
			if diff := cmp.Diff(src, same); diff != "" || err != nil {
				t.Errorf("without new answers, the text changed: %v\n%s", err, diff)
			}
		}
	}
}

func checkRewrite(t *testing.T, s *Suite, list []*Answer) {
	t.Helper()
	out, err := s.Rewrite(list)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(s.Name, out)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if len(again.Cases) != len(s.Cases) || strings.Contains(s.src, "\r") && strings.Count(out, "\n") != strings.Count(out, "\r\n") {
		t.Fatalf("other cases, or line ends, in\n%q", out)
	}
	for i, c := range again.Cases {
		want := s.Cases[i].Want
		if list[i] != nil {
			want = *list[i]
		}
		if diff := cmp.Diff(essence(s.Cases[i]), essence(c)); diff != "" {
			t.Fatalf("case %d (-want +got):\n%s\nin\n%s", i, diff, out)
		}
		if want.Kind != Missing && !c.Want.Equal(want) || want.Kind == Missing && c.Want.Kind != Missing {
			t.Fatalf("the answer of case %d is %+v, want %+v in\n%s", i, c.Want, want, out)
		}
	}
	// The text around an answer must stay.
	for i, c := range s.Cases {
		if list[i] == nil {
			continue
		}
		before, after := s.src[:c.lines.start], s.src[c.lines.end:]
		if !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after) {
			t.Fatalf("the text around case %d changed in\n%s", i, out)
		}
	}
}

// caseEssence holds what rewriting an answer must not change in a case.
type caseEssence struct {
	Name, Selector string
	Setting        Setting
}

func essence(c *Case) caseEssence { return caseEssence{c.Name, c.Selector, c.Setting} }

// TestComments checks that comments inside an answer in YAML stay with their item, or move above
// the answer if the item is gone.
func TestComments(t *testing.T) {
	ids := func(ids ...string) Answer { return Answer{Kind: IDs, IDs: ids} }
	for _, c := range []struct {
		name, was, is string
		answer        Answer
	}{
		{"members that stay, come and go",
			"ids: # in order\n      # one\n      - a # first\n      - 'b # b' # second\n\n      # two\n      # three\n      - c # third\n",
			"# second\n    ids: # in order\n      # two\n      # three\n      - c # third\n      - d\n      # one\n      - a # first\n",
			ids("c", "d", "a")},
		{"the same member twice", "ids:\n      - a # 1\n      - a # 2\n", "# 2\n    ids:\n      - a # 1\n", ids("a")},
		{"nothing is left", "ids: # all\n      # one\n      - a # first\n", "# one\n    # first\n    ids: [] # all\n", ids()},
		{"in brackets", "ids: [a, b] # both\n", "ids: # both\n      - b\n", ids("b")},
		{"in brackets on lines", "ids: [a, # x\n      # y\n      b, # z\n      # end\n    ]\n", "# end\n    ids: # x\n      # y\n      - b # z\n", ids("b")},
		{"codes", "error:\n      - E_A # a\n      # b\n      - E_B\n", "# a\n    error:\n      # b\n      - E_B\n", Answer{Kind: Errors, Codes: []string{"E_B"}}},
		{"a code", "error: E_A # why\n", "error: E_B # why\n", Answer{Kind: Errors, Codes: []string{"E_B"}}},
		{"another kind", "ids:\n      - a # a\n", "# a\n    error: E_A\n", Answer{Kind: Errors, Codes: []string{"E_A"}}},
		{"the newest", "latest:\n      - { id: a, snapshot: '@t0' } # a\n      - id: b # b\n        snapshot: '@t0' # t0\n",
			"# a\n    latest:\n      # t0\n      - { id: b, snapshot: \"@t-1\" } # b\n", Answer{Kind: Latest, IDs: []string{"b"}, At: []string{"@t-1"}}},
		{"a range", "range: | # JSON\n      {\"a\": \"# none\"}\n", "ids: # JSON\n      - a\n", ids("a")},
		{"a range as an object", "range:\n      a: 1 # one\n      # two\n      b: \"x # y\"\n", "# one\n    # two\n    ids: []\n", ids()},
	} {
		for _, order := range []string{"  - selector: .x\n    ANSWER  - selector: .y\n", "  - ANSWER    selector: .x\n  # next\n  - selector: .y\n"} {
			text := func(answer string) string {
				return "files: h.json\ncases:\n" + strings.Replace(order, "ANSWER", answer, 1)
			}
			s, err := Parse("a.yaml", text(c.was))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			got, err := s.Rewrite([]*Answer{&c.answer, nil})
			if diff := cmp.Diff(text(c.is), got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got)\n%s", c.name, err, diff)
				continue
			}
			checkRewrite(t, s, []*Answer{&c.answer, nil})
		}
	}
	s, err := Parse("a.yaml", "files: h.json\ncases:\n  - selector: .x\n    ids:\n      - a - 'b # c'\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Rewrite([]*Answer{{Kind: IDs}}); err == nil || !strings.Contains(err.Error(), "would be lost") {
		t.Errorf("a missed comment: %q, %v", got, err)
	}
}

func TestCasesInBraces(t *testing.T) {
	s, err := Parse("a.yaml", sources["a.yaml"])
	if err != nil {
		t.Fatal(err)
	}
	list := make([]*Answer, len(s.Cases))
	list[3] = &answers[0]
	if _, err := s.Rewrite(list); err == nil || !strings.Contains(err.Error(), "in braces") {
		t.Errorf("got %v", err)
	}
}

// FuzzParse checks that no text makes Parse panic, and that every suite can be rewritten.
func FuzzParse(f *testing.F) {
	for name, src := range sources {
		f.Add(name, src)
	}
	f.Add("e.txtar", "-- cases --\n%files h\n=> left: {cause: compacted, max: 0}\n=> calls: 7\n.a\n=> changed: none")
	f.Add("mark.txtar", "\uFEFF-- cases --\n%files h\n.a\n=> b\n")
	f.Add("dash.yaml", "\uFEFFfiles: h\ncases:\n  - # one\n    selector: .a\n\n  -   # two\n    # why\n\n    selector: .b\n    ids:\n      -\n        x\n      - y\n  -\n    selector: .c\n  - selector: .d")
	f.Add("flow.yaml", "cases: [\n  {selector: a},\n  {selector: b, ids: [\n  x]}]")
	f.Add("e.yaml", "files: h\ncases:\n  - left: {cause: [a, b], ids: [x]} # why\n    calls: {max: 7}\n  - selector: .a\n    changed:\n      min: 2\n")
	f.Fuzz(func(t *testing.T, name, src string) {
		s, err := Parse(name, src)
		if err != nil || strings.Contains(src, "\r") { // mixed line endings are not preserved
			return
		}
		for i, c := range s.Cases {
			list := make([]*Answer, len(s.Cases))
			if list[i] = &answers[i%len(answers)]; c.Want.Kind == Session {
				list[i] = nine(c.Want)
			}
			out, err := s.Rewrite(list)
			if err != nil {
				if c.fixed == "" && !strings.Contains(err.Error(), "would be lost") {
					t.Fatal(err)
				}
				continue
			}
			again, err := Parse(name, out)
			if err != nil || len(again.Cases) != len(s.Cases) || !again.Cases[i].Want.Equal(*list[i]) {
				t.Fatalf("%v in\n%q", err, out)
			}
		}
	})
}

// TestHostileOptions checks that invalid options, some of which encoding/json would accept, give an
// error that says where it is and what to write.
func TestHostileOptions(t *testing.T) {
	const count = "write a whole number from 0 to 2147483647"
	for src, want := range map[string]string{
		`{"maxSnapshots":1,"maxSnapshots":2}`: `offset 18: duplicate member "maxSnapshots"`,
		`{"MaxSnapshots":1}`:                  `$.MaxSnapshots: there is no such member; did you mean "maxSnapshots"?`,
		`{"maxSnapshots":1.5}`:                `$.maxSnapshots: this is 1.5; ` + count,
		`{"contextLines":-1}`:                 `$.contextLines: this is -1; ` + count,
		`{"includeContent":1}`:                `$.includeContent: this is a number; write true or false`,
		`{"materialize":"content"}`:           `$.materialize: this is a string; write a list`,
		`{"contentMode":"\ud800"}`:            `offset 16: an unpaired surrogate`,
		`{} {}`:                               `offset 3: '{' where the end should follow`,
		`[]`:                                  `$: this is a list; write an object`,
	} {
		if _, err := ParseOptions([]byte(src)); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", src, err, want)
		}
	}
	if _, err := Parse("a.yaml", "files: h.json\ncases:\n  - selector: .a\n    selector: .b\n"); err == nil || err.Error() != `line 4: duplicate member "selector"` {
		t.Errorf("a member twice: %v", err)
	}
}
