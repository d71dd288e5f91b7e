//go:build !js

package tokens

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"hash/maphash"
	"io"
	"slices"
	"sync"
)

// hasVocabularies says that the program has them.
const hasVocabularies = true

// vocabulary counts the tokens of texts by byte-pair encoding.
type vocabulary struct {
	name  string
	split func(string) int
	// texts has the tokens in the order of their ranks, that of rank r from ends[r] to ends[r+1].
	texts []byte
	ends  []uint32
	// slots is a hash table of ranks + 1, which finds the rank of a token without a string.
	slots []uint32
}

// The files have the length of each token, a byte, in the order of their ranks, then a zero, then
// the tokens themselves. PACTKIT_UPDATE=1 go test ./tokens writes them.
var (
	//go:embed vocabularies/o200k_base.gz
	o200kData []byte
	//go:embed vocabularies/cl100k_base.gz
	cl100kData []byte
)

// The vocabularies, each of which is unpacked on first use, in 25 ms.
var (
	o200k  = sync.OnceValue(func() *vocabulary { return unpack("o200k_base", splitO200k, o200kData) })
	cl100k = sync.OnceValue(func() *vocabulary { return unpack("cl100k_base", splitCl100k, cl100kData) })
)

// unpack reads a vocabulary from embedded data, which tests have read.
func unpack(name string, split func(string) int, packed []byte) *vocabulary {
	r, _ := gzip.NewReader(bytes.NewReader(packed))
	data, _ := io.ReadAll(r)
	lengths, texts, _ := bytes.Cut(data, []byte{0})
	v := &vocabulary{name: name, split: split, texts: texts, ends: make([]uint32, len(lengths)+1)}
	size := 1
	for size < 2*len(lengths) {
		size *= 2
	}
	v.slots = make([]uint32, size)
	for rank, n := range lengths {
		v.ends[rank+1] = v.ends[rank] + uint32(n)
		at := v.slot(v.text(uint32(rank)))
		for v.slots[at] != 0 {
			at = (at + 1) & (len(v.slots) - 1)
		}
		v.slots[at] = uint32(rank) + 1
	}
	return v
}

func (v *vocabulary) text(rank uint32) []byte { return v.texts[v.ends[rank]:v.ends[rank+1]] }

// slot is where the search for a token begins.
func (v *vocabulary) slot(token []byte) int {
	return int(maphash.Bytes(seed, token)) & (len(v.slots) - 1)
}

// none is the rank of a text that is not a token.
const none = 1<<32 - 1

// rank returns the rank of a token, or none.
func (v *vocabulary) rank(token string) uint32 {
	for at := int(maphash.String(seed, token)) & (len(v.slots) - 1); v.slots[at] != 0; at = (at + 1) & (len(v.slots) - 1) {
		if rank := v.slots[at] - 1; string(v.text(rank)) == token {
			return rank
		}
	}
	return none
}

// count returns the number of tokens of a text in valid UTF-8.
func (v *vocabulary) count(text string) int {
	total := 0
	var m merger
	for len(text) > 0 {
		end := v.split(text)
		piece := text[:end]
		text = text[end:]
		if v.rank(piece) != none {
			total++
		} else {
			total += m.count(v, piece)
		}
	}
	return total
}

// merger merges the bytes of pieces to tokens. Its memory serves one piece after another.
type merger struct {
	parts []part
	heap  []uint64 // rank<<32 | start of pairs that may be merged, a binary heap: the least is first
}

// part is a part of a piece, at the index where it begins.
type part struct {
	before, after int32  // the beginnings of its neighbors; the one after the last is the end
	rank          uint32 // of the token that it and the next part make, or none
}

// count merges the pair with the lowest rank, the leftmost of several, until no two neighbors make
// a token, and returns the number of parts.
func (m *merger) count(v *vocabulary, piece string) int {
	n := len(piece)
	m.parts, m.heap = slices.Grow(m.parts[:0], n)[:n], m.heap[:0]
	for i := range m.parts {
		m.parts[i] = part{int32(i) - 1, int32(i) + 1, none}
	}
	for i := range n - 1 {
		m.rate(v, piece, int32(i))
	}
	for len(m.heap) > 0 {
		least := m.pop()
		i := int32(uint32(least))
		p := &m.parts[i]
		if p.rank != uint32(least>>32) {
			continue // it was merged, or has another neighbor now
		}
		next := &m.parts[p.after]
		next.rank = none
		p.after = next.after
		n--
		if int(p.after) < len(piece) {
			m.parts[p.after].before = i
		}
		m.rate(v, piece, i)
		if p.before >= 0 {
			m.rate(v, piece, p.before)
		}
	}
	return n
}

// rate finds the rank of the token that the part at i makes with the next.
func (m *merger) rate(v *vocabulary, piece string, i int32) {
	p := &m.parts[i]
	p.rank = none
	if int(p.after) == len(piece) {
		return
	}
	if p.rank = v.rank(piece[i:m.parts[p.after].after]); p.rank != none {
		m.push(uint64(p.rank)<<32 | uint64(i))
	}
}

func (m *merger) push(x uint64) {
	m.heap = append(m.heap, x)
	h := m.heap
	for i := len(h) - 1; i > 0 && h[(i-1)/2] > h[i]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func (m *merger) pop() uint64 {
	h := m.heap
	least, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; 2*i+1 < len(h); {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if h[i] <= h[child] {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	m.heap = h
	return least
}
