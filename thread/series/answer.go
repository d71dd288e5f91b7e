package series

import "slices"

// answer returns the parts of an answer to the latest call, or of what was recorded after it.
func (c *conversation) answer(list []*Message) []Item {
	if len(list) == 0 {
		return nil
	}
	return flatten(nil, list, c.request.Format)
}

// loses reports whether items, which follow those of the latest call, lack a text, a call or a
// result of its answer, or of what was recorded after that.
func (c *conversation) loses(rest []Item) bool {
	if c.answered || c.request == nil {
		return false
	}
	lacks := func(i Item) bool { return !i.Part.isOpaque() && !isIn(i, rest) }
	return len(c.request.Choices) > 0 || slices.ContainsFunc(c.answer(c.reply), lacks) || slices.ContainsFunc(c.answer(c.after), lacks)
}

// isFresh reports whether a part is of the latest answer, or of what was recorded after it.
func (c *conversation) isFresh(p *Part) bool {
	isIt := func(i Item) bool { return isSame(i.Part, p) }
	return slices.ContainsFunc(c.answer(c.reply), isIt) || slices.ContainsFunc(c.answer(c.after), isIt)
}

// isReplied reports whether items contain the answer to the latest call.
func (c *conversation) isReplied(rest []Item) bool {
	return slices.ContainsFunc(c.answer(c.reply), func(i Item) bool { return isIn(i, rest) })
}

// isIn reports whether a list of items contains a part of an answer. A client may write it
// differently than the provider did, so the same id, tool call or text is enough.
func isIn(reply Item, list []Item) bool {
	p := reply.Part
	text, whole, calls := p.text(), "", p.callKey()
	if reply.Index() > 0 || len(reply.Message().split(p.format)) > 1 {
		whole = reply.Message().text()
	}
	return slices.ContainsFunc(list, func(i Item) bool {
		q := i.Part
		if q.Role != p.Role {
			return false
		}
		if isEqual(p, q) || p.ID != "" && p.ID == q.ID || calls != "" && q.callKey() == calls {
			return true
		}
		return calls == "" && q.callKey() == "" && (text != "" && q.text() == text || whole != "" && i.Message().text() == whole)
	})
}
