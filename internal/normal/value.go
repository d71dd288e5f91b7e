package normal

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// isEmpty reports whether a member says nothing: providers treat it like a missing one.
func isEmpty(raw string) bool { return raw == "null" || raw == "[]" || raw == `""` }

// saysNothing reports whether a member of a part of a kind is like a missing one: it is empty, or
// says what holds anyway.
func saysNothing(kind, name, raw string) bool {
	return isEmpty(raw) || name == "is_error" && raw == "false" || kind == result && name == "status" && raw == `"success"` ||
		kind == call && name == "caller" && raw == `{"type":"direct"}` || kind == "document" && name == "citations" && raw == `{"enabled":false}` ||
		kind == "input_image" && name == "detail" && raw == `"auto"`
}

// usualDetail begins an image of OpenAI, in canonical JSON, that says what holds anyway of how
// closely the model looks at it.
const usualDetail = `{"detail":"auto",`

// image returns an image of OpenAI without the usual detail.
func image(raw string) string {
	if rest, ok := strings.CutPrefix(raw, usualDetail); ok {
		return "{" + rest
	}
	return raw
}

// arguments returns the arguments of a call: a JSON text inside a string is that JSON.
func arguments(raw string) string {
	if strings.HasPrefix(raw, `"`) {
		in, err := canonjson.Canonical(canonjson.Unquote(raw))
		if err != nil {
			return raw
		}
		raw = in
	}
	return numbers(raw)
}

// nested returns the normal form of a member of a part.
func (f form) nested(name, raw string) string {
	switch {
	case opaque[name], name == "text", name == "thinking":
		return raw
	case name == "image_url":
		raw = image(raw)
	}
	return f.value(raw)
}

// value returns the normal form of a content: a list of one text is the text.
func (f form) value(raw string) string {
	switch {
	case strings.HasPrefix(raw, "["):
		out := []byte{'['}
		only, n := "", 0
		s := canonjson.Borrow(raw)
		defer s.Return()
		_ = s.Array(func(int) error {
			e, err := s.Raw()
			if p := Element("", e); p.Kind == text {
				k := p.key(f)
				if e = k.Value; k.More != "" {
					e += "\x00" + k.More
				} else {
					only = e
				}
			} else {
				if p.Kind == "input_image" {
					e = image(e)
				}
				e = f.value(e)
			}
			if n++; n > 1 {
				out = append(out, ',')
			}
			out = append(out, e...)
			return err
		})
		if n == 1 && only != "" {
			return only
		}
		return string(append(out, ']'))
	case strings.HasPrefix(raw, "{"):
		if !mayDiffer(raw) {
			return raw
		}
		out := []byte{'{'}
		s := canonjson.Borrow(raw)
		defer s.Return()
		_ = s.Object(func(name string, _ int) error {
			v, err := s.Raw()
			if !everywhere[name] {
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = append(canonjson.AppendString(out, name), ':')
				out = append(out, f.nested(name, v)...)
			}
			return err
		})
		return string(append(out, '}'))
	}
	return raw
}

// mayDiffer reports whether a text may contain a direction, or the usual detail of an image.
func mayDiffer(raw string) bool {
	if strings.Contains(raw, usualDetail) {
		return true
	}
	for name := range everywhere {
		if strings.Contains(raw, name) {
			return true
		}
	}
	return false
}

// numbers returns canonical JSON with each number in its shortest form.
func numbers(raw string) string {
	if !strings.ContainsAny(raw, ".eE") { // also in texts; the rest decides
		return raw
	}
	var out []byte
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			end := canonjson.StringEnd(raw, i)
			out, i = append(out, raw[i:end]...), end
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(raw) && strings.IndexByte("0123456789+-.eE", raw[end]) >= 0 {
				end++
			}
			out, i = append(out, number(raw[i:end])...), end
		default:
			out, i = append(out, c), i+1
		}
	}
	return string(out)
}

func number(raw string) string {
	v, err := strconv.ParseFloat(raw, 64)
	if err != nil || !strings.ContainsAny(raw, ".eE") {
		return raw
	}
	if v == float64(int64(v)) && v > -1<<53 && v < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
