package cli

import (
	"context"
	"errors"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/sessions"
)

const sessionForms = `A FILE is a history in any form (see 'pactkit eval --help'), or a log, which is imported on the fly: request bodies,
Inspect AI, Claude Code, Codex, OpenTelemetry, ATIF, recognized from their content. FILE#NAME is one history of a file that
has several; FILE+ is a file together with the files of its folder that belong to it, such as the agents of a session; a
folder is all files in it; - is standard input.`

// eachSession calls each with the sessions of arguments, and reports errors about files. It stops
// when each returns false.
func (s *session) eachSession(ctx context.Context, args []string, f *sessionFlags, each func(sessions.Session) bool) {
	var notes noteGroups
	o := s.notedOptions(f, &notes)
	path := ""
	tell := func(next string) {
		if next != path {
			s.reportGroups(path, &notes)
			path, notes = next, noteGroups{}
		}
	}
	for x, err := range sessions.All(ctx, args, o) {
		if tell(x.Path); err != nil {
			tell("") // print the notes before the error
		}
		if errors.Is(err, context.Canceled) {
			s.interrupt("interrupted")
			return
		}
		if err != nil {
			s.failSession(x.Path, err, f)
			continue
		}
		s.warnTorn(x)
		s.warnInvariants(x.Path, x.Timeline.Warnings())
		if !each(x) {
			return
		}
	}
	tell("")
}

// oneSession returns the only session of an argument. It reports an error and returns nil.
func (s *session) oneSession(ctx context.Context, arg string, f *sessionFlags) *sessions.Session {
	var notes noteGroups
	x, err := sessions.One(ctx, arg, s.notedOptions(f, &notes))
	s.reportGroups(arg, &notes)
	if errors.Is(err, context.Canceled) {
		s.interrupt("interrupted")
		return nil
	}
	if err != nil {
		s.failSession(arg, err, f)
		return nil
	}
	s.warnTorn(x)
	s.warnInvariants(arg, x.Timeline.Warnings())
	return &x
}

// warnTorn warns about an interrupted append to a journal.
func (s *session) warnTorn(x sessions.Session) {
	if torn := tornAppend(x.Path, x.Journal); torn != nil {
		s.warn("%s", visible(torn.Error()))
	}
}

// unrecorded are histories that record no model calls.
type unrecorded struct {
	name      string // of the first
	histories int
	snapshots int
}

// check reports whether a history has calls, or sealed snapshots that stand for them; if neither,
// it is an error.
func (u *unrecorded) check(s *session, name string, t *engine.Timeline) bool {
	if calls.Recorded(t) {
		return true
	}
	n := 0
	for range t.Sealed() {
		n++
	}
	if n == 0 {
		s.fail("%s: there are no model calls in it, and no sealed snapshots that stand for them", shown(name))
		return false
	}
	if u.histories++; u.histories == 1 {
		u.name = name
	}
	u.snapshots += n
	return true
}

// report notes that snapshots stand for calls.
func (u *unrecorded) report(s *session) {
	switch {
	case u.histories == 0:
	case u.histories > 1:
		s.note("%d histories record no model calls; each of their %d snapshots counts as one", u.histories, u.snapshots)
	case u.snapshots == 1:
		s.note("%s records no model calls; its snapshot counts as one", shown(u.name))
	default:
		s.note("%s records no model calls; each of its %d snapshots counts as one", shown(u.name), u.snapshots)
	}
}
