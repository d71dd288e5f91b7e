package calls

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// Share is a part of what a call was sent: the calls or the results of one tool, the messages of
// one role, or the tools, as counted here; or the rest, which only the provider counted.
type Share struct {
	What   string `json:"what"`           // call, result, tools, a role, or rest
	Name   string `json:"name,omitempty"` // of the tool; of the rest, what it is as far as the log says
	Nodes  int    `json:"nodes"`
	Tokens int64  `json:"tokens"`
}

// shareOf returns the part that a block belongs to.
func shareOf(n engine.Node) Share {
	kind, _ := n.Kind()
	role, _ := n.Role()
	switch {
	case kind == "call" || kind == "result" || role == "tool":
		return Share{What: cmp.Or(kind, "result"), Name: ToolOf(n)}
	case role != "":
		return Share{What: role}
	}
	if region, _ := n.Region(); region == engine.RegionSys {
		return Share{What: "system"}
	}
	return Share{What: "user"}
}

// ToolOf returns the name of the tool of a call or a result, "" if it has none. A result without a
// name has that of its call.
func ToolOf(n engine.Node) string {
	if name, ok := n.Header("name").Text(); ok {
		return name
	}
	id, ok := n.Header("call_id").Text()
	if !ok {
		return ""
	}
	call, found := n.Snapshot().Find(id)
	if !found {
		return ""
	}
	name, _ := call.Header("name").Text()
	return name
}

// share adds entries to the shares, or with -1 subtracts them.
func (w *walk) share(list []entry, by int) {
	if !w.opts.Shares {
		return
	}
	for i := range list {
		x := &list[i]
		if x.part == (Share{}) {
			x.part = shareOf(x.node)
		}
		s := w.shares[x.part]
		if s == nil {
			s = &Share{What: x.part.What, Name: x.part.Name}
			w.shares[x.part] = s
		}
		s.Nodes += by
		s.Tokens += int64(by) * w.tokensOf(x)
	}
}

// sharesOf returns the shares of a call, the largest first.
func (w *walk) sharesOf(c *Call, tools int64) []Share {
	var out []Share
	for _, s := range w.shares {
		if s.Nodes > 0 {
			out = append(out, *s)
		}
	}
	if tools > 0 {
		out = append(out, Share{What: "tools", Tokens: tools})
	}
	if n := c.Tokens.In - c.Tokens.Counted.In; n > 0 {
		out = append(out, Share{What: "rest", Name: strings.Join(c.Missing, ", "), Tokens: n})
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name))
	})
	return out
}
