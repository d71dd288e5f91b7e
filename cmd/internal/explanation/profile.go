package explanation

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/explain"
)

// profileReport is a profile in the form of docs/schemas/profile.json.
type profileReport struct {
	Selector string        `json:"selector"`
	Snapshot string        `json:"snapshot"`
	Cycle    int64         `json:"cycle"`
	Nodes    int           `json:"nodes"`
	Found    int           `json:"found"`
	Time     float64       `json:"ms"`
	Sort     float64       `json:"sort_ms"`
	Chains   []chainReport `json:"chains"`
}

type chainReport struct {
	Fragment int            `json:"fragment"`
	Chain    int            `json:"chain"`
	Skipped  bool           `json:"skipped"`
	Found    int            `json:"found"`
	Time     float64        `json:"ms"`
	Searches []searchReport `json:"searches"`
	Steps    []stepReport   `json:"steps"`
}

type searchReport struct {
	Region   string        `json:"region,omitempty"`
	Strategy eval.Strategy `json:"strategy"`
	Word     string        `json:"word,omitempty"`
	Listed   int           `json:"listed"`
	Chunks   int           `json:"chunks"`
	Searched int           `json:"searched"`
}

type stepReport struct {
	Step       string  `json:"step"`
	Words      string  `json:"words"`
	Ran        bool    `json:"ran"`
	Candidates int     `json:"candidates"`
	Found      int     `json:"found"`
	Time       float64 `json:"ms"`
}

// profile prints the profile of a selector on a history.
func (e *Explainer) profile(ctx context.Context, text string, plan *eval.Plan, t *engine.Timeline) {
	p, err := plan.Profile(ctx, t)
	switch {
	case err != nil:
		open.FailEval(e.Run, text, err)
	case e.JSON:
		e.PrintJSON(newProfileReport(p, text))
	default:
		e.indented("\nprofile on " + e.History + ", " + explain.Profile(p, text))
	}
}

func newProfileReport(p *eval.Profile, selector string) profileReport {
	r := profileReport{
		Selector: selector, Snapshot: p.Snapshot.Label, Cycle: p.Snapshot.Cycle, Nodes: p.Nodes, Found: p.Found, Time: milliseconds(p.Time),
		Sort: milliseconds(p.Sort), Chains: []chainReport{},
	}
	for _, c := range p.Chains {
		x := chainReport{c.Fragment, c.Chain, c.Skipped, c.Found, milliseconds(c.Time), []searchReport{}, []stepReport{}}
		for _, s := range c.Searches {
			x.Searches = append(x.Searches, searchReport(s))
		}
		for _, s := range c.Steps {
			written := strings.Join(strings.Fields(s.Span.Text(selector)), " ")
			x.Steps = append(x.Steps, stepReport{written, s.Words, s.Searched, s.Candidates, s.Found, milliseconds(s.Time)})
		}
		r.Chains = append(r.Chains, x)
	}
	return r
}

// milliseconds returns a time in milliseconds, rounded to the microsecond.
func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Nanoseconds())/1e3) / 1e3 }
