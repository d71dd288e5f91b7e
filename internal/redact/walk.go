package redact

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// maxNested is how deep JSON in strings of JSON is read as JSON. What is deeper is searched as
// text.
const maxNested = 8

// maxDepth is how deep values may be nested in JSON.
const maxDepth = 10_000

// Shape says which parts of a JSON text belong to its format, and are not data.
type Shape struct {
	// Below are the members whose objects and lists belong to the format, too. In the format, names
	// of members say nothing about values, and numbers stay.
	Below map[string]bool
	// Drop are members of the format to remove, such as digests of the content.
	Drop map[string]bool
}

// Text returns a text without secrets. A text that is JSON is read as such.
func (r *Redactor) Text(text string) string { return r.again(r.text("", text, 0)) }

// JSON returns a JSON text without secrets in its strings, numbers and names of members. The rest
// of the text stays as it is. A text that is not JSON is redacted as text.
func (r *Redactor) JSON(text string, shape Shape) string { return r.again(r.first(text, shape)) }

// Value is [Redactor.JSON] for a text that must stay JSON. It returns false if the text or the
// result is not JSON.
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

// text returns a text without the secrets that the rules find in it, after before, such as a name.
func (r *Redactor) text(before, text string, depth int) string {
	if c := strings.TrimLeft(text, " \t\r\n"); depth < maxNested && c != "" && strings.IndexByte(`{["`, c[0]) >= 0 {
		if out, ok := r.json(text, Shape{}, false, depth+1); ok {
			return out
		}
	}
	return replaced(text, r.find(before, text, 0), r.standIn)
}

// replaced returns a text in which other texts stand for spans.
func replaced(text string, spans []span, standIn func(span) string) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	last := 0
	for _, s := range spans {
		b.WriteString(text[last:s.start])
		b.WriteString(standIn(s))
		last = s.end
	}
	b.WriteString(text[last:])
	return b.String()
}

// Message returns a message without the secrets in it, which it does not number or count. Addresses
// stay, because messages name files.
func (r *Redactor) Message(text string) string {
	secrets := slices.DeleteFunc(r.find("", text, 0), func(s span) bool { return isAddress(s.kind) })
	return replaced(text, secrets, func(s span) string { return "[redacted " + s.kind + "]" })
}

// standIn returns the placeholder of a span.
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
	name     string // the name of the current member, decoded
	nameAt   int    // the offset of the name
	before   string // the strings before in a list of data, with a space after each
}

// json returns a JSON text without the secrets that the rules find. It returns false if the text is
// not JSON.
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

// walker replaces strings and numbers in a valid JSON text.
type walker struct {
	r      *Redactor
	text   string
	shape  Shape
	depth  int
	around []level // the innermost last
	isName bool    // whether the next string is the name of a member
	out    strings.Builder
	last   int // the end of the text that is in out
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
	name, command := top.name, top.before
	if !top.isObject && !top.isFormat && len(value) <= mostArgument {
		top.before = command[max(0, len(command)-mostArgument):] + value + " "
	}
	isValueOfFlag := w.r.isFlag(command) && !strings.HasPrefix(value, "-")
	if (w.r.isCredential(name) || isValueOfFlag) && len(value) > 3 && !w.r.isAllowed(value) && !isTemplate(value) {
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
	w.put(start, end, value, w.r.text(cmp.Or(command, before), value, w.depth))
}

// mostArgument is the length of the longest string in a list that can be an argument of a command,
// and of the part of the command that is remembered.
const mostArgument = 256

// isFlag reports whether a command ends with a flag whose value is a credential.
func (r *Redactor) isFlag(command string) bool {
	if !strings.HasSuffix(command, " ") || r.isOff(credential) {
		return false
	}
	command = command[:len(command)-1]
	last := command[strings.LastIndexByte(command, ' ')+1:]
	return strings.HasPrefix(last, "-") && IsSetting(strings.TrimLeft(last, "-"))
}

// isTemplate reports whether a value stands for a secret: it names its source, or is a placeholder.
func isTemplate(value string) bool {
	return strings.ContainsAny(value[:1], "$<{[%*") && !strings.ContainsAny(value, "\n") && len(value) < 80
}

// number replaces a number in data.
func (w *walker) number(top *level, start, end int) {
	if value := w.text[start:end]; !top.isFormat && len(value) >= 6 {
		w.put(start, end, value, w.r.text("", value, maxNested))
	}
}

// put replaces the text between two offsets with a string, if before and after differ.
func (w *walker) put(start, end int, before, after string) {
	if before == after {
		return
	}
	w.out.WriteString(w.text[w.last:start])
	w.out.Write(canonjson.AppendString(nil, after))
	w.last = end
}

// drop removes a member, with the comma after it or before it.
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
