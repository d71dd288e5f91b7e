// Package gentest makes random trees, histories and selectors for tests. A seed gives the same
// result in every run. A change of this package may change the result.
package gentest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// Rand returns a random number generator with a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Timeline returns a random history with a few snapshots, each a tree of about size nodes. One in
// three is the history of a live context. The others are read from files that break rules, which
// only a lenient reader accepts.
func Timeline(t testing.TB, r *rand.Rand, size int) *engine.Timeline {
	t.Helper()
	if r.IntN(3) == 0 {
		return Live(t, r, size).Timeline()
	}
	tl, err := Read(File(r, size), engine.ReadOptions{})
	if err != nil {
		t.Fatalf("gentest made a file that cannot be read: %v", err)
	}
	return tl
}

// Read reads a history whose snapshots may have a member "causes", {"ID": CAUSE}, which says why
// nodes left or changed. A cause is a string, or an object with the members of [engine.Cause]. The
// timeline has these causes, as if it were read from a journal.
func Read(data []byte, o engine.ReadOptions) (*engine.Timeline, error) {
	tl, err := engine.Read("history.json", bytes.NewReader(data), o)
	if err != nil || !bytes.Contains(data, []byte(`"causes":{`)) {
		return tl, err
	}
	var doc struct {
		Snapshots []struct {
			Cycle  int64            `json:"cycle"`
			Causes map[string]cause `json:"causes"`
		} `json:"snapshots"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	entries, _, err := engine.Recorder{}.Record(tl)
	if err != nil {
		return nil, err
	}
	rp := engine.NewReplayer("history.json", o)
	for i, e := range entries {
		for _, s := range doc.Snapshots {
			if s.Cycle == e.Cycle && e.Kind != engine.EntryHistory && e.Kind != engine.EntryWorking && len(s.Causes) > 0 {
				info := engine.CommitInfo{}
				if e.Info != nil {
					info = *e.Info
				}
				for id, c := range s.Causes {
					c.ID = id
					info.Causes = append(info.Causes, engine.Cause(c))
				}
				e.Info = &info
			}
		}
		if err := rp.Add(e, i+1, "$"); err != nil {
			return nil, err
		}
	}
	return rp.Timeline()
}

// cause is a cause that [Read] reads.
type cause engine.Cause

// UnmarshalJSON implements [json.Unmarshaler].
func (c *cause) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &c.Cause)
	}
	return json.Unmarshal(data, (*engine.Cause)(c))
}

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// one returns true once in n calls, on average.
func one(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }
