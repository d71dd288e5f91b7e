package eval

import (
	"slices"
	"testing"

	"github.com/pactkit/pactkit/ast/vocab"
)

// TestBindings proves that the words of the vocabulary and those the evaluator knows are the same.
func TestBindings(t *testing.T) {
	compare(t, vocab.Attribute, attributes)
	compare(t, vocab.Flag, flags)
	compare(t, vocab.Control, controls)
	for name := range sorters {
		if !slices.Contains(vocab.Lookup(vocab.Control, "order").Params, name) {
			t.Errorf("@order=%s is not in the vocabulary", name)
		}
	}
	for _, name := range vocab.Lookup(vocab.Control, "order").Params {
		if sorters[name] == nil {
			t.Errorf("@order=%s is not evaluated", name)
		}
	}
}

func compare[E any](t *testing.T, kind vocab.Kind, bound map[string]E) {
	t.Helper()
	n := 0
	for term := range vocab.All(kind) {
		n++
		if _, ok := bound[term.ID]; !ok {
			t.Errorf("%s is not evaluated", term.ID)
		}
	}
	if n != len(bound) {
		t.Errorf("%d words are evaluated, and the vocabulary has %d", len(bound), n)
	}
}

// TestValueTypes proves that attributes answered by columns are numbers, and that each of them has a value on every node.
func TestValueTypes(t *testing.T) {
	for term := range vocab.All(vocab.Attribute) {
		if a := attributes[term.ID]; a.columnar && (term.ValueType != vocab.NumberType || a.implied == nil) {
			t.Errorf("%s has a column", term.ID)
		}
	}
}
