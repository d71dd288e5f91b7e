package migrate

import (
	"fmt"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Timeline is [To10] for a history that was already read, such as a journal. It keeps the
// information about commits, including model calls and causes. The result can be written, but not
// searched. The report counts each node once, however many snapshots have it. If the check of the
// result fails, which is a bug, Timeline returns an error. The cost is a pass over the nodes that
// snapshots do not share.
func Timeline(t *engine.Timeline) (*engine.Timeline, Report, error) {
	next, report := rewriteTimeline(t)
	if !report.Changed() {
		return t, report, nil
	}
	if err := verifyTimeline(t, next); err != nil {
		return nil, Report{}, fmt.Errorf("an internal check refused the migrated history, please report this with the file: %w", err)
	}
	return next, report, nil
}

func rewriteTimeline(t *engine.Timeline) (*engine.Timeline, Report) {
	var report Report
	versions := map[string]bool{}
	for _, s := range states(t) {
		versions[s.SpecVersion()] = true
	}
	delete(versions, engine.Edition10.SpecVersion())
	report.Versions = len(versions)
	return t.Rewrite(engine.Edition10, func(r *tree.Record) *tree.Record { return migrated(r, &report) }), report
}

// migrated returns r or, if its spelling changes in edition 1.0, a new record.
func migrated(r *tree.Record, report *Report) *tree.Record {
	hasRole := r.Has(tree.HeaderRole)
	name := TypeName(r.Type)
	if name == r.Type && !hasRole {
		return r
	}
	next := r.Copy()
	if name != r.Type {
		next.Type = name
		report.Types++
	}
	if hasRole {
		report.Roles++
		isRight := r.Have.Has(tree.HeaderContentHash) && r.Extra().Hash == r.ComputedHash()
		next.Reset(tree.HeaderRole)
		if r.Role != "" {
			addTag(next, r.Role)
		}
		if isRight {
			next.Own().Hash = next.ComputedHash()
			report.Hashes++
		}
	}
	next.Freeze()
	return next
}

// addTag appends a tag to those of a record that is being made.
func addTag(r *tree.Record, tag string) {
	words := r.TagList().Words
	has := r.Has(tree.HeaderTag)
	if has && slices.Contains(words, tag) {
		return
	}
	word := string(canonjson.AppendString(nil, tag))
	text := "[" + word + "]"
	if has {
		switch was := r.TagList().Text; {
		case was[0] == '"':
			text = "[" + was + "," + word + "]"
		case was != "[]":
			text = was[:len(was)-1] + "," + word + "]"
		}
	}
	r.Have.Add(tree.HeaderTag)
	r.Null &^= 1 << tree.HeaderTag
	r.Tags = tree.NewTagList(append(slices.Clone(words), tag), text)
}

// states returns every state of a history, including side calls and the working state.
func states(t *engine.Timeline) []*engine.Snapshot {
	list := slices.Collect(t.Sealed())
	if w := t.Working(); w != nil {
		list = append(list, w)
	}
	return list
}
