package recent

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// The codes of the errors of [Machine.Find].
const (
	ErrNone      engine.Code = "E_NO_SESSION"
	ErrAmbiguous engine.Code = "E_SEVERAL_SESSIONS"
)

// The names of a session: last, last~N, and the beginning of an id.
var (
	lastName = regexp.MustCompile(`^last(?:~([0-9]{1,6}))?$`)
	idName   = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]{5,}$`)
)

// Last is the name of the session that was written last.
const Last = "last"

// IsName reports whether a name has a form that [Machine.Find] knows.
func IsName(name string) bool { return lastName.MatchString(name) || idName.MatchString(name) }

// Find returns the session with a name. The name last stands for the newest session of a folder and
// the folders below it, in all worktrees of its repository. If there is none, it stands for the
// newest session of the repository, or else of the machine. last~N is the Nth session before it.
// Any other name is the first six or more characters of an id; if no session has such an id, or the
// name has another form, Find returns nil.
//
// An error has the code ErrNone, for last without such a session, or ErrAmbiguous, or is that of
// the context. The cost is that of [Machine.All] up to the session, and for an id up to the end.
func (m *Machine) Find(ctx context.Context, folder, name string) (*Session, error) {
	if back := lastName.FindStringSubmatch(name); back != nil {
		n, _ := strconv.Atoi(back[1]) // none is 0
		return m.last(ctx, folder, name, n)
	}
	if !idName.MatchString(name) {
		return nil, nil
	}
	var found []Session
	for s, err := range m.All(ctx) {
		switch {
		case err != nil:
			return nil, err
		case s.ID == name:
			return &s, nil
		case strings.HasPrefix(s.ID, name):
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return &found[0], nil
	}
	return nil, &engine.Error{Code: ErrAmbiguous, File: name, Msg: "several ids begin like this: " + m.some(found)}
}

// some names the first few of a list of sessions.
func (m *Machine) some(list []Session) string {
	const most = 5
	var names []string
	for _, s := range list[:min(len(list), most)] {
		names = append(names, fmt.Sprintf("%s of %s", m.Short(s.ID), s.Agent))
	}
	if len(list) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// last finds the nth session before the newest one.
func (m *Machine) last(ctx context.Context, folder, name string, n int) (*Session, error) {
	project := ProjectOf(folder)
	var here, repository, all []Session
	for s, err := range m.All(ctx) {
		if err != nil {
			return nil, err
		}
		if project.Has(s) {
			here = append(here, s)
		}
		if project.HasRepository(s) {
			repository = append(repository, s)
		}
		if len(all) <= n {
			all = append(all, s)
		}
		if len(here) > n {
			break
		}
	}
	what := "of this folder"
	if here == nil {
		here, what = repository, "of this repository"
	}
	if here == nil {
		here, what = all, "on this machine"
	}
	switch {
	case len(here) > n:
		return &here[n], nil
	case len(here) > 0:
		return nil, &engine.Error{Code: ErrNone, File: name, Msg: fmt.Sprintf("there are fewer sessions %s: %d", what, len(here))}
	}
	return nil, &engine.Error{Code: ErrNone, File: name, Msg: "there are no sessions of agents in " + strings.Join(m.Folders(), ", ")}
}
