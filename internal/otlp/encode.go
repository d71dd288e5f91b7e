package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"reflect"
)

// write adds a message in JSON. Numbers of 64 bits are texts, and enums are numbers.
func (s *schema) write(b *bytes.Buffer, o object) {
	b.WriteByte('{')
	separator := ""
	for _, f := range s.fields {
		v, ok := o[f.name]
		if !ok || !f.choice && reflect.ValueOf(v).IsZero() || f.kind <= kindBytes && !f.choice && reflect.ValueOf(v).Len() == 0 {
			continue
		}
		b.WriteString(separator + `"` + f.name + `":`)
		separator = ","
		list, isList := v.([]any)
		if !isList {
			f.write(b, v)
			continue
		}
		for i, v := range list {
			b.WriteByte("[,"[min(i, 1)])
			f.write(b, v)
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
}

// write adds a value of a field.
func (f field) write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case object:
		f.of.write(b, v)
	case string:
		quote(b, v)
	case []byte:
		if f.kind == kindID {
			quote(b, hex.EncodeToString(v))
		} else {
			quote(b, base64.StdEncoding.EncodeToString(v))
		}
	case float64:
		switch {
		case math.IsNaN(v):
			quote(b, "NaN")
		case math.IsInf(v, 1):
			quote(b, "Infinity")
		case math.IsInf(v, -1):
			quote(b, "-Infinity")
		default:
			number, _ := json.Marshal(v) // finite
			b.Write(number)
		}
	default:
		number, _ := json.Marshal(v) // a boolean or a whole number
		if f.kind == kindInt64 || f.kind == kindFixed64 {
			quote(b, string(number))
		} else {
			b.Write(number)
		}
	}
}

func quote(b *bytes.Buffer, text string) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)      // a string
	b.Truncate(b.Len() - 1) // the newline
}
