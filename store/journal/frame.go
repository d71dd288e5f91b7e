package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"sync"
)

// Version identifies a state of a history by the last frame. The zero Version is that of an empty
// history.
type Version struct {
	Cycle  int64 // of the last frame
	Digest Digest
}

// Digest is the digest of a frame, SHA-256 over the previous digest, in hex, and the body. It
// covers the frame and all frames before it.
type Digest [sha256.Size]byte

// String returns the digest in hex, 64 characters; "" for the zero digest.
func (d Digest) String() string {
	if d == (Digest{}) {
		return ""
	}
	return hex.EncodeToString(d[:])
}

// ParseDigest parses the result of [Digest.String]. It returns false for any other text.
func ParseDigest(s string) (Digest, bool) {
	var d Digest
	if s == "" || len(s) != 2*len(d) {
		return d, s == ""
	}
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			if c = s[i] - 'a' + 10; c < 10 || c > 15 {
				return Digest{}, false
			}
		}
		d[i/2] = d[i/2]<<4 | c
	}
	return d, true
}

// MarshalText returns [Digest.String].
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Kind is the kind of content of a frame.
type Kind uint8

const (
	Header   Kind = iota // the first frame: what the history is, and where it comes from
	Snapshot             // a whole tree
	Delta                // what a commit changed
	Working              // a working state that was kept without a commit
	Fork                 // where the history was forked: the frames before are those of the other history
	Prefix               // only in files: stands for frames that are in the file of another history
)

var kindNames = [...]string{Header: "header", Snapshot: "snapshot", Delta: "delta", Working: "working", Fork: "fork", Prefix: "prefix"}

// String returns the name of the member that has the content of such a frame.
func (k Kind) String() string { return kindNames[k] }

// Frame is one line of a journal.
type Frame struct {
	Kind   Kind
	Cycle  int64 // of the snapshot; for a working state, the next cycle; 0 for a header
	End    bool  // the last frame of an append
	Digest Digest
	Body   string // the line without its digest: canonical JSON, with unescaped non-ASCII characters
}

// IsSealed reports whether the frame has a snapshot, whole or as a delta.
func (f Frame) IsSealed() bool { return f.Kind == Snapshot || f.Kind == Delta }

// Version returns the version of a history whose last frame this is.
func (f Frame) Version() Version { return Version{f.Cycle, f.Digest} }

// Chain returns the digest of a frame, given the digest of the previous frame and its own body.
func Chain(before Digest, body string) Digest {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	return h.chain(before, body[:max(len(body)-1, 0)])
}

var hashers = sync.Pool{New: func() any { return new(hasher) }}

// hasher computes digests. It can be reused.
type hasher struct {
	hash hash.Hash
	buf  []byte
}

// chain is Chain for a body without its last brace.
func (h *hasher) chain(before Digest, open string) Digest {
	if h.hash == nil {
		h.hash, h.buf = sha256.New(), make([]byte, 0, 1<<13)
	}
	h.hash.Reset()
	h.buf = h.buf[:0]
	if before != (Digest{}) {
		h.buf = hex.AppendEncode(h.buf, before[:])
	}
	for {
		n := min(cap(h.buf)-len(h.buf)-1, len(open))
		h.buf = append(h.buf, open[:n]...)
		if open = open[n:]; open == "" {
			h.hash.Write(append(h.buf, '}'))
			break
		}
		h.hash.Write(h.buf)
		h.buf = h.buf[:0]
	}
	return Digest(h.hash.Sum(h.buf[:0]))
}

// digestStart precedes the hex digits of a line, digestEnd follows them.
const (
	digestStart = `,"digest":"`
	digestEnd   = `"}`
	digestLen   = len(digestStart) + 2*sha256.Size + len(digestEnd)
)

// AppendLine appends the frame as a line of a journal, with its newline.
func (f Frame) AppendLine(dst []byte) []byte {
	dst = slices.Grow(dst, len(f.Body)+LineOverhead)
	dst = append(append(dst, f.Body[:len(f.Body)-1]...), digestStart...)
	dst = hex.AppendEncode(dst, f.Digest[:])
	return append(dst, digestEnd+"\n"...)
}
