package explain

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pactkit/pactkit/eval"
)

// Profile describes what an evaluation of a selector did, in lines of text: for each chain how its
// regions were searched, then a table of its steps.
func Profile(p *eval.Profile, selector string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d nodes in %s\n", p.Snapshot.Label, p.Found, p.Nodes, milliseconds(p.Time))
	for i := range p.Chains {
		c := &p.Chains[i]
		switch {
		case c.Chain > 0:
			b.WriteString("\n  ??\n")
		case c.Fragment > 0:
			b.WriteString("\n  ,\n")
		}
		writeChain(&b, c, selector)
	}
	if p.Sort > 0 {
		fmt.Fprintf(&b, "\n  @order: %s\n", milliseconds(p.Sort))
	}
	return b.String()
}

func writeChain(b *strings.Builder, c *eval.ChainProfile, selector string) {
	if c.Skipped {
		b.WriteString("\n  not evaluated: an earlier side of ?? found something\n")
		return
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for i := range c.Searches {
		s := &c.Searches[i]
		region := s.Region
		if region == "" && s.Chunks > 0 {
			region = "rest"
		}
		if region != "" {
			region += "\t"
		}
		fmt.Fprintf(w, "  %s%s\n", region, searchPhrase(s))
	}
	_ = w.Flush()
	if len(c.Searches) > 0 {
		b.WriteByte('\n')
	}
	w = tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "time\tcandidates\tfound\t  step\n")
	for i := range c.Steps {
		s := &c.Steps[i]
		spent := "-"
		if s.Searched {
			spent = fmt.Sprintf("%10s", milliseconds(s.Time)) // keeps the columns in place
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t  %s\n", spent, s.Candidates, s.Found, strings.Join(strings.Fields(s.Span.Text(selector)), " "))
	}
	_ = w.Flush() // a strings.Builder does not fail
	fmt.Fprintf(b, "  %s in %s\n", nodes(c.Found), milliseconds(c.Time))
}

func searchPhrase(s *eval.SearchProfile) string {
	skipped := fmt.Sprintf("%d of %d chunks searched", s.Searched, s.Chunks)
	switch s.Strategy {
	case eval.StrategyLookup:
		text := fmt.Sprintf("look up %s: %s", s.Word, nodes(s.Listed))
		if s.Chunks > 0 {
			text += "; " + skipped
		}
		return text
	case eval.StrategyList:
		return fmt.Sprintf("posting list of %s: %s, all of them results", s.Word, nodes(s.Listed))
	case eval.StrategyListed:
		return fmt.Sprintf("posting list of %s: %s; %s", s.Word, nodes(s.Listed), skipped)
	}
	return "scan: " + skipped
}

func nodes(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.3f ms", float64(d.Nanoseconds())/1e6)
}
