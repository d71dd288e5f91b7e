package ast_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
)

// reachable finds every node below a value by reflection, in the order of the fields. Records of
// legacy forms are not part of the tree.
func reachable(v reflect.Value, add func(ast.Node)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(ast.Node); ok && v.Kind() == reflect.Pointer {
			add(n)
		}
		reachable(v.Elem(), add)
	case reflect.Struct:
		for f, fv := range v.Fields() {
			if f.Name == "Legacy" || !f.IsExported() || f.Type == reflect.TypeFor[ast.Span]() || f.Type == reflect.TypeFor[ast.Extent]() {
				continue
			}
			if fv.Kind() == reflect.Struct && fv.CanAddr() {
				fv = fv.Addr()
			}
			reachable(fv, add)
		}
	case reflect.Slice:
		for i := range v.Len() {
			e := v.Index(i)
			if e.Kind() == reflect.Struct {
				e = e.Addr()
			}
			reachable(e, add)
		}
	}
}

// TestWalkVisitsEverything compares All with what reflection finds, so All cannot miss a field of a
// node.
func TestWalkVisitsEverything(t *testing.T) {
	for _, root := range []ast.Node{wholeFile(), &ast.Position{Container: &everything().Union[0].Chains[0]}} {
		want := map[ast.Node]bool{}
		reachable(reflect.ValueOf(root), func(n ast.Node) { want[n] = true })
		visited := map[ast.Node]bool{}
		for n := range ast.All(root) {
			if visited[n] {
				t.Errorf("%T is visited twice", n)
			}
			visited[n] = true
			if !want[n] {
				t.Errorf("%T %v is visited, but not in the tree", n, n.Bounds())
			}
		}
		for n := range want {
			if !visited[n] {
				t.Errorf("%T %v is not visited", n, n.Bounds())
			}
		}
	}
}

func names(root ast.Node) []string {
	var list []string
	for n := range ast.All(root) {
		list = append(list, reflect.TypeOf(n).Elem().Name())
	}
	return list
}

func TestWalkOrder(t *testing.T) {
	want := []string{
		"File", "Selector", "Comment",
		"Query", "Time", "Instant", "Instant",
		"Fragment", "Chain",
		"Step", "Region",
		"Step", "Depth", "Tag",
		"Step", "Type", "Filter", "Prop", "Value", "Value", "Prop", "Key",
		"Step", "Any", "Zone",
		"Step", "Zone", "Positional",
		"Chain", "Step", "Key",
		"Fragment", "Chain", "Step", "Coordinates", "Coordinate", "Coordinate", "Step", "Group", "Chain", "Step", "Bad",
		"Control",
		"Comment", "Comment", "Comment",
	}
	if d := cmp.Diff(want, names(wholeFile())); d != "" {
		t.Errorf("order of the nodes (-want +got):\n%s", d)
	}
}

// TestWalkTime checks which instants belong to which form of a time.
func TestWalkTime(t *testing.T) {
	for kind, want := range map[ast.TimeKind]int{ast.TimeAt: 1, ast.TimeEvery: 1, ast.TimeHistory: 1, ast.TimeRange: 2, ast.TimePair: 2} {
		if got := len(names(&ast.Time{Kind: kind})) - 1; got != want {
			t.Errorf("a time of kind %v has %d instants, want %d", kind, got, want)
		}
	}
}

func TestAllStops(t *testing.T) {
	for limit := range len(names(everything())) {
		n := 0
		for range ast.All(everything()) {
			if n++; n > limit {
				break
			}
		}
		if n != limit+1 {
			t.Errorf("a loop that ends after %d nodes saw %d", limit+1, n)
		}
	}
}
