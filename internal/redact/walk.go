package redact

import (
	"encoding/json"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// maxNested is how deep JSON in strings of JSON is read. What is deeper is searched as text.
const maxNested = 8

// maxDepth is how deep values are nested in a text that is read.
const maxDepth = 10_000

// Shape says what of a JSON text is not data.
type Shape struct {
	// Below are the members whose objects and lists are a part of the format: names of their
	// members say nothing about values, and numbers stay.
	Below map[string]bool
	// Drop are members of the format that are left out, because they are digests of the content.
	Drop map[string]bool
}

// Text returns a text without what the rules find. A text that is JSON is read as such.
func (r *Redactor) Text(text string) string { return r.again(r.text("", text, 0)) }

// JSON returns a JSON value without what the rules find in its strings and in the names of members.
// The rest of the text stays as it is. A text that is not JSON is redacted as text.
func (r *Redactor) JSON(text string, shape Shape) string { return r.again(r.first(text, shape)) }

// Value is [Redactor.JSON] for a text that must stay JSON. It returns false if the text cannot be
// searched or would not stay that.
func (r *Redactor) Value(text string, shape Shape) (string, bool) {
	out, ok := r.json(text, shape, shape.Below != nil, 0)
	out = r.again(out)
	return out, ok && json.Valid([]byte(out))
}

// first is [Redactor.JSON] without replacing secrets that only other texts show to be secrets.
func (r *Redactor) first(text string, shape Shape) string {
	if out, ok := r.json(text, shape, shape.Below != nil, 0); ok {
		return out
	}
	return r.text("", text, maxNested)
}

// text returns a text without what the rules find in it. before is what comes before it.
func (r *Redactor) text(before, text string, depth int) string {
	if c := strings.TrimLeft(text, " \t\r\n"); depth < maxNested && c != "" && strings.IndexByte(`{["`, c[0]) >= 0 {
		if out, ok := r.json(text, Shape{}, false, depth+1); ok {
			return out
		}
	}
	found := r.find(before, text, 0)
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	last := 0
	for _, s := range found {
		b.WriteString(text[last:s.start])
		b.WriteString(r.standIn(s))
		last = s.end
	}
	b.WriteString(text[last:])
	return b.String()
}

// standIn returns what replaces a span.
func (r *Redactor) standIn(s span) string {
	if s.text == "" {
		return "[" + s.kind + "]"
	}
	return r.placeholder(s.secret, s.everywhere)
}

// level is an object or a list around a position.
type level struct {
	isObject bool
	isFormat bool
	name     string // of the member, as text
	nameAt   int    // where the name is written
}

// json returns a JSON text without what the rules find. It returns false if the text is not JSON.
func (r *Redactor) json(text string, shape Shape, isFormat bool, depth int) (string, bool) {
	s := canonjson.NewScanner(text, maxDepth)
	if s.Skip() != nil || s.End() != nil {
		return text, false
	}
	w := walker{r: r, text: text, shape: shape, depth: depth, around: []level{{isFormat: isFormat}}}
	w.walk()
	if w.last == 0 && w.out.Len() == 0 {
		return text, true
	}
	w.out.WriteString(text[w.last:])
	return w.out.String(), true
}

// walker replaces strings and numbers of a JSON text that is valid.
type walker struct {
	r      *Redactor
	text   string
	shape  Shape
	depth  int
	around []level // the innermost last
	isName bool    // the next string is the name of a member
	out    strings.Builder
	last   int // up to where the text is in out
}

func (w *walker) walk() {
	for i := 0; i < len(w.text); {
		top := &w.around[len(w.around)-1]
		switch c := w.text[i]; {
		case c == '{' || c == '[':
			isFormat := top.isFormat && (top.name == "" || w.shape.Below[top.name])
			below := level{isObject: c == '{', isFormat: isFormat}
			if c == '[' && !isFormat {
				below.name = top.name
			}
			w.around = append(w.around, below)
			w.isName = c == '{'
		case c == '}' || c == ']':
			w.around = w.around[:len(w.around)-1]
		case c == ',':
			w.isName = top.isObject
		case c == ':':
			w.isName = false
		case c == '"':
			end := canonjson.StringEnd(w.text, i)
			w.string(top, i, end)
			i = end
			continue
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(w.text) && strings.IndexByte("+-.eE0123456789", w.text[end]) >= 0 {
				end++
			}
			w.number(top, i, end)
			i = end
			continue
		}
		i++
	}
}

// string replaces a string or the name of a member.
func (w *walker) string(top *level, start, end int) {
	value := canonjson.Unquote(w.text[start:end])
	if w.isName {
		top.name, top.nameAt = value, start
		w.put(start, end, value, w.r.text("", value, maxNested))
		return
	}
	if top.isFormat && w.shape.Drop[top.name] {
		w.drop(top.nameAt, end)
		return
	}
	name := top.name
	if w.r.isCredential(name) && len(value) > 3 && !w.r.isAllowed(value) && !isTemplate(value) {
		s := span{secret: secret{credential, value}, everywhere: true}
		if found := w.r.find(name+`="`, value, 0); len(found) == 1 && found[0].start == 0 && found[0].end == len(value) {
			s = found[0] // of a known kind
		}
		w.put(start, end, value, w.r.standIn(s))
		return
	}
	before := ""
	if !top.isFormat && name != "" && len(name) <= 64 && len(value) <= 1<<12 {
		before = name + `="`
	}
	w.put(start, end, value, w.r.text(before, value, w.depth))
}

// isTemplate reports whether a value only names where the secret comes from, or was replaced.
func isTemplate(value string) bool {
	return strings.ContainsAny(value[:1], "$<{[%*") && !strings.ContainsAny(value, "\n") && len(value) < 80
}

// number replaces a number in data.
func (w *walker) number(top *level, start, end int) {
	if value := w.text[start:end]; !top.isFormat && len(value) >= 6 {
		w.put(start, end, value, w.r.text("", value, maxNested))
	}
}

// put writes a string instead of what is between two positions, if it has changed.
func (w *walker) put(start, end int, before, after string) {
	if before == after {
		return
	}
	w.out.WriteString(w.text[w.last:start])
	w.out.Write(canonjson.AppendString(nil, after))
	w.last = end
}

// drop leaves out a member.
func (w *walker) drop(start, end int) {
	if strings.HasPrefix(w.text[end:], ",") {
		end++
	} else if strings.HasSuffix(w.text[:start], ",") {
		start--
	}
	if start > w.last {
		w.out.WriteString(w.text[w.last:start])
	}
	w.last = end
}

// quote returns a text as it is written in a JSON string.
func quote(text string) string {
	quoted := canonjson.AppendString(nil, text)
	return string(quoted[1 : len(quoted)-1])
}
