package verb

import (
	"github.com/pactkit/pactkit/cmd/internal/failure"
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

// FailAbout reports an error about what has a name: a file, or a history of a store. hintOf says
// what to do about an error that is not one of a store; it may be nil.
func (r *Run) FailAbout(name string, err error, hintOf func(*failure.Failure) string) {
	if name == "" {
		r.Fail("the path is empty")
		return
	}
	f := failure.Of(err)
	text := f.Text(Shown(name))
	if f.Code == "" {
		r.Fail("%s", Sanitize(text))
	} else {
		r.Fail("%s", Visible(text))
	}
	hint := storeHints[store.Code(f.Code)]
	if hint == "" && hintOf != nil {
		hint = hintOf(f)
	}
	if hint != "" {
		r.Hint("%s", hint)
	}
}

// FailFile reports that something could not be done with a file.
func (r *Run) FailFile(name string, err error) {
	r.Fail("%s: %s", Visible(name), Sanitize(atomicfile.Reason(err)))
}
