package engine_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// content is what a node has in some state, as an erasure sees it.
type content struct {
	id, text string
	refs     []string
}

// checkErase erases a node of the history, and compares the ids of the other nodes that go with it
// with those that a slow search finds. What stays must be unchanged.
func (m *model) checkErase(t *testing.T, c *engine.Context, id string) error {
	var all []content
	history := c.History()
	for s := range statesOf(history) {
		for n := range s.All() {
			all = append(all, content{n.ID(), n.Content().String(), n.Refs()})
		}
	}
	for _, s := range m.cadence {
		for _, n := range s.node.all() {
			all = append(all, content{n.id, n.content, n.refs})
		}
	}
	gone, texts := map[string]bool{id: true}, map[string]bool{}
	for before := 0; before < len(gone)+len(texts); {
		before = len(gone) + len(texts)
		for _, n := range all {
			stays := func(ref string) bool { return !gone[ref] }
			if texts[n.text] || len(n.refs) > 0 && !slices.ContainsFunc(n.refs, stays) {
				gone[n.id] = true
			}
			if gone[n.id] && n.text != "" && n.text != `""` {
				texts[n.text] = true
			}
		}
	}
	less, others, err := history.Erase(id)
	if err != nil {
		return err
	}
	var want []string
	for other := range gone {
		if other != id {
			want = append(want, other)
		}
	}
	if slices.Sort(want); !slices.Equal(others, want) {
		return fmt.Errorf("erased with it: %v, want %v", others, want)
	}
	read, err := engine.Read("less.json", bytes.NewReader(less.AppendJSON(nil)), engine.ReadOptions{Strict: true})
	if err != nil {
		return err
	}
	i := 0
	for s := range statesOf(read) {
		for n := range s.All() {
			want := all[i]
			if gone[want.id] {
				want.text = ""
			}
			if n.ID() != want.id || n.Content().String() != want.text {
				return fmt.Errorf("%s has the content %q in cycle %d, want %q of %s", n.ID(), n.Content(), s.Cycle(), want.text, want.id)
			}
			i++
		}
	}
	return nil
}

// statesOf yields every state of a history.
func statesOf(tl *engine.Timeline) func(func(*engine.Snapshot) bool) {
	return func(yield func(*engine.Snapshot) bool) {
		for s := range tl.Sealed() {
			if !yield(s) {
				return
			}
		}
		yield(tl.Working())
	}
}
