package suite

import (
	"strings"
	"testing"
)

// TestExpectations checks that expectations are written in one form, which is read as the same
// expectation.
func TestExpectations(t *testing.T) {
	for in, want := range map[string]string{
		"left: none":               "left: none",
		"left: 3":                  "left: {count: 3}",
		"left: {}":                 "left: {min: 1}",
		"left: {cause: compacted}": "left: {cause: compacted, min: 1}",
		"left: {cause: [trimmed, compacted], count: none}":     "left: {cause: [trimmed, compacted], count: 0}",
		"left: {cause: of-our-own, max: 1_000}":                "left: {cause: of-our-own, max: 1000}",
		`left: {"cycle": 9, "min": 0, "max": 2}`:               "left: {cycle: 9, min: 0, max: 2}",
		"left: {ids: [block:1, 'an odd id']}":                  `left: {ids: [block:1, "an odd id"]}`,
		"changed: {ids: []}":                                   "changed: {ids: []}",
		"changed: {cause: cleared, min: 2, max: 2}":            "changed: {cause: cleared, count: 2}",
		"cache: {broken: 0}":                                   "cache: {broken: 0}",
		"cache: {broken: none, by: tools}":                     "cache: {by: tools, broken: 0}",
		"cache: {resent: {max: 5}, broken: {min: 1}}":          "cache: {broken: {min: 1}, resent: {max: 5}}",
		"tokens: {max: 100000}":                                "tokens: {max: 100000}",
		"tokens: {total: {max: 9}, min: 1, max: 1}":            "tokens: {min: 1, max: 1, total: {max: 9}}",
		"tokens: {total: 9, cycle: 2}":                         "tokens: {cycle: 2, total: 9}",
		"calls: 5":                                             "calls: {count: 5}",
		"calls: {min: 5}":                                      "calls: {min: 5}",
		"calls: {missing: none}":                               "calls: {missing: none}",
		"events: none":                                         "events: none",
		"events: {kind: clear}":                                "events: {kind: clear, min: 1}",
		"events: {max: 2, kind: [rewind, clear]}":              "events: {kind: [rewind, clear], max: 2}",
		"calls: {missing: tools, count: 5}":                    "calls: {count: 5, missing: tools}",
		"calls: {missing: [system prompt, tools]}":             `calls: {missing: ["system prompt", tools]}`,
		"tokens: {grade: exact}":                               "tokens: {grade: exact}",
		"tokens: {max: 9, cycle: 2, grade: [exact, at-least]}": "tokens: {cycle: 2, max: 9, grade: [exact, at-least]}",
	} {
		for _, line := range []string{in, want} {
			e, err := parseExpectationLine(line, 1)
			if err != nil {
				t.Errorf("%s: %v", line, err)
			} else if got := e.String(); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", line, got, want)
			}
		}
	}
}

// TestBadExpectations checks the errors for invalid expectations.
func TestBadExpectations(t *testing.T) {
	for in, want := range map[string]string{
		"left: {cause: compactd}":       `there is no cause "compactd"; did you mean "compacted"?`,
		"left: {cause: {}}":             "cause is a word, or a list of words",
		"left: {coause: compacted}":     `there is no member "coause"; did you mean "cause"?`,
		"left: {ids: x}":                "ids are a list of ids",
		"left: {ids: [x], max: 1}":      "left has either ids or their number",
		"left: {count: 1, max: 2}":      "count says exactly how many; leave min and max out",
		"left: {min: 3, max: 2}":        "min is more than max",
		"left: -1":                      `this is "-1"; write a whole number from 0 to 9007199254740991, or none`,
		"left: {max: 1.5}":              `this is "1.5"; write a whole number from 0 to 9007199254740991, or none`,
		"left: {max: '1'}":              `this is "1"; write a whole number from 0 to 9007199254740991, or none`,
		"left: {max: 9007199254740992}": `this is "9007199254740992"; write a whole number from 0 to 9007199254740991, or none`,
		"left: {cycle: 0}":              "cycle is that of a call, such as 9 for @c9",
		"left: [a]":                     "expected an object with the members cause, cycle, ids, count, min, max",
		"left: {max":                    "an expectation is written like left: {cause: compacted, max: 0}",
		"cache: {}":                     "cache needs a number; it has the members by, cycle, broken, resent",
		"cache: {by: tools}":            "cache needs a number; it has the members by, cycle, broken, resent",
		"cache: {broken: 0, by: model}": `"model" does not break a cache; there are node, system, tools, parameters`,
		"cache: {broken: {}}":           "min, max or both are needed",
		"cache: none":                   "expected an object with the members by, cycle, broken, resent",
		"tokens: 100000":                "expected an object with the members cycle, min, max, total, grade",
		"tokens: {count: 5}":            `there is no member "count"; there are cycle, min, max, total, grade`,
		"tokens: {grade: exactly}":      `"exactly" is not a grade; there are exact, at-least, counted, estimated, unknown`,
		"tokens: {grade: []}":           "grade is a word, or a list of words",
		"calls: {missing: {}}":          "missing is a word, or a list of words",
		"events: {kind: compact}":       `"compact" is not a kind of event; did you mean "compaction"?`,
		"calls: {max: *x}":              "an expectation is written like left: {cause: compacted, max: 0}",
	} {
		_, err := parseExpectationLine(in, 7)
		if p, ok := err.(*Problem); !ok || p.Line != 7 || p.Message != want {
			t.Errorf("%s:\ngot  %v\nwant %s", in, err, want)
		}
	}
}

// TestRewriteExpectations checks that new bounds are written, and that nothing else changes.
func TestRewriteExpectations(t *testing.T) {
	for name, c := range map[string]struct{ was, is string }{
		"a.txtar": {
			"-- cases --\n%files h\n# one\n=> left: {cause: compacted, max: 0}\n=> calls:   7\n\n.a\n=> left: none\n.b\n=> x\n",
			"-- cases --\n%files h\n# one\n=> left: {count: 9}\n=> calls:   7\n\n.a\n=> left: {count: 9}\n.b\n=> x\n",
		},
		"a.yaml": {
			"files: h\ncases:\n  - name: one # of\n    left: {cause: compacted, max: 0} # why\n\n    # more\n    calls:   7 # all\n  - left:\n      # in it\n      max: 0\n    selector: .a\n  - selector: .b\n    ids: [x]\n",
			"files: h\ncases:\n  - name: one # of\n    left: {count: 9} # why\n\n    # more\n    calls:   7 # all\n  - # in it\n    left: {count: 9}\n    selector: .a\n  - selector: .b\n    ids: [x]\n",
		},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			s, err := Parse(name, strings.ReplaceAll(c.was, "\n", newline))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			list := make([]*Answer, len(s.Cases))
			for i, x := range s.Cases {
				if x.Want.Kind == Session {
					list[i] = nine(x.Want)
				}
			}
			got, err := s.Rewrite(list)
			if want := strings.ReplaceAll(c.is, "\n", newline); got != want || err != nil {
				t.Errorf("%s: %v, got\n%s\nwant\n%s", name, err, got, want)
			}
		}
	}
}

// nine returns the answer to expectations if nine nodes left or changed.
func nine(a Answer) *Answer {
	out := &Answer{Kind: Session}
	for _, e := range a.Expect {
		if e.takesSelector() {
			e = &Expectation{What: e.What, Limits: []Limit{{countMeasure, new(int64(9)), new(int64(9))}}}
		}
		out.Expect = append(out.Expect, e)
	}
	return out
}
