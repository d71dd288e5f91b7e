package recent

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// head describes a session, from the beginning and the end of a file.
type head struct {
	ID     string `json:"id,omitempty"`
	Parent string `json:"parent,omitempty"` // the id of the session that the file belongs to, if it is not ID
	Folder string `json:"folder,omitempty"`
	Base   string `json:"base,omitempty"` // the id of the session that it continues without a copy of the history
	// Sessions are the ids of sessions that the requests in a recording name.
	Sessions []string `json:"sessions,omitempty"`
	Branch   string   `json:"branch,omitempty"`
	Title    string   `json:"title,omitempty"`
	Prompt   string   `json:"prompt,omitempty"`
	Started  string   `json:"started,omitempty"`
	Empty    bool     `json:"empty,omitempty"` // whether the file has neither messages nor a title
	command  string   // the first command of the user
	spoken   bool     // whether there is a message
	named    bool     // whether the user chose the title
}

// How much of a file is read: its beginning in steps until enough is known, and its end.
const (
	step     = 16 << 10
	maxHead  = 128 << 10
	tailSize = 16 << 10
)

// reader reads the beginnings and ends of files, one after the other. Its buffers are used again
// for each file: new ones for thousands of files would be most of the garbage of a list.
type reader struct {
	head [maxHead]byte
	tail [tailSize]byte
}

// mayJoin reports whether a file may belong to the session of another one, by a text among its
// first bytes. It is faster than readHead.
func (r *reader) mayJoin(a agent, f *file) bool {
	if a.joins == "" {
		return true
	}
	in, err := atomicfile.Open(f.path)
	if err != nil {
		return false
	}
	defer in.Close()
	text := r.head[:2*step]
	n, _ := in.ReadAt(text, 0) // a shorter file is searched, too
	return bytes.Contains(text[:n], []byte(a.joins))
}

// readHead reads the beginning and the end of a file. It returns nil if it cannot be read.
func (r *reader) readHead(a agent, f *file) *head {
	in, err := atomicfile.Open(f.path)
	if err != nil {
		return nil
	}
	defer in.Close()
	h := &head{}
	end := r.begin(h, a, in, f)
	if from := max(end, f.size-tailSize); from < f.size && a.tail != nil {
		text := r.tail[:f.size-from]
		n, _ := in.ReadAt(text, from)
		text = text[:n]
		if from > end { // the first line is incomplete
			_, text, _ = bytes.Cut(text, []byte("\n"))
		}
		for line := range bytes.Lines(text) {
			a.tail(h, line)
		}
	}
	if a.place != nil {
		a.place(h, f)
	}
	if h.Prompt == "" {
		h.Prompt = h.command
	}
	h.Empty = !h.spoken && h.Title == "" && end >= f.size
	return h
}

// begin reads the beginning of a file into h, and returns its end. A file named .json is one
// document.
func (r *reader) begin(h *head, a agent, in io.ReaderAt, f *file) (end int64) {
	var text []byte // what no line had yet, up to end
	isLines := !strings.HasSuffix(f.path, ".json")
	for most := min(f.size, maxHead); end < most; {
		from := end - int64(len(text))
		n, err := in.ReadAt(r.head[end:min(end+step, most)], end)
		end += int64(n)
		text = r.head[from:end]
		for isLines {
			line, rest, ok := bytes.Cut(text, []byte("\n"))
			if !ok {
				break
			}
			if text = rest; a.line(h, line) {
				return end - int64(len(text))
			}
		}
		if err != nil || n == 0 {
			break
		}
	}
	a.line(h, completed(text))
	return end
}

// completed turns the beginning of a JSON text into JSON. It closes the strings, lists and objects
// that are open, and drops the last member or element if it is incomplete. It uses the memory of
// text, and what follows it.
func completed(text []byte) []byte {
	var open []byte
	inString, last := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == ',':
			last = i
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	out := text
	if inString {
		if i := bytes.LastIndexByte(out, '\\'); i >= max(0, len(out)-maxEscape) { // it may be incomplete
			out = out[:i]
		}
		out = append(out, '"')
	}
	slices.Reverse(open)
	out = append(out, open...)
	if len(open) > 0 && last > 0 && !json.Valid(out) { // the text ends in a name or a number
		return completed(text[:last])
	}
	return out
}

// maxEscape is the length of the longest escape in a string.
const maxEscape = len(`\u0000`)
