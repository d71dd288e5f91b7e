package calls

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// Share is a part of the input of a call, with the parts it consists of. The shares of a call add
// up to its input, and those of a share to that share.
type Share struct {
	// What is system, tools, user, assistant or another role, call, result, thinking, reminder,
	// image, audio, document or summary; rest for what only the provider counted; vocabulary for
	// how many tokens more it counted in the texts, or fewer. Inside these it is server, tool,
	// file, text, or others for the smaller files of a tool that has very many.
	What string `json:"what"`
	// Name is that of the server, tool, file or text. For rest it says what the log lacks.
	Name   string   `json:"name,omitempty"`
	Nodes  int      `json:"nodes"`
	Tokens int64    `json:"tokens"`
	Label  Label    `json:"label"`
	Cost   *float64 `json:"cost,omitempty"`   // of the tokens as the provider billed them; nil if unknown
	Shares []Share  `json:"shares,omitempty"` // the largest first
}

// defaultFiles bounds the shares of a call, which would otherwise grow with the session.
const defaultFiles = 200

// Title returns the name of a share in words.
func (s *Share) Title() string {
	switch {
	case s.What == "rest" && s.Name == "":
		return "not explained"
	case s.What == "rest":
		return "not in this log, or not counted: " + s.Name
	case s.What == "vocabulary":
		return "counted otherwise by the provider"
	case s.What == "server":
		return "MCP server " + s.Name
	}
	return cmp.Or(s.Name, titles[s.What], s.What)
}

// titles are the names of shares of several nodes.
var titles = map[string]string{
	"call": "calls", "result": "results", "reminder": "reminders", "image": "images", "document": "documents", "summary": "summaries",
}

// part is what a block belongs to.
type part struct{ what, server, tool, name string }

// compare orders parts. Parts of the same tool, server and kind are adjacent.
func (p part) compare(q part) int {
	return cmp.Or(cmp.Compare(p.what, q.what), cmp.Compare(p.server, q.server), cmp.Compare(p.tool, q.tool), cmp.Compare(p.name, q.name))
}

// amount is the size of a part of a call.
type amount struct {
	part
	group  *part // one for all parts that differ in their names
	nodes  int
	tokens int64
	media  int
	cost   float64
	others int // the number of files, if it is the sum of the smaller ones
}

// notText has the parts for kinds of blocks that have their own.
var notText = map[string]string{
	"thinking": "thinking", "redacted_thinking": "thinking", "reasoning": "thinking", "summary": "summary",
	"image": "image", "audio": "audio", "document": "document",
}

// partOf returns the part that a block belongs to.
func partOf(n engine.Node) part {
	kind, _ := n.Kind()
	role, _ := n.Role()
	if kind == "call" || kind == "result" || role == "tool" {
		call := callOf(n)
		p := part{what: cmp.Or(kind, "result"), name: pathOf(call)}
		p.server, p.tool = Server(ToolOf(n))
		return p
	}
	if what := notText[kind]; what != "" {
		return part{what: what}
	}
	if role != "assistant" {
		text, _ := n.Content().Text()
		if name := reminder(text); name != "" {
			return part{what: "reminder", name: name}
		}
	}
	if region, _ := n.Region(); role == "" && region == engine.RegionSys {
		role = "system"
	}
	return part{what: cmp.Or(role, "user")}
}

// Server returns the MCP server and the name of a tool. For a tool of the client, server is "".
func Server(tool string) (server, name string) {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if server, name, ok := strings.Cut(rest, "__"); ok {
			return server, name
		}
	}
	return "", tool
}

// reminder returns the name of a text that a client adds to what a person writes: the tag around it
// or, for a reminder of Claude Code, its heading or its file. It returns "" for other texts.
func reminder(text string) string {
	if strings.HasPrefix(text, "# AGENTS.md instructions") {
		return "AGENTS.md"
	}
	if !strings.HasPrefix(text, "<") {
		return ""
	}
	tag, _, ok := strings.Cut(text[1:min(len(text), 60)], ">")
	if !ok || !reminders[tag] {
		return ""
	}
	if tag != "system-reminder" {
		return tag
	}
	rest := text[len(tag)+2 : min(len(text), 2000)]
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(line, "Contents of "); ok {
			return strings.TrimSuffix(path, ":")
		}
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return heading
		}
	}
	return tag
}

