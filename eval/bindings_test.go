package eval

import (
	"slices"
	"testing"

	"github.com/pactkit/pactkit/ast/vocab"
)

// TestBindings proves that the words of the vocabulary and those the evaluator knows are the same.
func TestBindings(t *testing.T) {
	compare(t, vocab.Attribute, "attributes", attributes)
	compare(t, vocab.Flag, "flags", flags)
	compare(t, vocab.Control, "controls", controls)
	for name := range sorters {
		if !slices.Contains(vocab.Lookup(vocab.Control, "order").Params, name) {
			t.Errorf("@order=%s is not in the vocabulary: add it to the parameters of the control in ast/vocab/controls.go", name)
		}
	}
	for _, name := range vocab.Lookup(vocab.Control, "order").Params {
		if sorters[name] == nil {
			t.Errorf("@order=%s is not evaluated: add it to the table sorters", name)
		}
	}
}

func compare[E any](t *testing.T, kind vocab.Kind, table string, bound map[string]E) {
	t.Helper()
	known := map[string]bool{}
	for term := range vocab.All(kind) {
		known[term.ID] = true
		if _, ok := bound[term.ID]; !ok {
			t.Errorf("%s is not evaluated: add it to the table %s of package eval", term.ID, table)
		}
	}
	for id := range bound {
		if !known[id] {
			t.Errorf("%s is in the table %s and not in ast/vocab", id, table)
		}
	}
}

// TestValueTypes proves that attributes answered by columns are numbers, and that each of them has
// a value on every node.
func TestValueTypes(t *testing.T) {
	for term := range vocab.All(vocab.Attribute) {
		if a := attributes[term.ID]; a != nil && a.columnar && (term.ValueType != vocab.NumberType || a.implied == nil) {
			t.Errorf("%s is columnar: it must be a number, and implied must be set", term.ID)
		}
	}
}
