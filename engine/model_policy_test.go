package engine_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// mstep is a step of a policy, as the model and the engine need it.
type mstep struct {
	action string // show, summarize or drop
	least  int    // the nodes whose texts have at least this length
	to     int    // the length of the text that is shown, or of the summary
}

// keepsNode reports whether the policies of the model leave a node alone.
func keepsNode(priority, text string) bool { return priority == "2" && len(text)%4 == 1 }

// steps makes a policy of steps for the engine.
func withSteps(p engine.Policy, steps []mstep) *engine.Policy {
	find := func(t *engine.Timeline, test func(n engine.Node, text string) bool) (list []engine.Node, err error) {
		for n := range t.At(0).All() {
			text, _ := n.Content().Text()
			if _, below := n.Region(); below && test(n, text) {
				list = append(list, n)
			}
		}
		return list, nil
	}
	p.Keep = func(t *engine.Timeline) ([]engine.Node, error) {
		return find(t, func(n engine.Node, text string) bool { return keepsNode(n.Priority().String(), text) })
	}
	for i, st := range steps {
		step := engine.Step{Rule: fmt.Sprint(i), Select: func(t *engine.Timeline) ([]engine.Node, error) {
			return find(t, func(_ engine.Node, text string) bool { return len(text) >= st.least })
		}}
		switch st.action {
		case "show":
			step.Show = func(engine.Node, int, int) (string, bool) { return strings.Repeat("s", st.to), true }
		case "summarize":
			step.Summarize = func(list []engine.Node) (engine.Draft, error) {
				if len(list)%3 == 0 {
					return engine.Draft{}, errors.New("no summary")
				}
				return engine.Draft{Content: engine.Text(strings.Repeat("z", st.to))}, nil
			}
		}
		p.Steps = append(p.Steps, step)
	}
	return &p
}

// shown returns how many tokens of a node are rendered.
func (m *model) shown(n *mnode) int {
	t := n
	if id, ok := n.target(); ok {
		t = m.find(id)
	}
	for up := t; up != nil; up = up.up {
		for _, x := range m.markersOf(up) {
			if up != t || t == n || x.content == "" || compareAge(x, n) > 0 {
				return 0
			}
		}
	}
	if m.regionOf(t) == m.region(1) {
		for _, v := range m.versions(t) {
			if !v.isMarker() && compareAge(v, t) > 0 {
				return 0
			}
		}
	}
	return textTokens(n.content)
}

func textTokens(content string) int {
	text, ok := engineText(content)
	if !ok {
		text = content
	}
	return (len(text) + 3) / 4
}

// markersOf returns the markers of a node.
func (m *model) markersOf(n *mnode) (list []*mnode) {
	for _, x := range m.root.all() {
		if id, ok := x.target(); ok && id == n.id {
			list = append(list, x)
		}
	}
	return list
}

// total returns the tokens of the tree.
func (m *model) total() (sum int) {
	for _, n := range m.root.all() {
		if !n.isRegion() {
			sum += m.shown(n)
		}
	}
	return sum
}

// shrink runs the steps, one change after the other. by is what they must save. If they save less
// than the policy demands, it undoes everything.
func (m *model) shrink(by int) {
	if len(m.steps) == 0 {
		return
	}
	before := m.total()
	need := by
	if m.policy.Budget > 0 {
		need = max(need, before-m.policy.Budget)
	}
	if need <= 0 {
		return
	}
	if by == 0 {
		need = max(need, m.policy.MinGain)
	}
	run := &mrun{m: m.clone(), before: before, need: need, shown: map[string]string{}}
	for _, st := range m.steps {
		run.step(st)
	}
	if by == 0 && run.saved() < m.policy.MinGain {
		return
	}
	run.finish()
	*m = *run.m
}

// mrun is a run of the steps on a copy of the model.
type mrun struct {
	m            *model
	before, need int
	shown        map[string]string // texts in place of contents, by id
	order        []string          // of shown
	summaries    []msummary
}

// msummary is a summary that is not in the tree yet, and its place.
type msummary struct {
	content, parent string
	offset, ns      int64
}

// tokens returns what is rendered of a node.
func (r *mrun) tokens(n *mnode) int {
	if text, ok := r.shown[n.id]; ok {
		return textTokens(text)
	}
	sum := r.m.shown(n)
	for _, x := range r.m.markersOf(n) {
		sum += r.m.shown(x)
	}
	return sum
}

func (r *mrun) saved() int {
	now := 0
	for _, n := range r.m.root.all() {
		if !n.isRegion() && !n.isMarker() {
			now += r.tokens(n)
		}
	}
	for _, x := range r.summaries {
		now += textTokens(x.content)
	}
	return r.before - now
}

// selfOrAbove reports whether a test is true for a node or a node around it.
func selfOrAbove(n *mnode, test func(n *mnode, text string) bool) bool {
	for ; !n.isRegion(); n = n.up {
		if text, _ := engineText(n.content); test(n, text) {
			return true
		}
	}
	return false
}

// protects reports whether no step changes a node.
func (r *mrun) protects(n *mnode) bool {
	d := r.m.depth(n)
	return n.pinned || d > 0 && d <= r.m.policy.KeepSegments || r.m.keeps(n)
}

// keeps reports whether the policy leaves a node alone.
func (m *model) keeps(n *mnode) bool {
	return len(m.steps) > 0 && selfOrAbove(n, func(n *mnode, text string) bool { return keepsNode(fmt.Sprint(n.priority), text) })
}

