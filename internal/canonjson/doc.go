// Package canonjson reads and writes JSON exactly: numbers keep every digit, and a value always has
// the same canonical text.
//
// It accepts JSON of RFC 8259, with the restrictions of RFC 7493: valid UTF-8, no unpaired
// surrogates, and no duplicate members. A [Scanner] reads eight bytes at a time and returns parts
// of its source where possible. Because records of a log are similar, it remembers the member names
// of the objects that it has read, and the members that did not change.
//
// Canonical text has no white space, members sorted by code point, only ASCII, and numbers as they
// were written. Except for numbers, these are the bytes that Python prints with
// json.dumps(sort_keys=True, separators=(",", ":"), ensure_ascii=True). [AppendPython] also writes
// numbers as Python does.
package canonjson
