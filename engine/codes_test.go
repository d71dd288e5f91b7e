package engine_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// codesOfSource returns the codes that errors.go declares.
func codesOfSource(t *testing.T) []engine.Code {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []engine.Code
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			text, err := strconv.Unquote(s.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, engine.Code(text))
		}
	}
	return codes
}

// TestCodes produces every code, finds each in the reference page, and checks that a refused
// mutation changes nothing.
func TestCodes(t *testing.T) {
	read := func(in string) func(*engine.Context) error {
		return func(*engine.Context) error {
			_, err := engine.Read("in.json", strings.NewReader(in), engine.ReadOptions{Strict: true, MaxDepth: 20, MaxBytes: 1000})
			return err
		}
	}
	insert := func(pos engine.Position, d engine.Draft) func(*engine.Context) error {
		return func(c *engine.Context) error {
			_, err := c.Insert(pos, d)
			return err
		}
	}
	remove := func(target engine.Target) func(*engine.Context) error {
		return func(c *engine.Context) error {
			_, err := c.Delete(target)
			return err
		}
	}
	produce := map[engine.Code]func(*engine.Context) error{
		engine.ErrFileSyntax:   read(`{"root":`),
		engine.ErrFileEncoding: read(`{"root":{"key":"\ud800"}}`),
		engine.ErrFileLimit:    read(strings.Repeat(" ", 1001)),
		engine.ErrMemory: func(*engine.Context) error {
			defer budget.Set(0)
			budget.Set(1 << 20)
			_, err := engine.Read("in.json", strings.NewReader(`{"root":{"content":"`+strings.Repeat("a", 100<<10)+`"}}`), engine.ReadOptions{})
			return err
		},
		engine.ErrFileShape:   read(`{}`),
		engine.ErrFileVersion: read(`{"spec_version":"PACT/2.0.0","root":{}}`),
		engine.ErrFileEdition: func(*engine.Context) error {
			t, err := engine.Read("", strings.NewReader(`{"root":{"children":[{"id":"a","nodeType":"cb"}]}}`), engine.ReadOptions{})
			if err == nil && len(t.Warnings()) > 0 {
				err = t.Warnings()[0]
			}
			return err
		},
		engine.ErrHeaderType:      read(`{"root":{"offset":"0"}}`),
		engine.ErrNodeIDMissing:   read(regions("", `{}`)),
		engine.ErrNodeIDDuplicate: insert(engine.AtDepth(0, 0), engine.Draft{ID: "old"}),
		engine.ErrTreeDepth:       read(`{"root":{"content":` + strings.Repeat("[", 30)),
		engine.ErrInvariant:       insert(engine.AtDepth(0, 0), engine.Draft{TTL: new(int64(-1))}),
		engine.ErrNamespace: func(*engine.Context) error {
			d := engine.Draft{Members: map[string]engine.Value{"cost": engine.Text("1")}}
			return d.Warnings()[0]
		},
		engine.ErrInvalidParent:      insert(engine.Under("^seq", 0), engine.Draft{}),
		engine.ErrParentNotContainer: insert(engine.Under("new", 0), engine.Draft{}),
		engine.ErrCycleDetected: func(c *engine.Context) error {
			_, err := c.Move(engine.ByID("box"), engine.Under("box", 1))
			return err
		},
		engine.ErrPlacement:       remove(engine.ByID("^ah")),
		engine.ErrSealed:          insert(engine.Under("cont", 1), engine.Draft{}),
		engine.ErrForbiddenRegion: insert(engine.AtDepth(-1, 0), engine.Draft{}),
		engine.ErrOverlap:         insert(engine.AtDepth(1, 0), engine.Draft{Key: "k"}),
		engine.ErrNoRoom:          insert(engine.AtDepth(2, 0), engine.Draft{}),
		engine.ErrAmbiguousKey:    remove(engine.ByKey("k")),
		engine.ErrNotFound:        insert(engine.AtDepth(0, 0), engine.Draft{Refs: []string{"gone"}}),
		engine.ErrReferenced:      remove(engine.ByID("box")),
		engine.ErrSnapshotUnknown: func(c *engine.Context) error {
			_, err := c.Timeline().Address(9)
			return err
		},
	}
	page, err := os.ReadFile("../docs/reference/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range codesOfSource(t) {
		if !strings.Contains(string(page), "`"+string(code)+"`") {
			t.Errorf("%s is not in the reference page", code)
		}
		f := produce[code]
		if f == nil {
			t.Errorf("%s is not produced", code)
			continue
		}
		c := crowded(t)
		before := string(c.AppendJSON(nil))
		if err := f(c); !errors.Is(err, code) {
			t.Errorf("want %s, got %v", code, err)
		}
		if string(c.AppendJSON(nil)) != before {
			t.Errorf("%s left a trace", code)
		}
	}
}

