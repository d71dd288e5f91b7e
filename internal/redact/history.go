package redact

import (
	"fmt"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// frameShape is the shape of the frames of journals.
var frameShape = Shape{
	Below: set("history", "snapshot", "delta", "working", "root", "children", "added", "changed", "set", "unset", "moved", "removed", "cadence",
		"cadence_ended", "template", "resume", "ttl_from", "ns", "refs", "tag", "call", "by", "starts", "missing", "usage", "iterations", "causes", "event", "side", "policy", "failed", "forks"),
	Drop: set("content_hash"),
}

func set(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}

// History returns a history without secrets: in contents, ids, attributes, tags, and the records of
// calls. It rewrites the frames of a journal of the history, so it searches everything that can be
// written. It removes digests of contents; those that are computed later are of the redacted
// contents. It returns an error if the redacted frames are not a history, such as when a pattern
// matches a type of nodes. The cost is that of writing and reading a journal.
func (r *Redactor) History(t *engine.Timeline) (*engine.Timeline, error) {
	frames, _, err := journal.NewHead(journal.About{}).Append(t)
	if err != nil {
		return nil, err
	}
	for i, f := range frames {
		body, ok := r.json(f.Body, frameShape, true, 0)
		if !ok {
			return nil, fmt.Errorf("the history cannot be searched for secrets: cycle %d is not JSON", f.Cycle)
		}
		frames[i].Body = body
	}
	d := journal.NewDecoder("", engine.ReadOptions{MaxDepth: maxDepth, MaxBytes: 1 << 40})
	var before journal.Digest
	for _, f := range frames {
		f.Body = r.again(f.Body)
		f.Digest = journal.Chain(before, f.Body)
		before = f.Digest
		if err := d.Add(f); err != nil {
			// err is not wrapped, because its line and its hint are about files of the user.
			return nil, fmt.Errorf("a pattern matches a word that histories need: %v", err)
		}
	}
	return d.Timeline()
}
