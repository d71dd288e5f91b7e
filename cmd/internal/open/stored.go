package open

import (
	"context"
	"errors"
	"fmt"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// Store opens the store of an address of a history, and returns it with the id.
func Store(ctx context.Context, r *verb.Run, address string) (store.Store, string, error) {
	st, id, err := sessions.OpenStore(ctx, address, r.Folder)
	if err == nil && id == "" {
		err = errors.Join(sessions.NoID(ctx, st, address), st.Close())
	}
	return st, id, err
}

// putStored begins a history of a store.
func putStored(ctx context.Context, r *verb.Run, address string, o Written) error {
	st, id := o.Store, o.About.ID
	if st == nil {
		var err error
		if st, id, err = Store(ctx, r, address); err != nil {
			return err
		}
		defer st.Close()
	}
	o.About.ID = id
	frames, _, err := journal.NewHead(o.About).Append(o.History)
	if err == nil {
		_, err = st.Append(ctx, id, store.Version{}, frames...)
	}
	if e, ok := errors.AsType[*store.Error](err); ok && e.Code == store.ErrConflict {
		return refused{fmt.Errorf("%s; 'pactkit commit -f' appends to it [%s]", e.Msg, e.Code)}
	}
	return err
}

// AppendHistory appends what is new in a history to the journal, or the history of a store, from
// which it was read.
func AppendHistory(ctx context.Context, r *verb.Run, name string, info *journal.Info, t *engine.Timeline) {
	frames, _, err := info.Head.Append(t)
	if err != nil {
		r.Fail("%s: %s", verb.Shown(name), verb.Visible(verb.InternalError(err).Error()))
		return
	}
	if len(frames) == 0 {
		return
	}
	defer r.Working(func() string { return "writing " + verb.Shown(name) })()
	if file, err := atomicfile.Stat(r.Abs(name)); err == nil && file.Mode().Perm()&0o222 == 0 {
		r.FailOutput(name, &store.Error{Code: store.ErrReadOnly, Msg: "the file is read-only"})
		return
	}
	st, id := store.OpenFile(r.Abs(name)), "journal"
	if store.IsAddress(name) {
		if st, id, err = Store(ctx, r, name); err != nil {
			r.FailOutput(name, err)
			return
		}
	}
	defer st.Close()
	if _, err = st.Append(ctx, id, info.Version, frames...); err == nil {
		return
	}
	if ctx.Err() != nil {
		r.Interrupt("interrupted: nothing is appended to %s", verb.Shown(name))
		return
	}
	r.FailOutput(name, err)
}
