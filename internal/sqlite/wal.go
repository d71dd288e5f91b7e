package sqlite

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
)

// The sizes of the parts of a write-ahead log, and what its first bytes are but for the last bit,
// which says how checksums are computed. https://www.sqlite.org/fileformat2.html describes them.
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682
)

// view is a database with the pages that its write-ahead log has.
type view struct {
	in    io.ReaderAt
	size  int64
	page  int64 // the size of one
	pages map[int64][]byte
}

// overlaid returns a database as its latest commit left it. The pages of the write-ahead log are in
// memory, since the program that uses the database may begin the log anew.
func overlaid(in, wal io.ReaderAt, size, walSize, limit int64) (*view, error) {
	v := &view{in: in, size: size, page: 1, pages: map[int64][]byte{}}
	if walSize < walHeader {
		return v, nil
	}
	if walSize > limit {
		return nil, fmt.Errorf("its write-ahead log has more than %d bytes", limit)
	}
	log := make([]byte, walSize)
	n, err := wal.ReadAt(log, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	v.apply(log[:n])
	return v, nil
}

// apply takes the pages of the commits in a write-ahead log. What follows the last commit, or does
// not fit its checksum, does not count.
func (v *view) apply(log []byte) {
	magic, page := binary.BigEndian.Uint32(log), int64(binary.BigEndian.Uint32(log[8:]))
	if magic&^1 != walMagic || page < 512 || page > 1<<16 || page&(page-1) != 0 {
		return
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	var sum checksum
	if sum.add(order, log[:24]); !sum.is(log[24:]) {
		return
	}
	salt, rest := string(log[16:24]), log[walHeader:]
	pending := map[int64][]byte{}
	for int64(len(rest)) >= frameHeader+page {
		header, data := rest[:frameHeader], rest[frameHeader:frameHeader+page]
		sum.add(order, header[:8])
		if sum.add(order, data); string(header[8:16]) != salt || !sum.is(header[16:]) {
			return
		}
		pending[int64(binary.BigEndian.Uint32(header))-1] = data
		if pages := int64(binary.BigEndian.Uint32(header[4:])); pages > 0 { // a commit
			maps.Copy(v.pages, pending)
			clear(pending)
			v.page, v.size = page, pages*page
		}
		rest = rest[frameHeader+page:]
	}
}

// checksum is that of a write-ahead log.
type checksum [2]uint32

func (s *checksum) add(order binary.ByteOrder, data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s[0] += order.Uint32(data) + s[1]
		s[1] += order.Uint32(data[4:]) + s[0]
	}
}

func (s *checksum) is(data []byte) bool {
	return s[0] == binary.BigEndian.Uint32(data) && s[1] == binary.BigEndian.Uint32(data[4:])
}

// Size returns the size of the database.
func (v *view) Size() (int64, error) { return v.size, nil }

// ReadAt reads pages.
func (v *view) ReadAt(p []byte, off int64) (n int, err error) {
	if len(v.pages) == 0 {
		return v.in.ReadAt(p, off)
	}
	for n < len(p) && off < v.size {
		at, within := off/v.page, off%v.page
		part := p[n:min(int64(len(p)), int64(n)+v.page-within)]
		if data, ok := v.pages[at]; ok {
			copy(part, data[within:])
		} else if m, err := v.in.ReadAt(part, off); m < len(part) {
			return n + m, err
		}
		n, off = n+len(part), off+int64(len(part))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
