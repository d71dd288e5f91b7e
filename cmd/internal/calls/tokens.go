package calls

import (
	"math"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
)

// use switches to the vocabulary of a model.
func (w *walk) use(model string) {
	if w.opts.NoTokens {
		return
	}
	if c := tokens.For(model); w.counter == nil || c.Encoding() != w.counter.Encoding() || c.Exact() != w.counter.Exact() {
		recount := w.counter != nil && c.Encoding() != w.counter.Encoding()
		w.counter = c
		if recount {
			w.recount()
		}
	}
}

// recount counts everything again with another vocabulary.
func (w *walk) recount() {
	w.share(w.order.list, -1)
	defer func() { w.share(w.order.list, 1) }()
	sum := int64(0)
	for i := range w.order.list {
		x := &w.order.list[i]
		if !x.redacted {
			x.tokens = w.countNode(x.node)
		}
		sum += int64(x.tokens)
		x.sum = sum
	}
	for i := range w.settings {
		if s := &w.settings[i]; isTools(s.name) {
			s.tokens = w.count(s.name, s.value)
		}
	}
}

// countNode counts the tokens of a node, unless it has done so before.
func (w *walk) countNode(n engine.Node) int {
	if w.opts.NoTokens {
		return 0
	}
	return w.counting(textKey{n.ID(), true}, n.Content().String(), func() int { return w.counter.Node(n) })
}

// mediaOf counts the images and the like in a node.
func (w *walk) mediaOf(n engine.Node) int {
	if w.opts.NoTokens {
		return 0
	}
	return tokens.Media(n)
}

// count counts the tokens of a text that is identified by a name, unless it has done so before.
func (w *walk) count(name, text string) int {
	if w.opts.NoTokens {
		return 0
	}
	return w.counting(textKey{name, false}, text, func() int { return w.counter.Count(text) })
}

func (w *walk) counting(key textKey, text string, count func() int) int {
	c, ok := w.counts[key]
	if !ok || c.text != text || c.encoding != w.counter.Encoding() {
		c = counted{text, w.counter.Encoding(), count()}
		w.counts[key] = c
	}
	return c.n
}

// sums returns the tokens and the messages of the first n blocks.
func (o *order) sums(n int) (tokens int64, messages int) {
	if n == 0 {
		return 0, 0
	}
	return o.list[n-1].sum, o.list[n-1].messages
}

// tokensOf counts the tokens of a call.
func (w *walk) tokensOf(info *engine.CommitInfo, st *state) Tokens {
	t := Tokens{Label: Estimate, Scale: 1}
	if !w.opts.NoTokens {
		sum, _ := w.order.sums(len(w.order.list))
		t.Counted = Count{In: sum + toolTokens(st.settings), Label: Estimate, Encoding: w.counter.Encoding()}
		if n := len(w.order.list); n > 0 {
			t.Counted.Media = w.order.list[n-1].allMedia
		}
		if w.counter.Exact() && t.Counted.Media == 0 {
			t.Counted.Label = Exact
		}
	}
	if scale := w.scales[w.model]; scale > 0 {
		t.Scale = scale
	}
	if u := usageOf(info); u != nil {
		t.In, t.Out, t.Cached, t.Written, t.Label = u.Input, new(u.Output), new(u.CacheRead), new(u.CacheWrite), Exact
		if t.Counted.In > 0 && t.In > 0 {
			t.Scale = math.Round(1e4*float64(t.In)/float64(t.Counted.In)) / 1e4
			w.scales[w.model] = t.Scale
		}
	} else {
		t.In = scaled(t.Counted.In, t.Scale)
	}
	t.Shares = w.sharesOf(st.settings, t.Scale)
	return t
}

// usageOf returns what the log records about the tokens of a call, or nil.
func usageOf(info *engine.CommitInfo) *engine.Usage {
	if info.Call == nil || info.Call.Usage == nil || *info.Call.Usage == (engine.Usage{}) {
		return nil
	}
	return info.Call.Usage
}

func scaled(n int64, scale float64) int64 { return int64(math.Round(float64(n) * scale)) }

// answer adds the answer to the latest call of the conversation, which follows its messages in the
// next state.
func (w *walk) answer(next *state) {
	c := w.before
	if c == nil || w.main != c.Snapshot || w.opts.NoTokens || next.edit.same < w.length(next.edit) {
		return
	}
	n, found := int64(0), false
	for i := next.edit.same; i < len(w.order.list); i++ {
		x := &w.order.list[i]
		if role, _ := x.node.Role(); role != "assistant" {
			break
		}
		n, found = n+int64(x.tokens), true
	}
	if !found {
		return
	}
	c.Tokens.Counted.Out = &n
	if c.Tokens.Out == nil {
		c.Tokens.Out = new(scaled(n, c.Tokens.Scale))
		w.price(c)
	}
}

// length is the length of the order before an edit.
func (w *walk) length(e *edit) int { return e.first + len(e.old) }
