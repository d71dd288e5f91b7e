package lsp

import (
	"context"
	"iter"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/lint"
)

// analysis is the result of analyzing a document in a snapshot: the positions of its selectors, and
// more once it is needed.
type analysis struct {
	doc      *document
	snapshot *snapshot
	config   *config.Config
	options  check.Options
	facts    *fixtures.Facts // nil if nothing is known
	File     host.File       // empty if the document is refused
	refused  bool            // its selectors would exceed the memory limit

	mu   sync.Mutex
	full *check.Result // see result

	wordsMu sync.Mutex
	used    map[lint.WordKind]map[string]int // see words
}

// memory has the data that successive versions of a document share.
type memory struct {
	mu       sync.Mutex
	snapshot int64 // number of the snapshot that memo and steps belong to
	memo     *check.Memo
	steps    map[string][]emptyStep // by the text of a selector
	words    map[string][]namedWord // likewise, in any snapshot
	needs    int                    // bytes, about, that the selectors take

	pushed   int64              // the serial number of the version whose findings are being pushed
	stopPush context.CancelFunc // cancels that push; nil before the first one
}

// replacePush cancels the push of the previous version, if it is still running, because its
// findings are no longer needed. A version that is older than the one being pushed is not pushed.
func (m *memory) replacePush(serial int64, stop context.CancelFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if serial < m.pushed {
		stop()
		return
	}
	if m.stopPush != nil {
		m.stopPush()
	}
	m.pushed, m.stopPush = serial, stop
}

// maxTexts bounds the number of selectors in each map of a memory.
const maxTexts = 10_000

// of returns the memo of a document for a snapshot.
func (m *memory) of(sn *snapshot) *check.Memo {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.memo == nil || m.snapshot != sn.number {
		m.memo, m.snapshot, m.steps = &check.Memo{}, sn.number, map[string][]emptyStep{}
	}
	return m.memo
}

// Selectors take about so many bytes of memory for each region, and for each byte of its text. For
// fewer bytes than small there is always room, whatever fixtures take.
const (
	perRegion = 1 << 10
	perByte   = 32
	small     = 1 << 20
)

// find finds the selectors of a document, and reports whether they fit within the memory limit.
func (d *document) find(o check.Options) (host.File, bool) {
	if d.needs > 0 && !d.memory.room(d.needs) {
		return host.File{}, false // they take memory to find, too
	}
	f := o.Find(d.host, d.src)
	d.needs = 0
	for i := range f.Regions {
		d.needs += perRegion + perByte*len(f.Regions[i].Text)
	}
	if !d.memory.room(d.needs) {
		return host.File{}, false
	}
	return f, true
}

// room reports whether selectors that need so many bytes fit within the memory limit. The memory of
// those of an earlier version can be freed.
func (m *memory) room(needs int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if more := needs - m.needs; needs > small && more > 0 && !budget.Fits(more) {
		m.memo, m.needs = nil, 0 // the memo has the selectors
		return false
	}
	m.needs = needs
	return true
}

// analyze finds the selectors of a document, once for each snapshot. If they do not fit within the
// memory limit, the next call tries again.
func (d *document) analyze(ctx context.Context, sn *snapshot) *analysis {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.analyzed != nil && d.analyzed.snapshot.number >= sn.number {
		return d.analyzed
	}
	a := sn.analyze(ctx, d)
	if ctx.Err() == nil && !a.refused { // otherwise a fixture may be missing
		d.analyzed = a
	}
	return a
}

func (sn *snapshot) analyze(ctx context.Context, d *document) *analysis {
	a := &analysis{doc: d, snapshot: sn}
	a.config, _ = sn.configOf(d.path)
	a.facts = sn.facts.Of(ctx, sn.fixturePaths(a.config), a.config.Known())
	a.options = check.Options{
		Markers: a.config.Markers(), Level: levels(a.config),
		Format: format.Options{Edition: a.config.Edition()}, Rules: a.config.Rules(), Open: a.config.OpenWords(),
	}
	if a.facts != nil {
		a.options.Facts = a.facts
	}
	a.options.Format.Style = check.Style(a.config.Style(), d.host)
	if memo := d.memory.of(sn); d.open {
		a.options.Memo = memo
	}
	if d.host != nil {
		var ok bool
		a.File, ok = d.find(a.options)
		a.refused = !ok
	}
	return a
}

