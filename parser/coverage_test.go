package parser_test

import (
	goast "go/ast"
	goparser "go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// nodeTypes returns the structs of package ast that embed a Span. It reads the source of the
// package, so a new node without a case fails TestEveryNodeSeen.
func nodeTypes(t *testing.T) []string {
	t.Helper()
	file, err := goparser.ParseFile(token.NewFileSet(), "../ast/ast.go", nil, goparser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	goast.Inspect(file, func(n goast.Node) bool {
		spec, ok := n.(*goast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*goast.StructType); ok && len(s.Fields.List) > 0 {
			first := s.Fields.List[0]
			if id, ok := first.Type.(*goast.Ident); ok && len(first.Names) == 0 && (id.Name == "Span" || id.Name == "Extent") {
				names = append(names, spec.Name.Name)
			}
		}
		return false
	})
	return names
}

func TestEveryNodeSeen(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range loadCases(t) {
		r := c.parse(c.src)
		if r.root() == nil {
			continue
		}
		for n := range ast.All(r.root()) {
			seen[reflect.TypeOf(n).Elem().Name()] = true
			if q, ok := n.(*ast.Query); ok && len(q.Legacy()) > 0 {
				seen["Legacy"] = true // an annotation that a walk does not visit
			}
		}
	}
	want := nodeTypes(t)
	if len(want) < 20 {
		t.Fatalf("the source of package ast has the nodes %v only", want)
	}
	for _, name := range want {
		if !seen[name] {
			t.Errorf("no case has a node of type ast.%s", name)
		}
		delete(seen, name)
	}
	if len(seen) > 0 {
		t.Errorf("the nodes %v are not in ast.go", seen)
	}
}

// evaluationOnly has the codes that the parser never reports.
var evaluationOnly = []diag.Code{diag.SelectorCardinality, diag.RangeLimit, diag.SnapshotUnknown}

func TestEveryCodeSeen(t *testing.T) {
	seen := map[diag.Code]bool{}
	for _, c := range loadCases(t) {
		for _, d := range c.parse(c.src).diags {
			seen[d.Code] = true
		}
	}
	for c := range diag.Codes() {
		if only := slices.Contains(evaluationOnly, c.Code); seen[c.Code] == only {
			t.Errorf("%s: seen = %v, only an evaluation gives it = %v", c.Code, seen[c.Code], only)
		}
	}
}

func TestEveryLegacyFormSeen(t *testing.T) {
	seen := map[ast.LegacyForm]bool{}
	for _, c := range loadCases(t) {
		if q := c.parse(c.src).query; q != nil {
			for _, l := range q.Legacy() {
				seen[l.Form] = true
			}
		}
	}
	for form := range ast.LegacyRole + 1 {
		if !seen[form] {
			t.Errorf("no case has the legacy form %v", form)
		}
	}
}

// TestCodeExamples checks that the example of a code is reported with the code.
func TestCodeExamples(t *testing.T) {
	for c := range diag.Codes() {
		if c.Example == "" {
			continue
		}
		_, ds := parser.ParseSelector(c.Example, parser.Options{})
		if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == c.Code }) {
			t.Errorf("%s is answered with %v, not with %s", c.Example, ds, c.Code)
		}
	}
}
