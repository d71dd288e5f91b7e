package open

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

// CompleteSessions completes histories, logs and recent sessions in the first arguments, or in all
// of them if most is negative.
func CompleteSessions(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return Instants, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		if recent := completeRecent(cmd.Context(), word); recent != nil {
			return recent, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{"json", "jsonl", "eval", "traj", "gz", "zst"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// SessionForms describes the argument FILE in the help of a verb.
const SessionForms = `A FILE is a history in any form (see 'pactkit eval --help'), or a log of any kind that --from names, which is recognized from
its content and imported on the fly. FILE#NAME is one history of a file that has several; FILE+ is a file together with the
files of its folder that belong to it, such as the agents of a session; a folder is all files in it; - is
standard input. If there is no such file, last is the newest session of an agent that was started in the working folder or
below, in any worktree of its repository, else in the repository, else on this machine; last~1 is the one before it; and
the beginning of the id of a session is that session ('pactkit sessions' lists them).`

// EachSession calls each with the sessions of arguments, and reports errors about files. It stops
// when each returns false.
func EachSession(ctx context.Context, r *verb.Run, args []string, f *SessionFlags, each func(sessions.Session) bool) {
	var notes NoteGroups
	o := notedOptions(r, f, &notes)
	path := ""
	tell := func(next string) {
		if next != path {
			ReportGroups(r, path, &notes)
			path, notes = next, NoteGroups{}
		}
	}
	for x, err := range sessions.All(ctx, args, o) {
		if tell(x.Path); err != nil {
			tell("") // print the notes before the error
		}
		if errors.Is(err, context.Canceled) {
			r.Interrupt("interrupted")
			return
		}
		if err != nil {
			FailSession(r, x.Path, err, f)
			continue
		}
		warnTorn(r, x)
		WarnInvariants(r, x.Path, x.Timeline.Warnings())
		if !each(x) {
			return
		}
	}
	tell("")
}

// OneSession returns the only session of an argument. It reports an error and returns nil.
func OneSession(ctx context.Context, r *verb.Run, arg string, f *SessionFlags) *sessions.Session {
	var notes NoteGroups
	x, err := sessions.One(ctx, arg, notedOptions(r, f, &notes))
	ReportGroups(r, arg, &notes)
	if errors.Is(err, context.Canceled) {
		r.Interrupt("interrupted")
		return nil
	}
	if err != nil {
		FailSession(r, arg, err, f)
		return nil
	}
	warnTorn(r, x)
	WarnInvariants(r, arg, x.Timeline.Warnings())
	return &x
}

// warnTorn warns about an interrupted append to a journal.
func warnTorn(r *verb.Run, x sessions.Session) {
	if torn := TornAppend(x.Path, x.Journal); torn != nil {
		r.Warn("%s", verb.Visible(torn.Error()))
	}
}

// Unrecorded are histories that record no model calls.
type Unrecorded struct {
	name      string // of the first
	histories int
	snapshots int
}

// Check reports whether a history has calls, or sealed snapshots that stand for them; if neither,
// it is an error.
func (u *Unrecorded) Check(r *verb.Run, name string, t *engine.Timeline) bool {
	if calls.Recorded(t) {
		return true
	}
	n := 0
	for range t.Sealed() {
		n++
	}
	if n == 0 {
		r.Fail("%s: there are no model calls in it, and no sealed snapshots that stand for them", verb.Shown(name))
		return false
	}
	if u.histories++; u.histories == 1 {
		u.name = name
	}
	u.snapshots += n
	return true
}

// Report notes that snapshots stand for calls.
func (u *Unrecorded) Report(r *verb.Run) {
	switch {
	case u.histories == 0:
	case u.histories > 1:
		r.Note("%d histories record no model calls; each of their %d snapshots counts as one", u.histories, u.snapshots)
	case u.snapshots == 1:
		r.Note("%s records no model calls; its snapshot counts as one", verb.Shown(u.name))
	default:
		r.Note("%s records no model calls; each of its %d snapshots counts as one", verb.Shown(u.name), u.snapshots)
	}
}
