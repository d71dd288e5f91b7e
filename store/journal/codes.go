package journal

import (
	"iter"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// ErrTorn is the code of an append that was interrupted. Reading reports it in [Info] and not as an
// error.
const ErrTorn engine.Code = "E_JOURNAL_TORN"

// codes documents every code.
var codes = []engine.CodeInfo{
	{Code: ErrLine, Doc: "A line of a journal is not a frame: it does not end with a digest, has a member that frames do not have, or is in a place where such a frame is not allowed."},
	{Code: ErrDigest, Doc: "The digest at the end of a line does not fit: the line, or one before it, was changed, moved, duplicated or removed. Everything before it is intact; nothing from there on is trusted. Take the file from a backup; 'pactkit validate --salvage OUT' writes the intact part."},
	{Code: ErrVersion, Doc: "The journal is of a version that this program does not read. Use the program that wrote it, or a newer one."},
	{Code: ErrPrefix, Doc: "The journal is that of a fork, and its beginning is in the journal of another history of the same store. Open it in its store, as file:DIR#NAME, or in the folder with the other journal."},
	{Code: ErrLost, Doc: "No snapshot of a damaged journal is intact, so there is nothing to salvage. Take the file from a backup."},
	{Code: ErrTorn, Doc: "The last append was interrupted, by a crash or a full disk. It was never acknowledged and does not count; everything before it is intact, and the next append cuts it off."},
}

// Codes yields every code of this package with its documentation.
func Codes() iter.Seq[engine.CodeInfo] { return slices.Values(codes) }
