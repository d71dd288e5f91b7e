package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// verify checks that a migrated text holds the nodes of the original.
func verify(name string, before, after []byte) error {
	older, err := engine.Read(name, bytes.NewReader(before), options)
	if err != nil {
		return err
	}
	newer, err := engine.Read(name, bytes.NewReader(after), options)
	if err != nil {
		return err
	}
	if err := verifyStates(older, newer); err != nil {
		return err
	}
	if _, again, err := rewrite(name, after); err != nil || again.Changed() {
		return errors.Join(err, fmt.Errorf("something is left: %s", again))
	}
	return nil
}

// verifyStates compares all states of two histories.
func verifyStates(older, newer *engine.Timeline) error {
	was, is := states(older), states(newer)
	if len(was) != len(is) {
		return errors.New("the number of snapshots differs")
	}
	same := map[[2]*tree.Chunk]bool{}
	for i, a := range was {
		if err := verifySnapshot(a, is[i], same); err != nil {
			return fmt.Errorf("cycle %d: %w", a.Cycle(), err)
		}
	}
	return nil
}

// verifySnapshot compares two snapshots; same holds the pairs of chunks that were compared before.
func verifySnapshot(a, b *engine.Snapshot, same map[[2]*tree.Chunk]bool) error {
	if a.Cycle() != b.Cycle() || a.Working() != b.Working() || a.Len() != b.Len() {
		return errors.New("the cycle, the kind of state or the number of nodes differs")
	}
	if err := verifyChunk(a, b, 0, 0, (*tree.Snapshot)(a).RegionRoots(), (*tree.Snapshot)(b).RegionRoots(), same); err != nil {
		return err
	}
	for r := range tree.NumRegions {
		partA, partB := (*tree.Snapshot)(a).Part(r), (*tree.Snapshot)(b).Part(r)
		if partA.Len() != partB.Len() {
			return errors.New("a region differs")
		}
		for i, c := range partA.All() {
			if err := verifyChunk(a, b, r, i, c, partB.At(i), same); err != nil {
				return err
			}
		}
	}
	return nil
}

func verifyChunk(a, b *engine.Snapshot, r engine.Region, at int, ca, cb *tree.Chunk, same map[[2]*tree.Chunk]bool) error {
	pair := [2]*tree.Chunk{ca, cb}
	if same[pair] {
		return nil
	}
	same[pair] = true
	if ca.Len() != cb.Len() {
		return errors.New("the nodes differ")
	}
	for i := range ca.Len() {
		if ca.Parent(i) != cb.Parent(i) {
			return fmt.Errorf("the place of %q differs", ca.ID(i))
		}
		if what := changed(nodeOf(a, r, at, ca, i), nodeOf(b, r, at, cb, i)); what != "" {
			return fmt.Errorf("%s of %q differs", what, ca.ID(i))
		}
	}
	return nil
}

// nodeOf returns node i of a chunk.
func nodeOf(s *engine.Snapshot, r tree.Region, at int, c *tree.Chunk, i int) engine.Node {
	return engine.Node((*tree.Snapshot)(s).Node(r, at, c, i))
}

// changed names a difference between a node and its migrated form that is not part of the migration.
func changed(a, b engine.Node) string {
	if a.ID() != b.ID() || a.Base() != b.Base() || a.UserType() != b.UserType() {
		return "the id or the type"
	}
	names := append(a.Headers(), b.Headers()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		switch name {
		case "nodeType", "role", "tag", "content_hash":
		default:
			if a.Header(name).String() != b.Header(name).String() {
				return name
			}
		}
	}
	want, _ := a.Tags()
	role, ok := a.Role()
	if ok && role != "" && !slices.Contains(want, role) {
		want = append(slices.Clip(want), role)
	}
	have, _ := b.Tags()
	_, hasRole := b.Role()
	stored, _ := a.Header("content_hash").Text()
	now, _ := b.Header("content_hash").Text()
	switch {
	case !slices.Equal(want, have) || hasRole:
		return "a tag"
	case stored == a.ComputedHash() && now != b.ComputedHash() || stored != a.ComputedHash() && now != stored:
		return "content_hash"
	}
	return ""
}
