package calls

import (
	"cmp"
	"fmt"
	"slices"
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

// wantsShares reports whether the shares of a state were requested.
func (w *walk) wantsShares(s *engine.Snapshot) bool {
	return w.opts.Shares && !w.opts.NoTokens && (w.opts.SharesOf == nil || w.opts.SharesOf == s)
}

// sharesOf returns the shares of a call, the largest first. The cost depends on the tools, and on
// how far the cache of the provider reaches into what was sent, compared with the call before.
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
		addShare(&out, &t.amount, b.take(t.tokens))
	}
	w.seek(b)
	for _, g := range w.groups {
		for _, s := range g.largest(cmp.Or(w.opts.Files, defaultFiles)) {
			addShare(&out, &s, b.costOf(&s))
		}
	}
	if rest != 0 {
		addShare(&out, &amount{part: part{what: "rest"}, tokens: rest}, restCost)
	}
	if whole != rest {
		addShare(&out, &amount{part: part{what: "vocabulary"}, tokens: whole - rest}, otherCost)
	}
	if at := slices.IndexFunc(out, func(x Share) bool { return x.What == "rest" }); at >= 0 {
		out[at].Name = w.restName(c)
	}
	finish(out, grade, b != nil)
	return out
}

// restName describes the part of a call that only the provider counted.
func (w *walk) restName(c *Call) string {
	names := slices.Clone(c.Missing)
	if c.Tokens.Counted.Media > 0 {
		names = append(names, "images, sounds and files")
	}
	for _, g := range w.groups {
		if g.what == "thinking" && g.nodes > 0 && g.tokens == 0 {
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

// addShare adds a part to a tree of shares. Groups come in their order, except tools, of which
// there are few.
func addShare(list *[]Share, s *amount, cost float64) {
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
		*one.Cost += cost
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
