package journal

import (
	"io"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// Info describes a file that was read.
type Info struct {
	Journal bool // false for a history in another format; then the other fields are zero
	About   About
	Version Version // after the last complete append
	Frames  int     // in complete appends, the header included
	Head    Head    // the head after them, to append to
	Torn    int64   // bytes after the last complete append, which are ignored
	Line    int     // number of the line where those begin, from 1
}

// Load reads a history from disk, in any form: a journal, or what [engine.Load] reads.
func Load(path string, o engine.ReadOptions) (*engine.Timeline, *Info, error) {
	stat, err := atomicfile.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if stat.IsDir() {
		t, err := engine.LoadDir(atomicfile.Folder(path), path, o)
		return t, &Info{}, err
	}
	f, err := atomicfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return Read(path, sizedFile{f, int(stat.Size())}, o)
}

// sizedFile is a file whose size is known.
type sizedFile struct {
	io.Reader
	size int
}

func (f sizedFile) Len() int { return f.size }

// Read reads a history in any form. A journal is recognized by its first line; everything else is
// passed to [engine.Read]. If name ends with .gz or .zst, the file is decompressed. Errors are of
// type [*engine.Error].
//
// An interrupted append is ignored, and reported in Info. If a digest does not match, the error has
// the code [ErrDigest], and nothing after that line is read; Info then has the version before it.
func Read(name string, r io.Reader, o engine.ReadOptions) (*engine.Timeline, *Info, error) {
	return readFile(name, r, o, false)
}

// Verify is [Read], and also verifies at every checkpoint of a journal that the snapshot is the one
// that was written.
func Verify(name string, r io.Reader, o engine.ReadOptions) (*engine.Timeline, *Info, error) {
	return readFile(name, r, o, true)
}

func readFile(name string, r io.Reader, o engine.ReadOptions, verify bool) (*engine.Timeline, *Info, error) {
	_, text, err := engine.Unpack(name, r, o)
	if err != nil {
		return nil, nil, err
	}
	if !IsJournal(text) {
		t, err := engine.ReadText(name, text, o)
		return t, &Info{}, err
	}
	d, info, err := decode(name, text, o, verify)
	if err != nil {
		return nil, info, err
	}
	t, err := d.Timeline()
	return t, info, err
}

// IsJournal reports whether a text is a journal, by how it begins.
func IsJournal(text string) bool { return strings.HasPrefix(text, magic) }

// decode adds the lines of a journal.
func decode(name, text string, o engine.ReadOptions, verify bool) (*Decoder, *Info, error) {
	d := NewDecoder(name, o)
	d.verify = verify
	err := d.addText(text)
	h := d.head
	return d, &Info{Journal: true, About: h.about, Version: h.version, Head: d.Head(), Frames: d.frames, Torn: int64(len(text) - d.whole), Line: d.frames + 1}, err
}

// addText adds the lines of a whole file.
func (d *Decoder) addText(text string) error {
	for at := 0; at < len(text); {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return d.tornLine(text[at:])
		}
		if d.stop != nil {
			if err := d.stop(); err != nil {
				return err
			}
		}
		before := d.digest
		if err := d.AddLine(text[at : at+n]); err != nil {
			// If the data of an append never reached the disk, NUL bytes may be in its place.
			unwritten := strings.Contains(text[at:at+n], "\x00\x00") && strings.Trim(text[at+n:], "\n\x00") == ""
			if unwritten && d.digest == before { // nothing of the append was replayed
				return nil
			}
			return err
		}
		at += n + 1
		if len(d.pending) == 0 {
			d.whole = at
		}
	}
	return nil
}

// tornLine examines the end of a file after its last newline. An append was interrupted there,
// possibly leaving NUL bytes in place of data that never reached the disk. But a complete line with
// another byte in place of its newline was damaged later.
func (d *Decoder) tornLine(text string) error {
	for rest := text; ; {
		i := strings.Index(rest, digestStart)
		if i < 0 {
			return nil
		}
		rest = rest[i+len(digestStart):]
		end := len(text) - len(rest) + 2*len(Digest{})
		if end >= len(text) {
			return nil
		}
		claimed, ok := ParseDigest(text[end-2*len(Digest{}) : end])
		body := text[:end-2*len(Digest{})-len(digestStart)] + "}"
		if ok && claimed == Chain(d.digest, body) && strings.Trim(text[min(end+len(digestEnd), len(text)):], "\x00") != "" {
			d.lines++
			return d.fail(ErrDigest, "the end of the line was changed")
		}
	}
}

// AddLine is [Decoder.Add] for a line of a journal, without its newline. The decoder keeps the
// line.
func (d *Decoder) AddLine(line string) error {
	i := len(line) - digestLen
	if i < 0 || line[i:i+len(digestStart)] != digestStart || !strings.HasSuffix(line, digestEnd) {
		d.lines++
		return d.fail(ErrLine, "the line does not end with a digest")
	}
	digest, ok := ParseDigest(line[i+len(digestStart) : len(line)-len(digestEnd)])
	if !ok {
		d.lines++
		return d.fail(ErrDigest, "the line does not end with a valid digest")
	}
	return d.add(line[:i], line, digest)
}