// reminders are the tags of texts that clients add.
var reminders = map[string]bool{
	"system-reminder": true, "environment_context": true, "user_instructions": true, "permissions instructions": true,
	"collaboration_mode": true, "skills_instructions": true, "apps_instructions": true, "plugins_instructions": true, "INSTRUCTIONS": true,
	"ide_selection": true, "ide_opened_file": true, "environment_details": true, "task-notification": true, "session_context": true,
}

// ToolOf returns the name of the tool of a call or a result, or "" if it is unknown. For a result
// without a name it returns that of its call.
func ToolOf(n engine.Node) string {
	if name, ok := n.Header("name").Text(); ok {
		return name
	}
	name, _ := callOf(n).Header("name").Text()
	return name
}

// callOf returns the call of a result, or the node itself if the call is not in the snapshot.
func callOf(n engine.Node) engine.Node {
	if id, ok := n.Header("call_id").Text(); ok {
		if call, found := n.Snapshot().Find(id); found {
			return call
		}
	}
	return n
}

// paths are the arguments of tools that name a file.
var paths = [...]string{
	"file_path", "path", "filePath", "filename", "notebook_path", "absolute_path", "AbsolutePath", "target_file", "relative_path", "file",
}

// pathOf returns the file that the arguments of a call name, or "".
func pathOf(call engine.Node) string {
	for _, name := range paths {
		if path, ok := call.Header("arg_" + name).Text(); ok {
			return path
		}
	}
	return ""
}

// share adds entries to the shares, or with -1 subtracts them.
func (w *walk) share(list []*entry, by int) {
	if !w.opts.Shares {
		return
	}
	for _, x := range list {
		if x.share == nil {
			x.share = w.amountOf(partOf(x.node))
		}
		s := x.share
		s.nodes += by
		s.tokens += int64(by) * w.tokensOf(x)
		s.media += by * x.media
	}
}

// amountOf returns the amount of a part.
func (w *walk) amountOf(p part) *amount {
	s := w.shares[p]
	if s == nil {
		s = &amount{part: p}
		w.shares[p] = s
		at, _ := slices.BinarySearchFunc(w.parts, p, func(s *amount, p part) int { return s.compare(p) })
		s.group = &part{what: p.what, server: p.server, tool: p.tool}
		for _, near := range w.parts[max(at-1, 0):min(at+1, len(w.parts))] {
			if *near.group == *s.group {
				s.group = near.group
			}
		}
		w.parts = slices.Insert(w.parts, at, s)
	}
	return s
}

// wantsShares reports whether the shares of a state were requested.
func (w *walk) wantsShares(s *engine.Snapshot) bool {
	return w.opts.Shares && !w.opts.NoTokens && (w.opts.SharesOf == nil || w.opts.SharesOf == s)
}

// sharesOf returns the shares of a call, the largest first. The cost depends on all blocks of the
// call if the price of its model is known.
func (w *walk) sharesOf(c *Call, st *state) []Share {
	var out []Share
	grade := w.grade()
	if c.Tokens.Counted.Label != Exact && !w.counter.Exact() {
		grade = Estimated
	}
	b := w.bill(c)
	whole := c.Tokens.In - c.Tokens.Counted.In
	rest := whole
	if known, ok := w.rests[cmp.Or(c.Model, w.model)]; ok { // what is more is another vocabulary's
		rest = max(min(whole, known.tokens), 0)
	}
	restCost, otherCost := b.take(rest), b.take(max(whole-rest, 0)) // these come before all messages
	for _, t := range w.toolShares(st.settings) {
		t.cost = b.take(t.tokens)
		addShare(&out, &t.amount)
	}
	if b != nil {
		for _, s := range w.parts {
			s.cost = 0
		}
		for _, x := range w.order.list {
			x.share.cost += b.take(w.tokensOf(x))
		}
	}
	for rest := w.parts; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(s *amount) bool { return s.group != rest[0].group })
		if end < 0 {
			end = len(rest)
		}
		for _, s := range largest(rest[:end], cmp.Or(w.opts.Files, defaultFiles)) {
			addShare(&out, s)
		}
		rest = rest[end:]
	}
	for _, s := range []amount{{part: part{what: "rest"}, tokens: rest, cost: restCost}, {part: part{what: "vocabulary"}, tokens: whole - rest, cost: otherCost}} {
		if s.tokens != 0 {
			addShare(&out, &s)
		}
	}
	if at := slices.IndexFunc(out, func(x Share) bool { return x.What == "rest" }); at >= 0 {
		out[at].Name = w.restName(c)
	}
	finish(out, grade, b != nil)
	return out
}

