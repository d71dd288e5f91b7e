package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// openStore opens the store of an address of a history, and returns it with the id.
func (s *session) openStore(ctx context.Context, address string) (store.Store, string, error) {
	st, id, err := sessions.OpenStore(ctx, address, s.folder)
	if err == nil && id == "" {
		err = errors.Join(sessions.NoID(ctx, st, address), st.Close())
	}
	return st, id, err
}

// shown returns the name of a file, or of a history of a store, for messages: without a password.
func shown(name string) string { return visible(store.Redacted(name)) }

// storeHints are hints for errors of stores.
var storeHints = map[store.Code]string{
	store.ErrConflict:    "another writer was first; run it again to go on from what that wrote",
	store.ErrPermission:  "check the owner of the folder, or the role and its rights on the tables",
	store.ErrFull:        "no space is left; everything that was there before still is",
	store.ErrUnavailable: "nothing was written; try again",
	store.ErrUnknown:     "the connection broke after the append was sent: look whether it is there before trying again",
	store.ErrSchema:      "?search_path=NAME names another schema of the database",
}

// failStore reports what went wrong in a store.
func (s *session) failStore(name string, e *store.Error) {
	text := e.Msg
	if e.Err != nil {
		text += ": " + atomicfile.Reason(e.Err)
	}
	s.fail("%s: %s [%s]", shown(name), visible(sanitize(text)), e.Code)
	if hint := storeHints[e.Code]; hint != "" {
		s.hint("%s", hint)
	}
}

// putStored begins a history of a store.
func (s *session) putStored(ctx context.Context, address string, o written) error {
	st, id := o.store, o.about.ID
	if st == nil {
		var err error
		if st, id, err = s.openStore(ctx, address); err != nil {
			return err
		}
		defer st.Close()
	}
	o.about.ID = id
	frames, _, err := journal.NewHead(o.about).Append(o.history)
	if err == nil {
		_, err = st.Append(ctx, id, store.Version{}, frames...)
	}
	if e, ok := errors.AsType[*store.Error](err); ok && e.Code == store.ErrConflict {
		return refused{fmt.Errorf("%s; 'pactkit commit -f' appends to it [%s]", e.Msg, e.Code)}
	}
	return err
}

// appendHistory appends what is new in a history to the journal, or the history of a store, from
// which it was read.
func (s *session) appendHistory(ctx context.Context, name string, info *journal.Info, t *engine.Timeline) {
	frames, _, err := info.Head.Append(t)
	if err != nil {
		s.fail("%s: %s", shown(name), visible(internalError(err).Error()))
		return
	}
	if len(frames) == 0 {
		return
	}
	defer s.working(func() string { return "writing " + shown(name) })()
	if file, err := atomicfile.Stat(s.abs(name)); err == nil && file.Mode().Perm()&0o222 == 0 {
		s.failOutput(name, &store.Error{Code: store.ErrReadOnly, Msg: "the file is read-only"})
		return
	}
	st, id := store.OpenFile(s.abs(name)), "journal"
	if store.IsAddress(name) {
		if st, id, err = s.openStore(ctx, name); err != nil {
			s.failOutput(name, err)
			return
		}
	}
	defer st.Close()
	if _, err = st.Append(ctx, id, info.Version, frames...); err == nil {
		return
	}
	if ctx.Err() != nil {
		s.interrupt("interrupted: nothing is appended to %s", shown(name))
		return
	}
	s.failOutput(name, err)
}
