package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// Code names one kind of failure. Codes are stable. A Code is itself an error, so
//
//	errors.Is(err, store.ErrConflict)
//
// tests any error of this package for its kind.
type Code string

// The kinds of failure.
const (
	ErrConflict    Code = "E_STORE_CONFLICT"    // the head is not the one the caller expects
	ErrNotFound    Code = "E_STORE_NOT_FOUND"   // there is no history with this id
	ErrChanged     Code = "E_STORE_CHANGED"     // the requested version is gone: compacted, erased or deleted
	ErrID          Code = "E_STORE_ID"          // an id that no history can have
	ErrFrames      Code = "E_STORE_FRAMES"      // frames that do not continue the history
	ErrAddress     Code = "E_STORE_ADDRESS"     // an address that names no store
	ErrPermission  Code = "E_STORE_PERMISSION"  // the folder or the server denies access
	ErrReadOnly    Code = "E_STORE_READ_ONLY"   // a standby, or a read-only file system
	ErrFull        Code = "E_STORE_FULL"        // no space is left
	ErrBusy        Code = "E_STORE_BUSY"        // concurrent transactions kept getting in the way
	ErrUnavailable Code = "E_STORE_UNAVAILABLE" // the server or the disk does not answer; nothing was written
	ErrUnknown     Code = "E_STORE_UNKNOWN"     // the connection broke or a flush failed, and it is unknown whether the frames were written
	ErrServer      Code = "E_STORE_SERVER"      // a server that is too old, or whose configuration may lose commits
	ErrSchema      Code = "E_STORE_SCHEMA"      // tables of another program, or of a newer version
	ErrBase        Code = "E_STORE_BASE"        // what a fork begins with is missing
	ErrRemains     Code = "E_STORE_REMAINS"     // what is to be removed would stay under another name
	ErrClosed      Code = "E_STORE_CLOSED"      // the store was closed
)

// Error returns the code itself.
func (c Code) Error() string { return string(c) }

// CodeInfo documents a code.
type CodeInfo struct {
	Code Code
	Doc  string // when it occurs and what to do, in full sentences
}

// codes documents every code, in the order above.
var codes = []CodeInfo{
	{ErrConflict, "Another writer appended first. Read what it wrote (Reload), decide again, and append to the new head."},
	{ErrNotFound, "The store has no history with this id."},
	{ErrChanged, "The history no longer has the requested version: it has been compacted, erased or deleted since. Read it from its beginning."},
	{ErrID, "The id is empty, longer than 64 KiB, or not UTF-8."},
	{ErrFrames, "The frames do not continue the version that they should follow: a digest does not fit, a cycle goes back, the last frame carries no end mark, or a history does not begin with a header and a snapshot or working state."},
	{ErrAddress, "The address names no store. Write file:DIR or postgres://user@host/database; a history in it is ADDRESS#ID, where %23 stands for # and %25 for %."},
	{ErrPermission, "The folder or the server refuses access. Check the owner of the folder, or the role and its rights on the tables."},
	{ErrReadOnly, "The server is a standby or allows no writes, or the file system is mounted read-only. Reading works."},
	{ErrFull, "No space is left on the disk. Nothing of the append was kept, and everything before it is there."},
	{ErrBusy, "The server rolled the append back each time because of concurrent transactions. Nothing was written; try again."},
	{ErrUnavailable, "The server cannot be reached, or the disk reports an error. Nothing was written; try again."},
	{ErrUnknown, "The connection broke after the append was sent, and the server did not come back in time to ask; or the disk could not be flushed, and a crash may leave either state; or a history was erased, but perhaps not the related ones. Read the head to find out; Reload of an attached context does. Erase again."},
	{ErrServer, "The server is older than version 11, has synchronous_commit turned off, or refused a statement that it should know."},
	{ErrSchema, "The tables are those of a newer pactkit or of another program, or the schema of the search path does not exist. Upgrade, or name another schema with ?search_path=NAME."},
	{ErrBase, "The history is a fork, and the file that has its beginning is missing or was changed by something other than pactkit, or by a version before forks. Put that file back from a backup."},
	{ErrRemains, "What compact, erase or delete would remove would stay elsewhere in the folder: the journal has further names (hard links), or a temporary file of an interrupted run cannot be removed. Nothing was changed. Remove the other name or the file, and try again."},
	{ErrClosed, "The store was closed."},
}

// Codes yields every code with its documentation.
func Codes() iter.Seq[CodeInfo] { return slices.Values(codes) }

// Error is a failure of a store.
type Error struct {
	Code  Code
	Store string // the address, without a password
	ID    string // of the history, if it is about one
	Msg   string // one plain sentence
	Err   error  // the cause, or nil
}

// Error prints address#id: message: cause [code].
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Store)
	if e.ID != "" {
		b.WriteString("#" + shownID(e.ID))
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	fmt.Fprintf(&b, " [%s]", e.Code)
	return b.String()
}

// Unwrap lets errors.Is compare codes and causes.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Err}
}

// shownID shortens an id for a message.
func shownID(id string) string {
	const most = 80
	if len(id) > most {
		id = strings.ToValidUTF8(id[:most], "") + "…"
	}
	if quoted := strconv.Quote(id); quoted != `"`+id+`"` {
		return quoted
	}
	return id
}

func isJournalError(err error) bool {
	_, ok := errors.AsType[*engine.Error](err)
	return ok
}
