package format

import (
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/slab"
)

// A draft is a copy of a query that passes rewrite, and the memory of the nodes they make. It lives only until its
// text or its tree is taken, and then its memory serves the next one.
type draft struct {
	ast.Query

	union        []*ast.Fragment
	controls     []*ast.Control
	fragments    slab.Of[fragmentCopy]
	chains       slab.Of[ast.Chain]
	steps        slab.Of[stepCopy]
	stepLists    slab.Of[*ast.Step]
	times        slab.Of[ast.Time]
	stars        slab.Of[ast.Any]
	types        slab.Of[ast.Type]
	depths       slab.Of[ast.Depth]
	regions      slab.Of[ast.Region]
	coordinates  slab.Of[oneCoordinate]
	groups       slab.Of[wrapped]
	tests        slab.Of[oneTest]
	filters      slab.Of[ast.Filter]
	props        slab.Of[ast.Prop]
	propLists    slab.Of[*ast.Prop]
	values       slab.Of[ast.Value]
	tags         slab.Of[ast.Tag]
	seg          segment
	sorted       []ast.Qualifier
	seenControls map[ast.Control]bool
	text         []byte
}

// fragmentCopy is a fragment with room for the one chain that most have.
type fragmentCopy struct {
	ast.Fragment
	chains [1]*ast.Chain
	first  ast.Chain
}

// stepCopy is a step with room for its qualifiers.
type stepCopy struct {
	ast.Step
	room [3]ast.Qualifier
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// copyQuery copies as much of a query as the passes change in place: everything down to the steps and their lists of
// qualifiers, but nothing inside a group.
func copyQuery(q *ast.Query) *draft {
	d := drafts.Get().(*draft)
	d.Query = *q
	d.Legacy = nil
	d.controls = append(d.controls[:0], q.Controls...)
	d.Controls = d.controls
	d.Union = d.union[:0]
	for _, from := range q.Union {
		f := d.fragments.New()
		f.Span = from.Span
		f.Chains = f.chains[:0]
		for i, chain := range from.Chains {
			made := &f.first
			if i > 0 {
				made = d.chains.New()
			}
			made.Span, made.Steps = chain.Span, d.copySteps(chain.Steps)
			f.Chains = append(f.Chains, made)
		}
		d.Union = append(d.Union, &f.Fragment)
	}
	d.union = d.Union
	return d
}

// copySteps copies steps and their lists of qualifiers, with room in each list for what passes insert.
func (d *draft) copySteps(steps []*ast.Step) []*ast.Step {
	list := d.stepLists.List(len(steps))
	for i, s := range steps {
		made := d.steps.New()
		made.Step = *s
		made.Qualifiers = append(made.room[:0], s.Qualifiers...)
		list[i] = &made.Step
	}
	return list
}

// rewrite runs the passes of a style.
func (d *draft) rewrite(s Style) {
	for i := range passes {
		if passes[i].in(s) {
			passes[i].fn(d)
		}
	}
}

// release gives the memory of the draft back, unless a huge query has made it huge.
func (d *draft) release() {
	if d.Span.Len() > 1<<12 || cap(d.text) > 1<<12 {
		return
	}
	d.Query = ast.Query{}
	clear(d.union)
	clear(d.controls)
	d.fragments.Reset()
	d.chains.Reset()
	d.steps.Reset()
	d.stepLists.Reset()
	d.times.Reset()
	d.stars.Reset()
	d.types.Reset()
	d.depths.Reset()
	d.regions.Reset()
	d.coordinates.Reset()
	d.groups.Reset()
	d.tests.Reset()
	d.filters.Reset()
	d.props.Reset()
	d.propLists.Reset()
	d.values.Reset()
	d.tags.Reset()
	clear(d.sorted[:cap(d.sorted)])
	d.seg.release()
	drafts.Put(d)
}
