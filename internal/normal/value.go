package normal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// isEmpty reports whether a member says nothing: providers treat it like a missing one.
func isEmpty(raw string) bool { return raw == "" || raw == "null" || raw == "[]" || raw == `""` }

// saysNothing reports whether a member is like a missing one: it is empty, or says what holds
// anyway. of is what it is a member of, as in the table of usual values.
func saysNothing(of, name, raw string) bool {
	return isEmpty(raw) || slices.Contains(usual[""][name], raw) || slices.Contains(usual[of][name], raw)
}

// arguments returns the arguments of a call: a JSON text inside a string is that JSON, and none are
// an empty object.
func arguments(raw string) string {
	if isEmpty(raw) {
		return "{}"
	}
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
	if opaque[name] || name == "text" || name == "thinking" {
		return raw
	}
	if strings.HasPrefix(raw, "{") {
		return f.object(name, raw)
	}
	return f.value(raw)
}

// object returns the normal form of an object of a provider's API, which is a part or in one. of
// names the object in the table of usual values.
func (f form) object(of, raw string) string {
	if !mayDiffer(raw) {
		return raw
	}
	return objectOf(raw, func(name, v string) (string, string) {
		if everywhere[name] || saysNothing(of, name, v) {
			return "", ""
		}
		return name, f.nested(name, v)
	})
}

// objectOf returns an object with the names and values that a function makes of its members. It
// leaves out those without a name.
func objectOf(raw string, as func(name, v string) (string, string)) string {
	out := []byte{'{'}
	s := canonjson.Borrow(raw)
	defer s.Return()
	_ = s.Object(func(name string, _ int) error {
		v, err := s.Raw()
		if name, v = as(name, v); name != "" {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(canonjson.AppendString(out, name), ':'), v...)
		}
		return err
	})
	return string(append(out, '}'))
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
			} else if strings.HasPrefix(e, "{") && p.Kind != "other" {
				e = f.object(p.Kind, e)
			} else {
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
		return objectOf(raw, func(name, v string) (string, string) { // may be of a tool
			if everywhere[name] {
				return "", ""
			}
			return name, f.nested(name, v)
		})
	}
	return raw
}

// mayDiffer reports whether a text may contain a direction, or a member that says nothing. Base64
// has no colons, so an image of any size does not.
func mayDiffer(raw string) bool {
	for _, sign := range [...]string{":null", ":[]", `:""`, ":{}", ":false", `:"auto"`} {
		if strings.Contains(raw, sign) {
			return true
		}
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
