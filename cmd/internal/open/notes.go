package open

import (
	"fmt"
	"regexp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/thread"
)

// ReportNotes reports what does not fit.
func ReportNotes(r *verb.Run, name string, notes []thread.Note) {
	var g NoteGroups
	g.Add(notes)
	ReportGroups(r, name, &g)
}

// NoteGroups groups notes, so a kind of which a log may have hundreds is reported once.
type NoteGroups struct {
	list    []*noteGroup
	byShape map[string]*noteGroup
	Broken  bool // a part of the log is
}

type noteGroup struct {
	first thread.Note
	more  int
}

func (g *NoteGroups) Add(notes []thread.Note) {
	if g.byShape == nil {
		g.byShape = map[string]*noteGroup{}
	}
	for _, n := range notes {
		g.Broken = g.Broken || n.Kind == thread.Malformed
		shape := string(n.Kind) + indexes.ReplaceAllString(n.Path, "[]") + quotations.ReplaceAllString(n.Msg, "")
		if one := g.byShape[shape]; one != nil {
			one.more++
			continue
		}
		one := &noteGroup{first: n}
		g.byShape[shape] = one
		g.list = append(g.list, one)
	}
}

// AddWrong is add for verbs that read a log and do not keep it: notes about mere differences are
// left out.
func (g *NoteGroups) AddWrong(n thread.Note) {
	if n.Code != "" {
		g.Add([]thread.Note{n})
	}
}

// Lines returns the notes, one for each kind.
func (g *NoteGroups) Lines() (out []string) {
	for _, one := range g.list {
		out = append(out, one.text())
	}
	return out
}

func (g *noteGroup) text() string {
	text := verb.Visible(g.first.String())
	if g.more > 0 {
		text += fmt.Sprintf(" (and %d more of the kind)", g.more)
	}
	return text
}

func ReportGroups(r *verb.Run, name string, groups *NoteGroups) {
	for _, g := range groups.list[:min(len(groups.list), verb.MaxReported)] {
		text := g.text()
		if g.first.File == "" {
			text = verb.Shown(name) + ": " + text
		}
		if g.first.Code != "" || g.first.Kind == thread.Lost {
			r.Warn("%s", text)
		} else {
			r.Note("%s", text)
		}
	}
	if left := len(groups.list) - verb.MaxReported; left > 0 {
		r.Note("%s: and %d more", verb.Shown(name), left)
	}
}

// What distinguishes two notes of one kind.
var (
	indexes    = regexp.MustCompile(`\[[0-9]+\]`)
	quotations = regexp.MustCompile(`"[^"]*"|[0-9]+`)
)