// result is the result of checking the whole document. A result that is incomplete because its
// request was canceled is not kept.
func (a *analysis) result(ctx context.Context) *check.Result {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.full != nil {
		return a.full
	}
	if a.refused {
		return &check.Result{}
	}
	r := check.File(ctx, a.doc.host, a.doc.src, a.options)
	if ctx.Err() == nil {
		a.full = &r
		if a.options.Memo != nil {
			a.options.Memo.Forget(&r)
		}
	}
	return &r
}

// empty reports whether a document has no selector and no finding in a snapshot.
func (d *document) empty(sn *snapshot) bool {
	d.mu.Lock()
	a := d.analyzed
	d.mu.Unlock()
	if a == nil || a.snapshot != sn || len(a.File.Regions) > 0 {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.full != nil && len(a.full.Selectors)+len(a.full.Findings) == 0
}

// selectors yields the selectors that touch a part of the document, in order. In an open document
// it checks only the regions of that part.
func (a *analysis) selectors(ctx context.Context, part ast.Span) iter.Seq[*check.Selector] {
	return func(yield func(*check.Selector) bool) {
		in := func(list []check.Selector) bool {
			for i := range list {
				if touches(list[i].Span, part) && !yield(&list[i]) {
					return false
				}
			}
			return true
		}
		if !a.doc.open {
			in(a.result(ctx).Selectors)
			return
		}
		for i := range a.File.Regions {
			if touches(a.File.Regions[i].Span, part) && !in(a.options.Selectors(ctx, &a.File, i)) {
				return
			}
		}
	}
}

// all yields all selectors of the document.
func (a *analysis) all(ctx context.Context) iter.Seq[*check.Selector] {
	return a.selectors(ctx, ast.Span{Start: 0, End: len(a.doc.src)})
}

// hasError reports whether a part of the document lies in a selector with an error.
func (a *analysis) hasError(ctx context.Context, at ast.Span) bool {
	for s := range a.selectors(ctx, at) {
		if s.Bad && s.Contains(at) {
			return true
		}
	}
	return false
}

// selectorAt finds the selector that contains or touches an offset of the document.
func (a *analysis) selectorAt(ctx context.Context, offset int) *check.Selector {
	for s := range a.selectors(ctx, ast.Span{Start: offset, End: offset}) {
		return s
	}
	return nil
}

// doubtful reports whether nothing proves that a string is a selector of PACT. Such a string is
// checked but never edited, and lists of selectors omit it.
func (a *analysis) doubtful(sel *check.Selector) bool {
	return a.region(sel).Grade() == host.Unproven
}

// prepare compiles a selector. If it has an error, the plan is nil.
func (a *analysis) prepare(sel *check.Selector) (*eval.Plan, []diag.Diagnostic) {
	read := compiled.Select
	if a.region(sel).Form == host.Target {
		read = compiled.Target
	}
	q, found := read(sel.Text, a.options.Format.Edition)
	if q == nil {
		return nil, found
	}
	return q.Plan, nil
}

// plan returns the plan of a selector, or nil if it has an error.
func (a *analysis) plan(sel *check.Selector) *eval.Plan {
	plan, _ := a.prepare(sel)
	return plan
}

// region returns the region that contains a selector.
func (a *analysis) region(sel *check.Selector) *host.Region { return &a.File.Regions[sel.Region] }

// levels returns the level of each rule in a configuration as a table, because it is used for every
// rule and selector.
func levels(cfg *config.Config) func(*lint.Rule) lint.Level {
	known := map[*lint.Rule]lint.Level{}
	for r := range lint.Rules(cfg.Rules()...) {
		known[r] = cfg.Level(r)
	}
	return func(r *lint.Rule) lint.Level { return known[r] }
}
