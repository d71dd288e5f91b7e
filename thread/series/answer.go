package series

import (
	"slices"
	"strings"
)

// loses reports whether items, which follow those of the latest call, lack a text, a call or a
// result of its answer, or of what was recorded after that.
func (c *conversation) loses(rest []Item) bool {
	if c.answered || c.request == nil {
		return false
	}
	return len(c.request.Choices) > 0 || slices.ContainsFunc(c.answer(), func(i Item) bool { return i.isSaid() && !isIn(i, rest) })
}

// answer returns the parts of the latest answer, and of what was recorded after it.
func (c *conversation) answer() []Item {
	if c.request == nil {
		return nil
	}
	return flatten(flatten(nil, c.reply, c.request.Format), c.after, c.request.Format)
}

// isReplied reports whether items contain any of the answer to the latest call.
func (c *conversation) isReplied(rest []Item) bool {
	return c.request != nil && slices.ContainsFunc(flatten(nil, c.reply, c.request.Format), func(i Item) bool { return i.isSaid() && isIn(i, rest) })
}

// isFresh reports whether a part is of the latest answer, or of what was recorded after it.
func (c *conversation) isFresh(p *Part) bool {
	return slices.ContainsFunc(c.answer(), func(i Item) bool { return isSame(i.Part, p) })
}

// isSaid reports whether an item is a call, a result or a text that is not empty.
func (i Item) isSaid() bool {
	p := i.Part
	return !p.isOpaque() && (p.callKey() != "" || strings.TrimSpace(p.text()) != "")
}

// isIn reports whether a list of items contains a part. A client may write it differently than the
// provider did, so the same id, tool call or text is enough, or a longer text with it.
func isIn(item Item, list []Item) bool {
	p := item.Part
	text, whole, call := strings.TrimSpace(p.text()), "", p.callKey()
	if item.Index() > 0 || len(item.Message().split(p.format)) > 1 {
		whole = item.Message().text()
	}
	return slices.ContainsFunc(list, func(i Item) bool {
		q := i.Part
		if call != "" || q.callKey() != "" {
			return q.callKey() == call
		}
		if isEqual(p, q) || p.ID != "" && p.ID == q.ID && p.form.Kind == q.form.Kind {
			return true
		}
		return q.Role == p.Role && (strings.TrimSpace(q.text()) == text || containsText(q, text) || whole != "" && i.Message().text() == whole)
	})
}
