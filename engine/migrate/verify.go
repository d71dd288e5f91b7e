package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// verify checks that a migrated text has the nodes that [Timeline] makes from the original.
func verify(name string, before, after []byte) error {
	older, errOlder := engine.Read(name, bytes.NewReader(before), options)
	newer, errNewer := engine.Read(name, bytes.NewReader(after), options)
	if err := cmp.Or(errOlder, errNewer); err != nil {
		return err
	}
	want, _, err := Timeline(older)
	if err != nil {
		return err
	}
	if !bytes.Equal(want.AppendJSON(nil), newer.AppendJSON(nil)) {
		return errors.New("the nodes differ")
	}
	if _, again, err := rewrite(name, after); err != nil || again.Changed() {
		return errors.Join(err, fmt.Errorf("something is left: %s", again))
	}
	return nil
}

// verifyTimeline compares the nodes of all states of a history with their migrated forms.
func verifyTimeline(older, newer *engine.Timeline) error {
	is, distinct := states(newer), tree.DistinctChunks()
	for i, was := range states(older) {
		for a := range distinct((*tree.Snapshot)(was)) {
			b := a.In((*tree.Snapshot)(is[i]))
			for k := range int32(a.Chunk().Len()) {
				if what := changed(engine.Node(a.With(k)), engine.Node(b.With(k))); what != "" {
					return fmt.Errorf("cycle %d: %s of %q differs", was.Cycle(), what, a.Chunk().Rec(int(k)).ID)
				}
			}
		}
	}
	if _, again := rewriteTimeline(newer); again.Changed() {
		return fmt.Errorf("something is left: %s", again)
	}
	return nil
}

// changed returns the name of a difference between a node and its migrated form that is not part of
// the migration, or "" if there is none.
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
