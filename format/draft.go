package format

import (
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/slab"
)

// A draft is a copy of a query for the passes to rewrite, with memory for the nodes they make. The
// memory is reused once the text or the tree of the draft has been taken. A draft has a field for
// each kind of node.
type draft struct {
	ast.Query
	tail ast.Tail

	fragments    slab.Scratch[ast.Fragment]
	chains       slab.Scratch[ast.Chain]
	steps        slab.Scratch[ast.Step]
	qualifiers   slab.Scratch[ast.Qualifier]
	controls     slab.Scratch[ast.Control]
	times        slab.Scratch[ast.Time]
	stars        slab.Scratch[ast.Any]
	types        slab.Scratch[ast.Type]
	depths       slab.Scratch[ast.Depth]
	regions      slab.Scratch[ast.Region]
	coordinates  slab.Scratch[oneCoordinate]
	groups       slab.Scratch[wrapped]
	tests        slab.Scratch[oneTest]
	filters      slab.Scratch[ast.Filter]
	props        slab.Scratch[ast.Prop]
	values       slab.Scratch[ast.Value]
	tags         slab.Scratch[ast.Tag]
	seg          segment
	flat         []ast.Step
	sorted       []ast.Qualifier
	seenControls map[ast.Control]bool
	text         []byte
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// copyQuery copies as much of a query as the passes change in place: everything down to the steps
// and their lists of qualifiers, except what is inside a group.
func copyQuery(q *ast.Query) *draft {
	d := drafts.Get().(*draft)
	d.Query = *q
	if q.Tail != nil {
		d.tail = ast.Tail{Controls: d.controls.Copy(q.Tail.Controls), Optional: q.Tail.Optional}
		d.Tail = &d.tail
	}
	d.Union = d.fragments.Copy(q.Union)
	for i := range d.Union {
		f := &d.Union[i]
		f.Chains = d.chains.Copy(f.Chains)
		for k := range f.Chains {
			f.Chains[k].Steps = d.copySteps(f.Chains[k].Steps)
		}
	}
	return d
}

// copySteps copies steps and their lists of qualifiers.
func (d *draft) copySteps(from []ast.Step) []ast.Step {
	steps := d.steps.Copy(from)
	for i := range steps {
		steps[i].Qualifiers = d.join(steps[i].Qualifiers, nil)
	}
	return steps
}

// join concatenates two lists of qualifiers, with room for the one that the pass "expand" inserts.
func (d *draft) join(a, b []ast.Qualifier) []ast.Qualifier {
	list := d.qualifiers.Room(len(a) + len(b) + 1)
	return append(append(list, a...), b...)
}

// rewrite runs the passes of a style.
func (d *draft) rewrite(s Style) {
	for i := range passes {
		if passes[i].in(s) {
			passes[i].fn(d)
		}
	}
}

// release returns the draft to the pool, unless a huge query has made it huge. Its memory refers to
// nodes and texts of this query until it is used again.
func (d *draft) release() {
	if d.Bounds().Len() > 1<<12 || cap(d.text) > 1<<12 {
		return
	}
	d.Query, d.tail = ast.Query{}, ast.Tail{}
	d.fragments.Reset()
	d.chains.Reset()
	d.steps.Reset()
	d.qualifiers.Reset()
	d.controls.Reset()
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
	d.values.Reset()
	d.tags.Reset()
	drafts.Put(d)
}
