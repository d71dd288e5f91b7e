package otlp

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// object is a message. A text is a string, an id or bytes []byte, a message an object, a boolean a
// bool, a number int32, uint32, int64, uint64 or float64, a list []any. What is missing has no
// entry.
type object map[string]any

var errNesting = fmt.Errorf("values are nested deeper than %d", maxNesting)

// decode adds the fields of a message in protobuf to an object. Unknown ones are left out.
func (s *schema) decode(into object, data []byte, depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	for len(data) > 0 {
		number, form, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		size := protowire.ConsumeFieldValue(number, form, data)
		if size < 0 {
			return protowire.ParseError(size)
		}
		at := slices.IndexFunc(s.fields, func(f field) bool { return f.number == int(number) })
		if at >= 0 && s.fields[at].form() == form {
			f := s.fields[at]
			v, err := f.decode(into, data[:size], depth)
			if err != nil {
				return err
			}
			s.set(into, f, v)
		}
		data = data[size:]
	}
	return nil
}

// form returns how the field is written in protobuf.
func (f field) form() protowire.Type {
	switch f.kind {
	case kindBool, kindUint32, kindInt32, kindInt64:
		return protowire.VarintType
	case kindFixed32:
		return protowire.Fixed32Type
	case kindFixed64, kindDouble:
		return protowire.Fixed64Type
	}
	return protowire.BytesType
}

// decode returns the value of a field in protobuf. A message that comes in parts is one.
func (f field) decode(into object, data []byte, depth int) (any, error) {
	n, _ := binary.Uvarint(data)
	switch f.kind {
	case kindBool:
		return n != 0, nil
	case kindUint32:
		return uint32(n), nil
	case kindInt32:
		return int32(n), nil
	case kindInt64:
		return int64(n), nil
	case kindFixed32:
		return binary.LittleEndian.Uint32(data), nil
	case kindFixed64:
		return binary.LittleEndian.Uint64(data), nil
	case kindDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(data)), nil
	}
	content, _ := protowire.ConsumeBytes(data)
	switch f.kind {
	case kindText:
		if !utf8.Valid(content) {
			return nil, fmt.Errorf("field %s is not UTF-8", f.name)
		}
		return string(content), nil
	case kindMessage:
		part, _ := into[f.name].(object)
		if part == nil {
			part = object{}
		}
		return part, f.of.decode(part, content, depth+1)
	}
	return slices.Clone(content), nil
}

// set sets a field, or adds to a list.
func (s *schema) set(into object, f field, v any) {
	switch {
	case f.list:
		list, _ := into[f.name].([]any)
		into[f.name] = append(list, v)
		return
	case f.choice:
		clear(into)
	}
	into[f.name] = v
}

// parse adds the members of a message in JSON to an object, as the mapping of protobuf has it.
// Unknown ones are left out.
func (s *schema) parse(into object, v any, depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	members, ok := v.(map[string]any)
	if !ok {
		return errors.New("a message is not an object")
	}
	for _, f := range s.fields {
		v, ok := members[f.name]
		if !ok {
			v = members[snake(f.name)]
		}
		if v == nil {
			continue
		}
		list := []any{v}
		if f.list {
			if list, ok = v.([]any); !ok {
				return fmt.Errorf("member %s is not a list", f.name)
			}
		}
		for _, v := range list {
			v, err := f.parse(v, depth)
			if err != nil {
				return err
			}
			s.set(into, f, v)
		}
	}
	return nil
}

// snake returns the name that a field has in protobuf.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// parse returns the value of a field in JSON.
func (f field) parse(v any, depth int) (any, error) {
	digits, isText := v.(string)
	switch n, isNumber := v.(json.Number); {
	case f.kind <= kindBytes && !isText:
		return nil, fmt.Errorf("member %s is not a text", f.name)
	case isNumber:
		digits = n.String()
	case f.kind >= kindUint32 && f.kind < kindMessage && !isText:
		return nil, fmt.Errorf("member %s is not a number", f.name)
	}
	var out any
	var err error
	switch f.kind {
	case kindText:
		return digits, nil
	case kindID:
		out, err = hex.DecodeString(digits)
		if err != nil {
			return badID{}, nil
		}
	case kindBytes:
		digits = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(digits), "=")
		out, err = base64.RawStdEncoding.DecodeString(digits)
	case kindBool:
		b, ok := v.(bool)
		if !ok {
			err = fmt.Errorf("member %s is not a boolean", f.name)
		}
		out = b
	case kindInt32:
		n, bad := strconv.ParseInt(digits, 10, 32)
		out, err = int32(n), bad
		if at := slices.Index(f.enum, digits); at >= 0 {
			out, err = int32(at), nil
		}
	case kindInt64:
		out, err = strconv.ParseInt(digits, 10, 64)
	case kindUint32, kindFixed32:
		n, bad := strconv.ParseUint(digits, 10, 32)
		out, err = uint32(n), bad
	case kindFixed64:
		out, err = strconv.ParseUint(digits, 10, 64)
	case kindDouble:
		out, err = strconv.ParseFloat(digits, 64)
	case kindMessage:
		part := object{}
		out, err = part, f.of.parse(part, v, depth+1)
	}
	if err != nil {
		return nil, fmt.Errorf("member %s: %w", f.name, err)
	}
	return out, nil
}

// badID is an id that is not hexadecimal.
type badID struct{}
