package host

import "testing"

func TestWordStart(t *testing.T) {
	for src, want := range map[string]bool{
		"pact":        true,
		"x pactkit":   true,
		"@pact/core":  true,
		"my_pact":     true,
		"aPact":       true,
		"compact":     false,
		"impact pact": true,
		"imPACT":      true,
		"":            false,
		"pac":         false,
	} {
		if got := defaultMarkers().inContext(src); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

// Each line is an invalid pattern, after the name of its list.
func TestBadPatterns(t *testing.T) {
	for _, p := range []Patterns{
		{Calls: []string{""}}, {Calls: []string{"a b"}}, {Calls: []string{"a("}}, {Calls: []string{"a(0)"}}, {Calls: []string{"a(x-y)"}},
		{Calls: []string{"a.*"}}, {Calls: []string{"*.a.b"}}, {Calls: []string{"a..b"}}, {Positions: []string{"1a"}},
		{Tags: []string{"a.b"}}, {Comments: []string{"/* pact */"}}, {Comments: []string{" "}},
		{Keys: []string{""}}, {Keys: []string{"a[0]"}}, {Keys: []string{"a..b"}}, {Fences: []string{"a b"}}, {OnlyWith: []string{""}},
	} {
		if _, err := NewMarkers(p); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

// Patterns with a receiver, several names and arguments by number or by name.
func TestCallPatterns(t *testing.T) {
	for pattern, sources := range map[string]map[string]bool{
		"find":          {`find(".a")`: true, `x.find(".a")`: false, `def find(".a")`: false, `find (".a")`: true, `found(".a")`: false},
		"*.find":        {`find(".a")`: false, `x.find(".a")`: true, `x().find(".a")`: true, `a.b?.find(".a")`: true},
		"db.find":       {`db.find(".a")`: true, `my.db.find(".a")`: true, `mydb.find(".a")`: false, `db::find(".a")`: true, `db->find(".a")`: true},
		"a.b.find":      {`b.find(".a")`: false, `a.b.find(".a")`: true, `c.b.find(".a")`: false, `x.a.b.find(".a")`: true},
		"find(2)":       {`find(".a")`: false, `find(x, ".a")`: true, `find(f(1, 2), ".a")`: true, `find([1, {2}], ".a", y)`: true},
		"find(by)":      {`find(".a")`: false, `find(x, by=".a")`: true, `find(x, by: ".a")`: true, `find(x, my=".a")`: false},
		"find(1, 2)":    {`find(".a", ".b")`: true, `find(x, ".b")`: true},
		"find(1, by)":   {`find(by=".a")`: true, `find(".a")`: true, `find(x=".a")`: false},
		"find(99)":      {`find(".a")`: false},
		"find(1)":       {`find()`: false, `find`: false, `find(x)`: false, `find((".a"))`: true},
		"*.find(1, by)": {`x.find(by=".a", y=1)`: true},
	} {
		m, err := NewMarkers(Patterns{Calls: []string{pattern}})
		if err != nil {
			t.Fatal(err)
		}
		for src, want := range sources {
			f := python.Find(src, m)
			if len(f.Regions) > 1 || len(f.Regions) == 1 != want {
				t.Errorf("%s in %s: %d regions", pattern, src, len(f.Regions))
			}
		}
	}
}
