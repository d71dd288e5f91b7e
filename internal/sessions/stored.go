package sessions

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// OpenStore opens the store of an address, and returns it with the id of the history that the
// address names, "" for none. A relative folder is relative to folder unless that is "".
func OpenStore(ctx context.Context, address, folder string) (store.Store, string, error) {
	base, id, err := store.SplitAddress(address)
	if err != nil {
		return nil, "", err
	}
	if dir, ok := strings.CutPrefix(base, "file:"); ok && !strings.HasPrefix(dir, "//") && dir != "" {
		o := opener{Options: Options{Folder: folder}}
		base = "file:" + o.abs(dir)
	}
	st, err := store.Open(ctx, base)
	return st, id, err
}

// NoID is the error for an address that names a store but no history in it.
func NoID(ctx context.Context, st store.Store, address string) error {
	return &store.Error{
		Code: store.ErrAddress, Store: store.Redacted(address), Msg: "the address names a store and no history in it" + someIDs(ctx, st),
	}
}

// someIDs names histories of a store for an error.
func someIDs(ctx context.Context, st store.Store) string {
	var ids []string
	for info, err := range st.List(ctx, "") {
		if err != nil {
			return ""
		}
		if len(ids) == mostNames {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, store.JoinAddress("", info.ID))
	}
	if len(ids) == 0 {
		return "; it is empty"
	}
	return "; write one of " + strings.Join(ids, " ") + " after it"
}

// stored yields the history of an address, or all of a store.
func (o *opener) stored(ctx context.Context, address string) {
	st, id, err := OpenStore(ctx, address, o.Folder)
	if err != nil {
		o.fail(address, err)
		return
	}
	defer st.Close()
	if id != "" {
		base, _, _ := store.SplitAddress(address) // was split before
		o.storedID(ctx, st, base, id)
		return
	}
	for info, err := range st.List(ctx, "") {
		if err == nil {
			err = info.Err
		}
		if err != nil {
			if !o.fail(store.JoinAddress(address, info.ID), err) {
				return
			}
			continue
		}
		if !o.storedID(ctx, st, address, info.ID) {
			return
		}
	}
	if o.count == 0 {
		o.fail(address, &store.Error{Code: store.ErrNotFound, Store: store.Redacted(address), Msg: "the store is empty"})
	}
}

// storedID yields one history of a store.
func (o *opener) storedID(ctx context.Context, st store.Store, base, id string) bool {
	s := Session{Path: store.Redacted(base), Name: id, Kind: Journal}
	err := o.frames(ctx, st, id, &s)
	if err == nil && !o.Stored {
		s.Timeline, err = engine.NewAttacher(store.Source(st)).Show(ctx, s.Timeline)
	}
	if e, ok := errors.AsType[*store.Error](err); ok && e.Code == store.ErrNotFound {
		e.Msg += someIDs(ctx, st)
	}
	if err != nil {
		return o.fail(s.Address(), err)
	}
	return o.give(s)
}

// frames reads a history of a store.
func (o *opener) frames(ctx context.Context, st store.Store, id string, s *Session) (err error) {
	d := journal.NewDecoder(s.Address(), o.readOptions(ctx))
	if o.Verify {
		d.VerifyCheckpoints()
	}
	n := 0
	for f, err := range st.Read(ctx, id, 0, math.MaxInt64) {
		if err == nil {
			err = d.Add(f)
			n++
		}
		if err != nil {
			return err
		}
	}
	h := d.Head()
	s.Timeline, err = d.Timeline()
	s.Journal = &journal.Info{Journal: true, About: h.About(), Version: h.Version(), Head: h, Frames: n}
	return err
}
