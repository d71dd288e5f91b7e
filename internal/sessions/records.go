package sessions

import (
	"context"

	"github.com/pactkit/pactkit/thread/source"
)

// Records are the records of a kind in a log.
type Records struct {
	Member  string `json:"member"` // that tells the kinds apart
	Kind    string `json:"kind"`
	Records int    `json:"records"`           // how many there are
	Becomes string `json:"becomes,omitempty"` // empty if the kind is not known
}

// Records counts the records of a log of model calls by their kinds; of files that belong together,
// those of all. kind is that of the sessions in it. For anything else there are none. The cost is
// that of reading the files.
func (f File) Records(ctx context.Context, kind Kind) ([]Records, error) {
	o := newOpener(*f.opts, nil)
	if f.form != isFile || !o.isSource(kind) {
		return nil, nil
	}
	names := f.group
	if len(names) == 0 {
		names = []string{f.name}
	}
	var out []Records
	at := map[[2]string]int{}
	for _, name := range names {
		counts, err := source.Diagnose(ctx, o.source(name), source.Options{Kind: source.Kind(kind), MaxBytes: o.MaxBytes})
		if err != nil {
			return out, err
		}
		for _, c := range counts {
			key := [2]string{c.Member, c.Kind}
			i, ok := at[key]
			if !ok {
				i = len(out)
				at[key] = i
				out = append(out, Records{Member: c.Member, Kind: c.Kind, Becomes: c.What})
			}
			out[i].Records += c.Count
		}
	}
	return out, nil
}
