package eval

import (
	"context"
	"math/bits"
	"time"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// Profile describes an evaluation on one snapshot. Profiles of one plan on one snapshot differ only
// in their times.
type Profile struct {
	Snapshot Ref
	Nodes    int           // the nodes of the snapshot
	Found    int           // the nodes that the plan found, before @unique, @skip, @p and @limit
	Time     time.Duration // the time of the evaluation
	Sort     time.Duration // the part of Time that @order takes
	Chains   []ChainProfile
}

// ChainProfile describes the evaluation of one side of ?? in one member of a union.
type ChainProfile struct {
	Fragment int           // the member of the union, from 0
	Chain    int           // the side of ??, from 0
	Skipped  bool          // not evaluated, since an earlier side of ?? found something
	Found    int           // the nodes it found, also if an earlier member of the union found them
	Time     time.Duration // the time of the search
	Searches []SearchProfile
	Steps    []StepProfile
}

// SearchProfile describes the search of one region.
type SearchProfile struct {
	Region   string   // ^sys, ^seq or ^ah; "" for other nodes, and for a lookup without a search
	Strategy Strategy // how its candidates were found
	Word     string   // the id, the key, or the word of a posting list, as in +tool
	Listed   int      // the nodes with that word
	Chunks   int      // the parts that the region consists of
	Searched int      // the chunks whose nodes were candidates; the others were skipped
}

// Strategy is how an evaluation finds the candidates in a region.
type Strategy string

const (
	StrategyLookup Strategy = "lookup"       // look up an id or a key, and search the chunks that have it
	StrategyList   Strategy = "posting-list" // take the list of the nodes with a word as the result
	StrategyListed Strategy = "listed"       // search the chunks of the nodes with a word
	StrategyScan   Strategy = "scan"         // search all chunks that can hold a result
)

// StepProfile describes the evaluation of one step.
type StepProfile struct {
	Span       ast.Span      // the span of the step in the selector
	Words      string        // the step in words
	Searched   bool          // it ran; false if the search began below its results, or needed no step
	Candidates int           // the nodes among which it searched
	Found      int           // the nodes that it found
	Time       time.Duration // the time of the step
}

// Profile evaluates the plan on the newest snapshot that the query asks for, as [Plan.Select] does,
// and reports what it did. It measures the third evaluation, because the first two searches for a
// word build its posting list. Errors are those of Select. Measuring makes this evaluation a little
// slower than that of Select.
func (p *Plan) Profile(ctx context.Context, t *engine.Timeline) (*Profile, error) {
	list, _, err := states(t, p.time)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	snap, r := list[0].snap, p.over(t)
	for range 2 {
		if _, err := r.ordered(ctx, snap); err != nil {
			return nil, err
		}
	}
	out := &Profile{Snapshot: list[0].ref, Nodes: treeOf(snap).Len()}
	m := newMatcher(snap, r.lives)
	defer m.release()
	m.profile = out
	start := time.Now()
	nodes, err := m.appendUnion(ctx, nil, p.union)
	if err == nil && p.order != nil {
		sorting := time.Now()
		p.order(ctx, nodes)
		out.Sort, err = max(time.Since(sorting), 1), ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	out.Time, out.Found = time.Since(start), len(nodes)
	out.complete(p)
	return out, nil
}

// complete adds the chains that were not evaluated, and the positions and words of all steps.
func (p *Profile) complete(plan *Plan) {
	ran := p.Chains
	p.Chains = nil
	for f, chains := range plan.union {
		answered := false
		for k, c := range chains {
			x := ChainProfile{Skipped: answered, Steps: make([]StepProfile, len(c.steps))}
			if !answered {
				x, ran = ran[0], ran[1:]
				answered = x.Found > 0
			}
			x.Fragment, x.Chain = f, k
			for i, s := range c.steps {
				x.Steps[i].Span, x.Steps[i].Words = s.span, s.words()
			}
			p.Chains = append(p.Chains, x)
		}
	}
}

// appendChain is [matcher.appendChain], measured.
func (p *Profile) appendChain(ctx context.Context, m *matcher, dst []engine.Node, c *chain) []engine.Node {
	p.Chains = append(p.Chains, ChainProfile{Steps: make([]StepProfile, len(c.steps))})
	before, start := len(dst), time.Now()
	dst = m.appendChain(ctx, dst, c)
	x := p.chain()
	x.Time, x.Found = time.Since(start), len(dst)-before
	if c.direct != nil {
		word, listed := c.looksUp(m.snap)
		x.Searches = []SearchProfile{{Strategy: StrategyLookup, Word: word, Listed: listed}}
		x.Steps[0] = StepProfile{Searched: true, Candidates: listed, Found: x.Found, Time: x.Time}
		return dst
	}
	for i, roots := range m.roots {
		n := bits.OnesCount8(uint8(roots))
		x.Steps[i].Candidates += n
		x.Steps[i].Found += n
	}
	return dst
}

// chain returns the chain that is being evaluated.
func (p *Profile) chain() *ChainProfile { return &p.Chains[len(p.Chains)-1] }

// looksUp returns the id or key that a chain looks up, as written, and the number of nodes that
// have it. It returns "" for other chains.
func (c *chain) looksUp(s *engine.Snapshot) (word string, nodes int) {
	switch {
	case c.id != nil:
		if _, ok := s.Find(c.id.text); ok {
			nodes = 1
		}
		return "id " + ast.Quote(c.id.text), nodes
	case c.key != nil:
		return "#" + c.key.text, len(s.Keyed(c.key.text))
	}
	return "", 0
}

// search records how a region is searched.
func (p *Profile) search(m *matcher, c *chain, r engine.Region, how strategy, list *tree.PostingList) {
	s := SearchProfile{Strategy: strategies[how], Region: regionNames[r], Chunks: treeOf(m.snap).NumChunks(r)}
	switch how {
	case searchGiven:
		s.Word, s.Listed = c.looksUp(m.snap)
	case takeList, searchListed:
		s.Listed = list.Len()
		for i := range c.words {
			if w := &c.words[i]; treeOf(m.snap).PostingList(r, w.Word, w.tag) == list {
				s.Word = w.String()
			}
		}
	}
	x := p.chain()
	x.Searches = append(x.Searches, s)
	if how == takeList {
		last := &x.Steps[len(x.Steps)-1]
		last.Candidates += s.Listed
		last.Found += s.Listed
	}
}

var strategies = [...]Strategy{searchGiven: StrategyLookup, takeList: StrategyList, searchListed: StrategyListed, searchAll: StrategyScan}

var regionNames = [...]string{engine.RegionSys: "^sys", engine.RegionSeq: "^seq", engine.RegionHead: "^ah", engine.RegionRest: ""}

// searched counts chunks whose nodes become candidates.
func (p *Profile) searched(chunks int) {
	x := p.chain()
	x.Searches[len(x.Searches)-1].Searched += chunks
}

// runStep is [matcher.stepAndPick], measured.
func (p *Profile) runStep(ctx context.Context, m *matcher, c *chain, i int) {
	start := time.Now()
	m.stepAndPick(ctx, c, i)
	s := &p.chain().Steps[i]
	s.Time += time.Since(start)
	s.Searched = true
	s.Candidates += tree.Bits(m.view.nodes).Len()
	s.Found += tree.Bits(m.view.found).Len()
}
