package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var kinds = map[kind]protoreflect.Kind{
	kindText: protoreflect.StringKind, kindID: protoreflect.BytesKind, kindBytes: protoreflect.BytesKind, kindBool: protoreflect.BoolKind, kindUint32: protoreflect.Uint32Kind,
	kindInt32: protoreflect.Int32Kind, kindInt64: protoreflect.Int64Kind, kindFixed32: protoreflect.Fixed32Kind, kindFixed64: protoreflect.Fixed64Kind,
	kindDouble: protoreflect.DoubleKind, kindMessage: protoreflect.MessageKind,
}

// The tables have the fields of the official messages.
func TestSchema(t *testing.T) {
	seen := map[*schema]bool{}
	var compare func(s *schema, d protoreflect.MessageDescriptor)
	compare = func(s *schema, d protoreflect.MessageDescriptor) {
		if seen[s] {
			return
		}
		seen[s] = true
		if len(s.fields) != d.Fields().Len() {
			t.Errorf("%s has %d fields, want %d", d.FullName(), len(s.fields), d.Fields().Len())
		}
		for _, f := range s.fields {
			of := d.Fields().ByNumber(protoreflect.FieldNumber(f.number))
			if of == nil || of.JSONName() != f.name || string(of.Name()) != snake(f.name) || of.IsList() != f.list || f.choice != (of.ContainingOneof() != nil) {
				t.Errorf("%s: %d is not %s", d.FullName(), f.number, f.name)
				continue
			}
			if e := of.Enum(); e != nil {
				if f.kind != kindInt32 || len(f.enum) != e.Values().Len() {
					t.Errorf("%s has %d names, want %d", f.name, len(f.enum), e.Values().Len())
				}
				for i, name := range f.enum {
					if v := e.Values().ByName(protoreflect.Name(name)); v == nil || int(v.Number()) != i {
						t.Errorf("%s: %s is not %d", f.name, name, i)
					}
				}
			} else if of.Kind() != kinds[f.kind] {
				t.Errorf("%s of %s is %s", f.name, d.FullName(), of.Kind())
			}
			if f.kind == kindMessage {
				compare(f.of, of.Message())
			}
		}
	}
	compare(tracesData, (&trace.TracesData{}).ProtoReflect().Descriptor())
	compare(logsData, (&logs.LogsData{}).ProtoReflect().Descriptor())
}

// A random message in protobuf, and in the JSON that the official library writes, is written as the
// official library reads it.
func TestOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 6))
	for range 300 {
		for path, m := range map[string]proto.Message{"/v1/traces": &trace.TracesData{}, "/v1/logs": &logs.LogsData{}} {
			fill(m.ProtoReflect(), random, 0)
			binary := marshal(t, m)
			want := proto.Clone(m)
			hexadecimal(want.ProtoReflect())
			for _, isJSON := range []bool{false, true} {
				body := binary
				if isJSON {
					body, _ = protojson.Marshal(want) // its ids are hexadecimal
					if random.IntN(2) == 0 {
						body, _ = protojson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}.Marshal(want)
					}
				}
				o := object{}
				if err := signals[path].decode(o, body, isJSON); err != nil {
					t.Fatalf("%v\n%v", err, m)
				}
				got := signals[path].written(o)
				if !json.Valid(got) {
					t.Fatalf("not JSON: %s", got)
				}
				back := m.ProtoReflect().New().Interface()
				if err := protojson.Unmarshal(got, back); err != nil || !proto.Equal(back, want) {
					t.Fatalf("%v\n%v\nis written as\n%s", err, m, got)
				}
			}
		}
	}
}

// hexadecimal replaces ids by the bytes that protojson writes as their digits: it writes bytes in
// base64, and OTLP wants hexadecimal.
func hexadecimal(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() == protoreflect.BytesKind && f.Name() != "bytes_value":
			raw, _ := base64.StdEncoding.DecodeString(hex.EncodeToString(v.Bytes()))
			m.Set(f, protoreflect.ValueOfBytes(raw))
		case f.Kind() == protoreflect.MessageKind && f.IsList():
			for i := range v.List().Len() {
				hexadecimal(v.List().Get(i).Message())
			}
		case f.Kind() == protoreflect.MessageKind:
			hexadecimal(v.Message())
		}
		return true
	})
}

// fill sets random fields.
func fill(m protoreflect.Message, random *rand.Rand, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if o := f.ContainingOneof(); random.IntN(3) == 0 && depth > 3 || depth > 9 || o != nil && random.IntN(o.Fields().Len()/2) > 0 {
			continue
		}
		if !f.IsList() {
			m.Set(f, some(m.NewField(f), f, random, depth))
			continue
		}
		list := m.Mutable(f).List()
		for range random.IntN(3) {
			list.Append(some(list.NewElement(), f, random, depth))
		}
	}
}

func some(empty protoreflect.Value, f protoreflect.FieldDescriptor, random *rand.Rand, depth int) protoreflect.Value {
	n := random.Uint64() >> random.IntN(64) * uint64(random.IntN(4)) / 3
	switch f.Kind() {
	case protoreflect.MessageKind:
		fill(empty.Message(), random, depth+1)
		return empty
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"", "a", "<é>&\u2028\n\"\\", "gen_ai.usage", "😀"}[random.IntN(5)])
	case protoreflect.BytesKind:
		size := map[protoreflect.Name]int{"trace_id": 16, "span_id": 8, "parent_span_id": 8}[f.Name()]
		if size == 0 {
			size = random.IntN(5)
		}
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(random.IntN(256))
		}
		return protoreflect.ValueOfBytes(data)
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n%2 == 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n % 30))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(n)
	}
	return protoreflect.ValueOfFloat64([]float64{0, math.Copysign(0, -1), 0.1, 1e300, -1e-7, math.Inf(1), math.Inf(-1), float64(n)}[random.IntN(8)])
}
