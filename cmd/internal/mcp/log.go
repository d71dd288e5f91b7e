package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
)

var logTool = tool{
	name: "log", title: "List model calls",
	doc: `List the model calls of a session: tokens, which nodes entered (added) and left, why (cause; inferred if the log does not say so), and what broke the prompt cache.
Without a path, or for a folder or file with several sessions: list the sessions, each with the path to ask about.`,
	output: `{"type":"object","properties":{
"calls":{"type":"array","description":"As a line of pactkit log --json each; one with event is a state that no call was sent.","items":{"type":"object"}},
"sessions":{"type":"array","items":{"type":"object"}},
` + moreSchema,
}

// logInput are the arguments of log.
type logInput struct {
	Path  string `json:"path,omitempty" jsonschema:"a file (log or history), FILE#NAME for one session of a file, FILE+ for a file with those that belong to it, or a folder; empty for everything"`
	After int64  `json:"after,omitempty" jsonschema:"only calls after this cycle; for a list of sessions, how many to skip"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many calls or sessions at most (default 20)"`
	Stat  bool   `json:"stat,omitempty" jsonschema:"add how many tokens are of each role and tool"`
	logInputs
}

// defaultLimit is the length of a list unless the client says otherwise.
const defaultLimit = 20

func limitOf(n int) int {
	if n <= 0 {
		return defaultLimit
	}
	return n
}

func (s *Server) log(ctx context.Context, in logInput) (*page, error) {
	var only sessions.Session
	var list *page
	count := 0
	for x, err := range s.open(ctx, in.Path, in.logInputs) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if count++; count == 1 && err == nil {
			only = x
			continue
		}
		if count == 1 && isFile(in.Path) {
			return nil, err
		}
		if list == nil {
			list = &page{list: "sessions"}
			if count == 2 && only.Timeline != nil {
				list.session(ctx, only, nil, 1, in)
				only = sessions.Session{} // one timeline is in memory at a time
			}
		}
		if !list.session(ctx, x, err, count, in) {
			break
		}
	}
	switch {
	case list != nil:
		return list, nil
	case count == 0:
		return nil, &failure.Failure{Code: engine.ErrFileShape, Message: "there is no history and no log of a known kind"}
	case in.Path == "": // the client does not know the sessions yet
		list = &page{list: "sessions"}
		list.session(ctx, only, nil, 1, in)
		return list, nil
	}
	return s.callsPage(ctx, only, in)
}

// isFile reports whether a path was given; then its first error is the error of the call.
func isFile(path string) bool { return path != "" && path != "." }

// summary is a session in a list.
type summary struct {
	Path  string `json:"path"` // to ask about
	Kind  string `json:"kind,omitempty"`
	Title string `json:"title,omitempty"`
	Calls int    `json:"calls"`
	First string `json:"first,omitempty"` // time of the first call
	Model string `json:"model,omitempty"`
	Left  int    `json:"left"` // how many nodes left
	Fork  string `json:"fork,omitempty"`
	Error string `json:"error,omitempty"`
}

// maxText is how many characters of a title or an error a list shows.
const maxText = 200

// session adds a session to a list, or the error of a file. It returns false if the list is full.
func (p *page) session(ctx context.Context, x sessions.Session, err error, number int, in logInput) bool {
	if int64(number) <= in.After {
		return true
	}
	sum := summary{Path: x.Address(), Kind: string(x.Kind)}
	sum.Title, _ = cut(x.Title, maxText)
	if err != nil {
		sum.Error, _ = cut(failureOf(err).Message, maxText)
	} else {
		sum.Fork = calls.ForkText(x.Timeline, store.Redacted)
		for c, err := range calls.Of(ctx, x.Timeline, calls.Options{NoTokens: true}) {
			if err != nil {
				return false
			}
			if sum.Calls++; sum.Calls == 1 {
				sum.First, sum.Model = c.Time, c.Model
			}
			sum.Left += len(c.Left)
		}
	}
	if p.add(canonjson.EncodeLine(sum), limitOf(in.Limit)) {
		return true
	}
	p.note(fmt.Sprintf("there are more sessions: ask again with after = %d", number-1))
	return false
}

// callsPage lists the calls of a session. The calls after the last one on the page are only
// counted, without their tokens.
func (s *Server) callsPage(ctx context.Context, x sessions.Session, in logInput) (*page, error) {
	p := &page{list: "calls"}
	if text := calls.ForkText(x.Timeline, store.Redacted); text != "" && in.After == 0 {
		p.note(text)
	}
	last, isFull := in.After, false
	for c, err := range calls.Of(ctx, x.Timeline, calls.Options{History: x.Address(), Prices: s.Prices, Windows: s.Windows, Shares: in.Stat, Cache: true, States: true}) {
		if err != nil {
			return nil, err
		}
		if c.Cycle <= in.After {
			continue
		}
		short := shorten(c)
		if isFull = !p.add(c.AppendJSON(nil), limitOf(in.Limit)); isFull {
			break
		}
		last = c.Cycle
		if short != "" {
			p.note(short)
		}
	}
	if !isFull && p.count > 0 {
		return p, nil
	}
	total, left := 0, 0
	for c, err := range calls.Of(ctx, x.Timeline, calls.Options{NoTokens: true, States: true}) {
		if err != nil {
			return nil, err
		}
		if total++; c.Cycle > last {
			left++
		}
	}
	switch {
	case total == 0:
		return nil, &failure.Failure{Code: engine.ErrFileShape, Message: "there are no model calls in it, and no sealed snapshots that stand for them"}
	case left > 0:
		p.note(fmt.Sprintf("%d of %d calls and events follow: ask again with after = %d", left, total, last))
	default:
		p.note(fmt.Sprintf("none of the %d calls and events comes after cycle %d", total, in.After))
	}
	return p, nil
}

// shorten truncates the lists of a call, and says which.
func shorten(c *calls.Call) string {
	var names []string
	c.Added = head(c.Added, "added", &names)
	c.Left = head(c.Left, "left", &names)
	c.Unsent = head(c.Unsent, "unsent", &names)
	c.Changed = head(c.Changed, "changed", &names)
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("@c%d has more than is listed: %s", c.Cycle, strings.Join(names, ", "))
}

// head returns the beginning of a list. If that truncates the list, it adds its name and length to
// names.
func head[T any](list []T, name string, names *[]string) []T {
	if len(list) <= maxIDs {
		return list
	}
	*names = append(*names, fmt.Sprintf("%s (%d)", name, len(list)))
	return list[:maxIDs]
}
