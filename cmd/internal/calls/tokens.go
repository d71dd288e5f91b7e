package calls

import (
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// use switches to the vocabulary of a model.
func (w *walk) use(model string) {
	if w.opts.NoTokens {
		return
	}
	c := tokens.For(model).With(w.opts.Counts)
	if w.counter != nil && c.Encoding() == w.counter.Encoding() {
		w.counter = c // it may be exact or not
		return
	}
	w.rewind(0, w.order.list)
	w.share(w.order.list, -1)
	w.counter, w.order.summed = c, 0
	for i := range w.order.list {
		w.order.list[i].isCounted = false
	}
	w.share(w.order.list, 1)
}

// tokensOf counts the tokens of an entry, once. Only the stand-in of a redacted entry is sent.
func (w *walk) tokensOf(x *entry) int64 {
	if !x.isCounted && !w.opts.NoTokens {
		x.isCounted, x.tokens, x.media = true, 0, 0
		if n := x.sent(); !n.IsZero() {
			c := w.count(textKey{n.ID(), true, w.counter.Encoding()}, n.Content().String(), func() (int, int) { return w.counter.Node(n), tokens.Media(n) })
			x.tokens, x.media = c.n, c.media
		}
	}
	return int64(x.tokens)
}

// toolTokens is the number of tokens of the list of tools.
func (w *walk) toolTokens(list []setting) (n int64) {
	for _, s := range list {
		if isTools(s.name) && !w.opts.NoTokens {
			n += int64(w.count(textKey{s.name, false, w.counter.Encoding()}, s.value, func() (int, int) { return w.counter.Count(s.value), 0 }).n)
		}
	}
	return n
}

func (w *walk) count(key textKey, text string, count func() (n, media int)) counted {
	c, ok := w.counts[key]
	if !ok || c.text != text {
		c.text = text
		c.n, c.media = count()
		w.counts[key] = c
	}
	return c
}

// grade is the grade of counted texts.
func (w *walk) grade() Label {
	if w.opts.Counts.Sampled() {
		return Estimated
	}
	return Counted
}

// sum returns the tokens and the media of the first n blocks.
func (w *walk) sum(n int) (sum int64, media int) {
	o := &w.order
	for ; o.summed < n; o.summed++ {
		x := o.list[o.summed]
		if x.sum, x.allMedia = w.tokensOf(x), x.media; o.summed > 0 {
			last := o.list[o.summed-1]
			x.sum, x.allMedia = x.sum+last.sum, x.media+last.allMedia
		}
	}
	if n == 0 {
		return 0, 0
	}
	return o.list[n-1].sum, o.list[n-1].allMedia
}

// whole counts all texts of a call.
func (w *walk) whole(st *state) *Count {
	sum, media := w.sum(len(w.order.list))
	c := &Count{In: sum + w.toolTokens(st.settings), Label: Estimated, Encoding: w.counter.Encoding(), Media: media}
	if w.counter.Exact() && media == 0 {
		c.Label = Exact
	}
	return c
}

// difference counts the tokens and the media that entered since the previous call, and the tokens
// that left.
func (w *walk) difference(st *state) (entered, left int64, media int) {
	e := st.edit
	old := make(map[string]*entry, len(e.gone))
	for _, x := range e.gone {
		old[x.id] = x
	}
	for _, x := range e.made {
		if o := old[x.id]; o != nil && !e.changed[x.id] && o.isShownLike(x) {
			delete(old, x.id)
			continue
		}
		entered, media = entered+w.tokensOf(x), media+x.media
	}
	for _, x := range old {
		left += w.tokensOf(x)
	}
	if slices.ContainsFunc(st.changes, func(c settingChange) bool { return isTools(c.name) }) {
		entered, left = entered+w.toolTokens(st.settings), left+w.toolTokens(w.settings)
	}
	return entered, left, media
}

// rest is what the provider counted in addition to the texts of a call.
type rest struct {
	tokens  int64 // may be negative
	counted int64 // the tokens of the texts
	shown   int64 // tokens, if it is more than another vocabulary explains, or has a name
}

// unlike reports whether the provider's count is so far above ours that another vocabulary and what
// a provider puts around messages cannot be the reason.
func unlike(theirs, ours int64) bool { return theirs > ours+ours/2+1000 }

// measure takes the rest of a call whose input the log records.
func (w *walk) measure(c *Call, now *Count) {
	r := rest{tokens: c.Tokens.In - now.In, counted: now.In}
	if len(c.Missing) > 0 || now.Media > 0 || unlike(c.Tokens.In, now.In) {
		r.shown = max(r.tokens, 0)
	}
	if unlike(now.In, c.Tokens.In) {
		c.Tokens.Fewer = -r.tokens
	}
	if known, ok := w.rests[c.Model]; !ok || r.counted < known.counted {
		w.rests[c.Model] = r
	}
}

// fill finds the tokens of a call.
func (w *walk) fill(c *Call, info *engine.CommitInfo, st *state, causes map[string]engine.Cause) {
	t := &c.Tokens
	t.Label, t.OutLabel = Unknown, Unknown
	if u := usageOf(info); u != nil {
		if t.Iterations, t.Session = u.Iterations, u.Session; u.Input > 0 {
			t.In, t.Label = u.Input, Exact
			if !u.CacheUnknown {
				t.Cached, t.Written = new(u.CacheRead), new(u.CacheWrite)
			}
		}
		t.Out, t.OutLabel = new(u.Output), Exact
		if u.CacheWrite1h > 0 {
			t.Written1h = &u.CacheWrite1h
		}
		if u.Thoughts > 0 {
			t.Thoughts = &u.Thoughts
		}
	}
	if w.opts.NoTokens {
		return
	}
	before := w.before
	compacted := false
	for _, why := range causes {
		compacted = compacted || why.Cause == "compacted"
	}
	_, isMeasured := w.rests[c.Model]
	switch {
	case t.Label == Exact:
		if c.Side == nil && (!isMeasured || compacted) && len(t.Iterations) == 0 {
			t.Counted = w.whole(st)
			w.measure(c, t.Counted)
		}
		if c.Side == nil && len(t.Iterations) == 0 && before != nil && before.Tokens.Label == Exact && before.Tokens.Iterations == nil && before.Model == c.Model {
			t.Fewer = max(t.Fewer, w.fewer(before.Tokens.In-t.In, before.Tokens.In, st))
		}
	case before == nil || before.Tokens.Label == Counted:
		t.Counted = w.whole(st)
		t.In, t.Label = t.Counted.In, w.grade()
	default:
		entered, left, media := w.difference(st)
		if t.Media = media; before.Tokens.Label == Estimated {
			t.Media += before.Tokens.Media
		}
		if t.In, t.Label = max(before.Tokens.In+entered-left, 0), Estimated; 2*left > before.Tokens.In {
			t.Counted, t.Media = w.whole(st), 0
			if t.In, t.Label = t.Counted.In, w.grade(); c.Side == nil && isMeasured {
				t.In, t.Label = max(t.In+w.rests[c.Model].tokens, 0), Estimated
			}
		}
	}
	if c.Side == nil {
		t.Rest = w.rests[c.Model].shown
	}
	if w.opts.Shares {
		t.Counted = w.whole(st)
	}
}

// fewer returns by how many tokens an input shrank though that much did not leave, or 0. Texts are
// counted only if it shrank, and what left may be too little.
func (w *walk) fewer(shrank, before int64, st *state) int64 {
	if shrank <= max(500, before/50) {
		return 0
	}
	bytes := 0
	for _, x := range st.edit.gone {
		if !st.edit.placed[x.id] && (st.edit.removed[x.id] || st.edit.changed[x.id]) {
			bytes += len(x.node.Content().String())
		}
	}
	if int64(bytes) > 12*shrank {
		return 0
	}
	if _, left, _ := w.difference(st); shrank > 2*left+max(500, before/50) {
		return shrank - left
	}
	return 0
}

// usageOf returns what the log records about the tokens of a call, or nil.
func usageOf(info *engine.CommitInfo) *engine.Usage {
	if info.Call == nil || info.Call.Usage == nil || info.Call.Usage.Input == 0 && info.Call.Usage.Output == 0 {
		return nil
	}
	return info.Call.Usage
}

// answer adds the answer to the latest call of the conversation, which follows its messages in the
// next state. It is counted if the log does not record its tokens, or more text is there than these
// hold: then the count is of a part of the answer, as when it was streamed.
func (w *walk) answer(next *state) {
	c := w.before
	if c == nil || w.main != c.Snapshot || w.opts.NoTokens || next.same < w.sent {
		return
	}
	t := &c.Tokens
	count := func(counts func(engine.Node) bool) (n int64, found bool) {
		for i := w.sent; i < len(w.order.list); i++ {
			x := w.order.list[i]
			if role, _ := x.node.Role(); role != "assistant" {
				break
			}
			if kind, _ := x.node.Kind(); kind != "result" && counts(x.node) { // that is of a tool of the provider
				n, found = n+w.tokensOf(x), true
			}
		}
		return n, found
	}
	if t.Out == nil {
		if n, ok := count(func(engine.Node) bool { return true }); ok {
			t.Out, t.OutLabel = &n, w.grade()
			w.price(c)
		}
		return
	}
	bytes := int64(0)
	isText := func(n engine.Node) bool {
		text, ok := n.Content().Text()
		bytes += int64(len(text))
		return ok
	}
	const mostBytes = 6 // of a token, on average
	for i := w.sent; i < len(w.order.list) && bytes <= mostBytes**t.Out; i++ {
		if role, _ := w.order.list[i].node.Role(); role != "assistant" {
			break
		}
		isText(w.order.list[i].node)
	}
	if bytes <= mostBytes**t.Out {
		return
	}
	if n, _ := count(isText); n > *t.Out+*t.Out/4+2 {
		t.OutLabel = AtLeast
	}
}

// length is the length of the order before an edit.
func (w *walk) length(e *edit) int { return e.first + len(e.old) }