// crowded returns a context of two segments one nanosecond apart, with the key
// k on a sealed node and on one in the head.
func crowded(t *testing.T) *engine.Context {
	t.Helper()
	ids := 0
	c, err := engine.New(engine.Options{
		Clock: func() time.Time { return time.Unix(0, 1) },
		NewID: func(typ string) string {
			if ids++; ids == 1 {
				return typ
			}
			return typ + strconv.Itoa(ids)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	add := func(pos engine.Position, d engine.Draft) {
		t.Helper()
		if _, err := c.Insert(pos, d); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() {
		t.Helper()
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	add(engine.AtDepth(0, 0), engine.Draft{ID: "old", Key: "k"})
	commit()
	add(engine.AtDepth(0, 0), engine.Draft{ID: "next"})
	commit()
	for {
		if _, err := c.Insert(engine.AtDepth(2, 0), engine.Draft{}); err != nil {
			break
		}
	}
	add(engine.AtDepth(0, 0), engine.Draft{ID: "new", Key: "k"})
	add(engine.AtDepth(0, 1), engine.Draft{ID: "box", Type: "cont"})
	add(engine.AtDepth(0, 2), engine.Draft{Refs: []string{"box"}})
	return c
}

// TestDecisions checks that each decision of the reference page has a transcript that names it in
// its first lines.
func TestDecisions(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	decisions := regexp.MustCompile(`(?m)^- \*\*(E\d+)\*\*`).FindAllStringSubmatch(string(page), -1)
	if len(decisions) == 0 {
		t.Fatal("no decisions in the reference page")
	}
	var comments strings.Builder
	for _, pattern := range []string{"../testdata/engine/*.txtar", "../testdata/engine/reading/*.txtar"} {
		for c := range testkit.Load(t, pattern) {
			comments.Write(c.Archive.Comment)
		}
	}
	for _, d := range decisions {
		if !regexp.MustCompile(`\b` + d[1] + `\b`).MatchString(comments.String()) {
			t.Errorf("no transcript is about %s", d[1])
		}
	}
}

// TestClockEnds reaches the last instant of a 64-bit clock.
func TestClockEnds(t *testing.T) {
	last := int64(math.MaxInt64 - 4)
	c, err := engine.New(engine.Options{Clock: func() time.Time { return time.Unix(0, last) }})
	if err != nil {
		t.Fatal(err)
	}
	before := string(c.AppendJSON(nil))
	if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{}); !errors.Is(err, engine.ErrNoRoom) {
		t.Errorf("got %v", err)
	}
	if string(c.AppendJSON(nil)) != before {
		t.Error("it left a trace")
	}
}

// Every code is documented once, in the order of its declaration.
func TestCodesAreDocumented(t *testing.T) {
	var documented []engine.Code
	for c := range engine.Codes() {
		documented = append(documented, c.Code)
		if !strings.HasSuffix(c.Doc, ".") {
			t.Errorf("%s: %q is no sentence", c.Code, c.Doc)
		}
	}
	if d := cmp.Diff(codesOfSource(t), documented); d != "" {
		t.Errorf("codes (-declared +documented):\n%s", d)
	}
}