func (r *mrun) step(st mstep) {
	var queue []*mnode
	for _, n := range r.m.root.all() {
		selected := selfOrAbove(n, func(_ *mnode, text string) bool { return len(text) >= st.least })
		if selected && n.base() == "block" && !n.isMarker() && !r.protects(n) && (st.action != "summarize" || r.m.regionOf(n) != r.m.region(0)) {
			queue = append(queue, n)
		}
	}
	slices.SortFunc(queue, func(a, b *mnode) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.ns, b.ns), cmp.Compare(a.id, b.id))
	})
	trial := *r
	trial.m, trial.shown = r.m.clone(), maps.Clone(r.shown)
	var gone []string
	for more := true; more; { // what stays because of a later node has another turn
		more = false
		for _, n := range queue {
			switch {
			case trial.saved() >= r.need:
			case st.action == "show":
				trial.show(n.id, st)
			default:
				trial.m.why = map[string]string{"drop": "pruned", "summarize": "compacted"}[st.action]
				ids := trial.drop(n.id)
				gone, more = append(gone, ids...), more || len(ids) > 0
			}
		}
	}
	if st.action == "summarize" && !trial.summarize(r, gone, st) {
		return
	}
	*r = trial
}

// show plans a text in place of a content.
func (r *mrun) show(id string, st mstep) {
	n := r.m.find(id)
	if text, _ := engineText(n.content); r.m.policy.Pair != nil {
		if _, begins := pairOf(text); begins {
			return
		}
	}
	foreign := slices.ContainsFunc(r.m.markersOf(n), func(x *mnode) bool { return x.kind != "cleared" })
	text := strings.Repeat("s", st.to)
	if foreign || r.m.regionOf(n) == r.m.region(0) || textTokens(strconv.Quote(text)) >= r.tokens(n) {
		return
	}
	r.order = append(slices.DeleteFunc(slices.Clone(r.order), func(x string) bool { return x == id }), id)
	r.shown[id] = strconv.Quote(text)
}

// drop removes a node with its pair, and returns the ids of the blocks.
func (r *mrun) drop(id string) (ids []string) {
	m := r.m
	n := m.find(id)
	if n == nil {
		return nil
	}
	var ups []*mnode
	gone := map[*mnode]bool{}
	list := []*mnode{n}
	for i := 0; i < len(list); i++ {
		for _, x := range append(m.versions(list[i]), m.together(list[i])...) {
			if !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	for _, x := range list {
		if r.protects(x) || !x.empty(nil) {
			return nil
		}
		if x.base() == "block" {
			ids = append(ids, x.id)
		}
		ups = append(ups, x.up)
		maps.Copy(gone, m.group(x))
	}
	if !m.tryRemoveAll(gone) {
		return nil
	}
	for x := range gone { // also those that no snapshot had
		m.causes[x.id] = m.why
		delete(r.shown, x.id)
	}
	for _, up := range ups {
		for m.find(up.id) == up && !up.isRegion() && up.removable && up.empty(nil) {
			next := up.up
			gone := m.group(up)
			if !m.tryRemoveAll(gone) {
				break
			}
			for x := range gone {
				m.causes[x.id] = m.why
			}
			up = next
		}
	}
	return ids
}

// summarize plans a summary of the nodes that are gone. It returns false without such nodes.
func (r *mrun) summarize(before *mrun, gone []string, st mstep) bool {
	if len(gone) == 0 || len(gone)%3 == 0 {
		return false
	}
	var newest *mnode
	for _, n := range before.m.root.all() {
		if slices.Contains(gone, n.id) {
			newest = n
		}
	}
	x := msummary{content: strconv.Quote(strings.Repeat("z", st.to)), parent: newest.up.id, offset: newest.offset}
	switch seq := before.m.region(1); {
	case before.m.inCore(newest):
		up := newest
		for up.up != seq {
			up = up.up
		}
		x.parent, x.offset = up.id, 1
	case before.m.regionOf(newest) == seq:
		x.offset = max(x.offset, 1)
	default:
		x.ns = newest.ns
	}
	r.summaries = append(slices.Clone(r.summaries), x)
	return r.saved() > before.saved()
}

// finish puts what is planned into the tree.
func (r *mrun) finish() {
	m := r.m
	m.removeStandIns(r.order)
	for _, id := range r.order {
		n := m.find(id)
		if n == nil {
			continue
		}
		var text string
		fmt.Sscanf(r.shown[id], "%q", &text)
		d := engine.Draft{Type: "redaction", Kind: "cleared", Refs: []string{id}, Content: engine.Text(text)}
		if m.regionOf(n) == m.region(1) {
			m.annotate(n, d)
		} else {
			x, _ := m.make(d, 1)
			m.hang(m.region(2), x)
		}
		m.causes[id] = "cleared"
	}
	for _, x := range r.summaries {
		up := m.find(x.parent)
		if up == nil {
			up, x.offset, x.ns = m.region(2), 1, 0
		}
		text, _ := engineText(x.content)
		typ := "summary"
		if m.edition == engine.Edition01 {
			typ = "cb:summary"
		}
		n, _ := m.make(engine.Draft{Type: typ, Role: "user", Content: engine.Text(text)}, x.offset)
		if x.ns != 0 && !slices.ContainsFunc(m.root.all(), func(y *mnode) bool { return y.cycle == m.cycle && y.ns == x.ns }) {
			n.ns, n.iso = x.ns, isoOf(x.ns)
		}
		m.hang(up, n)
	}
}

// removeStandIns removes what policies show in place of nodes.
func (m *model) removeStandIns(ids []string) {
	for _, x := range m.root.all() {
		if id, _ := x.target(); x.isMarker() && x.kind == "cleared" && slices.Contains(ids, id) && m.holds[x.id] == 0 && m.refsTo(x.id, nil) == 0 {
			m.unhang(x)
		}
	}
}
