package store

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Open opens the store of an address:
//
//	file:DIR                       a folder of journals, one for each history; the first append
//	                               creates it
//	postgres://user@host/database  PostgreSQL, as pgx and libpq write it; missing tables are created
//
// The caller closes it.
func Open(ctx context.Context, address string) (Store, error) {
	scheme, rest, ok := strings.Cut(address, ":")
	switch {
	case ok && scheme == "file":
		return openDir(rest)
	case ok && (scheme == "postgres" || scheme == "postgresql"):
		s, err := openPG(ctx, address)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, &Error{Code: ErrAddress, Store: Redacted(address), Msg: "a store is file:DIR or postgres://user@host/database"}
}

// KeptName returns the usual name for the history as it was before a rewind. newest is the cycle of
// its newest snapshot at that time.
func KeptName(id string, newest int64) string { return fmt.Sprintf("%s~c%d", id, newest) }

// IsAddress reports whether a text is the address of a store, or of a history in one, rather than
// the name of a file.
func IsAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, ":")
	return ok && (scheme == "file" || scheme == "postgres" || scheme == "postgresql")
}

// IsHistory reports whether a text is the address of a history in a store, rather than an id.
func IsHistory(text string) bool { return IsAddress(text) && strings.Contains(text, "#") }

// SplitAddress cuts the address of a history, STORE#ID, at its last # that is not in the password
// of a server. In an id, %23 stands for #, %25 for %, and any other %xx for the byte xx. The id is
// empty if there is no #. An address of a server of which it is not certain where the password ends
// is an error.
func SplitAddress(address string) (store, id string, err error) {
	if scheme := schemes.FindString(address); scheme != "" && isAmbiguous(address[len(scheme):]) {
		return "", "", &Error{Code: ErrAddress, Store: Redacted(address), Msg: unreadable}
	}
	base, id := cutID(address)
	if id == "" || schemes.FindString(address) == "" && Redacted(address) != address { // it may be of a password
		return address, "", nil
	}
	id, err = url.PathUnescape(id[1:])
	if err == nil && checkID(id) != "" {
		return "", "", &Error{Code: ErrID, Store: Redacted(base), ID: id, Msg: checkID(id)}
	}
	if err != nil {
		return "", "", &Error{Code: ErrAddress, Store: Redacted(base), Msg: "the id after # cannot be read", Err: err}
	}
	return base, id, nil
}

// SplitFile returns the folder and the id of the history that a store has in a file. It returns
// false for a name that no store gives to a file, and for one that does not have the whole id.
func SplitFile(path string) (folder, id string, ok bool) {
	id, whole, ok := fileID(filepath.Base(path))
	return filepath.Dir(path), id, ok && whole
}

// JoinAddress returns the address of a history, which [SplitAddress] takes apart.
func JoinAddress(store, id string) string {
	var b strings.Builder
	for i := range len(id) {
		switch c := id[i]; {
		case c == '#' || c == '%' || c < ' ' || c == 0x7f || c == '@' && isPostgres(store):
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return store + "#" + b.String()
}
