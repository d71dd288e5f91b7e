package source

import (
	"fmt"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// answers has the ids of the calls that the messages of a request answer.
type answers struct {
	list  []*series.Message // of the request
	count map[string]int    // number of answers, by call
	noted map[string]bool
}

// conversationKey identifies a conversation in a source.
type conversationKey struct{ sample, conversation string }

// check notes calls with a second result in the same request. Messages shared with the previous
// request are not checked again. Records of Claude Code are checked when they are read.
func (g *group) check(r *series.Request) {
	if g.opts.Note == nil || g.kind == ClaudeCode {
		return
	}
	key := conversationKey{r.Origin.Sample, r.ConversationID}
	if g.answered == nil {
		g.answered = map[conversationKey]*answers{}
	}
	a := g.answered[key]
	if a == nil {
		a = &answers{count: map[string]int{}, noted: map[string]bool{}}
		g.answered[key] = a
	}
	base, end := min(r.Base, len(a.list)), len(r.Messages) // what follows end stays
	gone := a.list[base:]
	for len(gone) > 0 && end > 0 && gone[len(gone)-1] == r.Messages[end-1] {
		gone, end = gone[:len(gone)-1], end-1
	}
	for _, m := range gone {
		for _, id := range m.Answers {
			a.count[id]--
		}
	}
	a.list = append(a.list[:base], r.Messages...)
	for _, m := range r.Messages[:end] {
		for _, id := range m.Answers {
			if a.count[id]++; a.count[id] > 1 && !a.noted[id] {
				a.noted[id] = true
				line := m.Line
				if line == 0 {
					line = r.Origin.Line
				}
				g.opts.Note(thread.Note{Kind: thread.Kept, Code: engine.ErrNodeIDDuplicate, File: r.Origin.File, Line: line, Path: m.Path, Msg: fmt.Sprintf("a second result for the call %q", id)})
			}
		}
	}
}