// largest returns the amounts that are not zero, in their order. It keeps the largest most of them,
// and adds up the others as the last amount.
func largest(list []*amount, most int) []*amount {
	var out []*amount
	for _, s := range list {
		if s.nodes > 0 {
			out = append(out, s)
		}
	}
	if len(out) <= most {
		return out
	}
	sizes := make([]int64, 0, most+1) // the largest sizes, in descending order
	for _, s := range out {
		if len(sizes) == most && s.tokens <= sizes[most-1] {
			continue
		}
		at, _ := slices.BinarySearchFunc(sizes, s.tokens, func(a, b int64) int { return cmp.Compare(b, a) })
		if sizes = slices.Insert(sizes, at, s.tokens); len(sizes) > most {
			sizes = sizes[:most]
		}
	}
	least := sizes[most-1]
	equal := most - sort.Search(most, func(i int) bool { return sizes[i] <= least }) // how many amounts of the least size have a share
	others := &amount{part: *out[0].group}
	kept := out[:0]
	for _, s := range out {
		if s.tokens == least {
			equal--
		}
		if s.tokens > least || s.tokens == least && equal >= 0 {
			kept = append(kept, s)
			continue
		}
		others.nodes, others.tokens, others.media, others.cost, others.others = others.nodes+s.nodes, others.tokens+s.tokens, others.media+s.media, others.cost+s.cost, others.others+1
	}
	return append(kept, others)
}

// restName describes the part of a call that only the provider counted.
func (w *walk) restName(c *Call) string {
	names := slices.Clone(c.Missing)
	if c.Tokens.Counted.Media > 0 {
		names = append(names, "images, sounds and files")
	}
	for p, s := range w.shares {
		if p.what == "thinking" && s.nodes > 0 && s.tokens == 0 {
			names = append(names, "encrypted thinking")
		}
	}
	return strings.Join(names, ", ")
}

// sized is a tool in the list of tools.
type sized struct {
	text string
	amount
}

// addShare adds a part to a tree of shares. Parts come in their order, except tools, which are few.
func addShare(list *[]Share, s *amount) {
	path := [...]Share{{What: s.what}, {}, {}, {}}
	n := 1
	add := func(what, name string) {
		if name != "" {
			path[n] = Share{What: what, Name: name}
			n++
		}
	}
	add("server", s.server)
	add("tool", s.tool)
	switch {
	case s.others > 0:
		add("others", fmt.Sprintf("%d others", s.others))
	case s.what == "call" || s.what == "result":
		add("file", s.name)
	default:
		add("text", s.name)
	}
	for _, x := range path[:n] {
		at := len(*list) - 1
		if s.what == "tools" {
			at = slices.IndexFunc(*list, func(y Share) bool { return x.What == y.What && x.Name == y.Name })
		}
		if at < 0 || (*list)[at].What != x.What || (*list)[at].Name != x.Name {
			at = len(*list)
			*list = append(*list, Share{What: x.What, Name: x.Name, Cost: new(float64)})
		}
		one := &(*list)[at]
		one.Nodes, one.Tokens = one.Nodes+s.nodes, one.Tokens+s.tokens
		*one.Cost += s.cost
		if s.media > 0 {
			one.Label = AtLeast
		}
		list = &one.Shares
	}
}

// finish sorts shares, grades them and rounds their costs.
func finish(list []Share, grade Label, isPriced bool) {
	for i := range list {
		s := &list[i]
		s.Label = cmp.Or(s.Label, grade)
		if *s.Cost = million(*s.Cost); !isPriced {
			s.Cost = nil
		}
		finish(s.Shares, grade, isPriced)
	}
	sortShares(list)
}

func sortShares(list []Share) {
	slices.SortFunc(list, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name))
	})
}

// SumShares adds the shares of a call to those of the calls before it, and returns the sum, the
// largest first. Nodes are not summed, because calls have the same ones. A cost is unknown if it is
// unknown in any call.
func SumShares(sum, more []Share) []Share {
	for _, s := range more {
		at := slices.IndexFunc(sum, func(x Share) bool { return x.What == s.What && x.Name == s.Name })
		if at < 0 {
			at = len(sum)
			sum = append(sum, Share{What: s.What, Name: s.Name, Cost: new(float64)})
		}
		x := &sum[at]
		x.Tokens, x.Label = x.Tokens+s.Tokens, Worse(x.Label, s.Label)
		if s.Cost == nil || x.Cost == nil {
			x.Cost = nil
		} else {
			x.Cost = new(million((*x.Cost + *s.Cost) * 1e6))
		}
		x.Shares = SumShares(x.Shares, s.Shares)
	}
	sortShares(sum)
	return sum
}
