package journal

import (
	"bytes"
	"io"
	"iter"

	"github.com/pactkit/pactkit/engine"
)

// Tail is the end of the last complete append of a journal.
type Tail struct {
	End     int64   // the offset after it; what follows is to be truncated
	Version Version // the zero Version in an empty journal
}

// ReadTail finds the last complete append of a journal of a given size. What follows it is an
// interrupted append, and does not count: lines without an end mark, a line without its newline,
// and NUL bytes in place of data that never reached the disk. A line that is damaged in another way
// may have been acknowledged, so the error then has the code [ErrDigest]. The cost depends on the
// last append and the line before it, not on the size.
func ReadTail(r io.ReaderAt, size int64) (Tail, error) {
	var tail Tail    // the append being examined
	damaged := false // a line after the current one does not match
	for line, err := range Backward(r, size) {
		if err != nil {
			return Tail{}, err
		}
		if bytes.Contains(line.Text, []byte{0, 0}) {
			tail, damaged = Tail{}, false // what follows it does not count either
			continue
		}
		f, err := ParseLine(line.Text)
		if isMemory(err) {
			return Tail{}, err
		}
		if err == nil && f.End && tail != (Tail{}) {
			return tail, nil // this is the append before
		}
		fits := err == nil && (f.Digest == Chain(line.Before, f.Body) || f.Kind == Snapshot || f.Kind == Prefix)
		switch {
		case fits && damaged, !fits && tail != (Tail{}):
			return Tail{}, errDamaged
		case fits && f.End:
			tail = Tail{line.Start + int64(len(line.Text)) + 1, f.Version()}
		}
		damaged = !fits
	}
	if damaged {
		return Tail{}, errDamaged
	}
	return tail, nil
}

var errDamaged = &engine.Error{Code: ErrDigest, Msg: "the end of the journal is damaged; validate reports how far it can be read"}

// Line is a line without its newline, and the digest of the line before it.
type Line struct {
	Start  int64 // its offset
	Text   []byte
	Before Digest
}

// Backward yields the complete lines that end before an offset, the last one first. Text is valid
// until the next iteration.
func Backward(r io.ReaderAt, end int64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var buf []byte // the bytes from, …, end-1
		from, least := end, int64(1<<12)
		for {
			last := bytes.LastIndexByte(buf, '\n') // of the next line
			newline := -1                          // of the previous line
			if last >= 0 {
				newline = bytes.LastIndexByte(buf[:last], '\n')
			}
			if from > 0 && newline < digestLen { // the digest of the previous line is needed too
				more := min(from, max(least, int64(len(buf))))
				least = min(2*least, 1<<16) // most callers look at a line or two
				grown := make([]byte, more, more+int64(len(buf)))
				if _, err := r.ReadAt(grown, from-more); err != nil {
					yield(Line{}, err)
					return
				}
				buf, from = append(grown, buf...), from-more
				continue
			}
			if last < 0 {
				return
			}
			line := Line{Start: from + int64(newline) + 1, Text: buf[newline+1 : last]}
			if newline >= 0 {
				line.Before, _ = LineDigest(buf[:newline])
			}
			if !yield(line, nil) || newline < 0 {
				return
			}
			buf = buf[:newline+1]
		}
	}
}

// LineDigest returns the digest at the end of a line, and whether there is one. It ignores the rest
// of the line.
func LineDigest(line []byte) (Digest, bool) {
	if n := len(line) - len(digestEnd) - 2*len(Digest{}); n >= 0 && string(line[len(line)-len(digestEnd):]) == digestEnd {
		return ParseDigest(string(line[n : len(line)-len(digestEnd)]))
	}
	return Digest{}, false
}
