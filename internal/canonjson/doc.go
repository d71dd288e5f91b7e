// Package canonjson reads and writes JSON exactly: numbers keep every digit,
// and the canonical text of a value is always the same bytes.
//
// It accepts what RFC 8259 allows and RFC 7493 recommends: valid UTF-8, whole
// surrogate pairs, and no member twice in one object. A [Scanner] reads eight
// bytes at a time and returns parts of its source wherever it can. It knows the member names of the objects that it read, and
// members that did not change, since records of a log are alike.
//
// Canonical text has no white space, members sorted by code point, ASCII only
// and numbers as they are written. Those are the bytes that Python prints with
// json.dumps(sort_keys=True, separators=(",", ":"), ensure_ascii=True), except
// for numbers, which [AppendPython] respells.
package canonjson
