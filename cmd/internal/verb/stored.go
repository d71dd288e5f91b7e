package verb

import (
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
)

// Shown returns the name of a file, or of a history of a store, for messages: without a password.
func Shown(name string) string { return Visible(store.Redacted(name)) }

// storeHints are hints for errors of stores.
var storeHints = map[store.Code]string{
	store.ErrConflict:    "another writer was first; run it again to go on from what that wrote",
	store.ErrPermission:  "check the owner of the folder, or the role and its rights on the tables",
	store.ErrFull:        "no space is left; everything that was there before still is",
	store.ErrUnavailable: "nothing was written; try again",
	store.ErrUnknown:     "the connection broke after the append was sent: look whether it is there before trying again",
	store.ErrSchema:      "?search_path=NAME names another schema of the database",
}

// FailStore reports what went wrong in a store.
func (r *Run) FailStore(name string, e *store.Error) {
	text := e.Msg
	if e.Err != nil {
		text += ": " + atomicfile.Reason(e.Err)
	}
	r.Fail("%s: %s [%s]", Shown(name), Visible(Sanitize(text)), e.Code)
	if hint := storeHints[e.Code]; hint != "" {
		r.Hint("%s", hint)
	}
}
