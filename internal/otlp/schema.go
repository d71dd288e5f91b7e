package otlp

// kind is how a field is written in protobuf and in JSON.
type kind int

const (
	kindText  kind = iota
	kindID         // bytes, in JSON hexadecimal digits
	kindBytes      // in JSON base64
	kindBool       // the next are numbers
	kindUint32
	kindInt32 // in JSON perhaps the name of an enum
	kindInt64 // in JSON a text
	kindFixed32
	kindFixed64 // in JSON a text
	kindDouble
	kindMessage
)

// field is a field of a message.
type field struct {
	number int
	name   string // in JSON
	kind   kind
	list   bool
	choice bool     // at most one such field of a message has a value, which may be zero
	enum   []string // the names of the numbers from zero
	of     *schema
}

// schema is the type of a message: its fields in the order in which they are written.
type schema struct{ fields []field }

// The messages of traces and logs. Package protobuf, with the messages of OpenTelemetry, would read
// them as well, and add three megabytes to each program; a test compares these tables with them.
var (
	anyValue   = &schema{}
	keyValue   = &schema{[]field{{number: 1, name: "key"}, {number: 2, name: "value", kind: kindMessage, of: anyValue}, {number: 3, name: "keyStrindex", kind: kindInt32}}}
	attributes = field{name: "attributes", kind: kindMessage, list: true, of: keyValue}
	dropped    = field{name: "droppedAttributesCount", kind: kindUint32}
	schemaURL  = field{number: 3, name: "schemaUrl"}
	entity     = &schema{[]field{{number: 1, name: "schemaUrl"}, {number: 2, name: "type"}, {number: 3, name: "idKeys", list: true}, {number: 4, name: "descriptionKeys", list: true}}}
	resource   = field{number: 1, name: "resource", kind: kindMessage, of: &schema{[]field{attributes.at(1), dropped.at(2), {number: 3, name: "entityRefs", kind: kindMessage, list: true, of: entity}}}}
	scope      = field{number: 1, name: "scope", kind: kindMessage, of: &schema{[]field{{number: 1, name: "name"}, {number: 2, name: "version"}, attributes.at(3), dropped.at(4)}}}

	event = &schema{[]field{{number: 1, name: "timeUnixNano", kind: kindFixed64}, {number: 2, name: "name"}, attributes.at(3), dropped.at(4)}}
	link  = &schema{[]field{{number: 1, name: "traceId", kind: kindID}, {number: 2, name: "spanId", kind: kindID}, {number: 3, name: "traceState"}, attributes.at(4), dropped.at(5),
		{number: 6, name: "flags", kind: kindFixed32}}}
	status = &schema{[]field{{number: 2, name: "message"}, {number: 3, name: "code", kind: kindInt32, enum: []string{"STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"}}}}
	span   = &schema{[]field{{number: 1, name: "traceId", kind: kindID}, {number: 2, name: "spanId", kind: kindID}, {number: 3, name: "traceState"}, {number: 4, name: "parentSpanId", kind: kindID},
		{number: 16, name: "flags", kind: kindFixed32}, {number: 5, name: "name"}, {number: 6, name: "kind", kind: kindInt32, enum: spanKinds}, {number: 7, name: "startTimeUnixNano", kind: kindFixed64},
		{number: 8, name: "endTimeUnixNano", kind: kindFixed64}, attributes.at(9), dropped.at(10), {number: 11, name: "events", kind: kindMessage, list: true, of: event},
		{number: 12, name: "droppedEventsCount", kind: kindUint32}, {number: 13, name: "links", kind: kindMessage, list: true, of: link}, {number: 14, name: "droppedLinksCount", kind: kindUint32},
		{number: 15, name: "status", kind: kindMessage, of: status}}}
	logRecord = &schema{[]field{{number: 1, name: "timeUnixNano", kind: kindFixed64}, {number: 11, name: "observedTimeUnixNano", kind: kindFixed64},
		{number: 2, name: "severityNumber", kind: kindInt32, enum: severities}, {number: 3, name: "severityText"}, {number: 5, name: "body", kind: kindMessage, of: anyValue}, attributes.at(6), dropped.at(7),
		{number: 8, name: "flags", kind: kindFixed32}, {number: 9, name: "traceId", kind: kindID}, {number: 10, name: "spanId", kind: kindID}, {number: 12, name: "eventName"}}}

	tracesData = within("resourceSpans", "scopeSpans", "spans", span)
	logsData   = within("resourceLogs", "scopeLogs", "logRecords", logRecord)
)

func init() { // a value has values
	list := func(of *schema) *schema {
		return &schema{[]field{{number: 1, name: "values", kind: kindMessage, list: true, of: of}}}
	}
	anyValue.fields = []field{{number: 1, name: "stringValue"}, {number: 2, name: "boolValue", kind: kindBool}, {number: 3, name: "intValue", kind: kindInt64}, {number: 4, name: "doubleValue", kind: kindDouble},
		{number: 5, name: "arrayValue", kind: kindMessage, of: list(anyValue)}, {number: 6, name: "kvlistValue", kind: kindMessage, of: list(keyValue)}, {number: 7, name: "bytesValue", kind: kindBytes},
		{number: 8, name: "stringValueStrindex", kind: kindInt32}}
	for i := range anyValue.fields {
		anyValue.fields[i].choice = true
	}
}

// at returns the field with the number that it has in a message.
func (f field) at(number int) field {
	f.number = number
	return f
}

// within returns the type of a request: elements of scopes of resources.
func within(resources, scopes, elements string, of *schema) *schema {
	inner := &schema{[]field{scope, {number: 2, name: elements, kind: kindMessage, list: true, of: of}, schemaURL}}
	outer := &schema{[]field{resource, {number: 2, name: scopes, kind: kindMessage, list: true, of: inner}, schemaURL}}
	return &schema{[]field{{number: 1, name: resources, kind: kindMessage, list: true, of: outer}}}
}

var spanKinds = []string{"SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL", "SPAN_KIND_SERVER", "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER", "SPAN_KIND_CONSUMER"}

var severities = func() (names []string) {
	names = []string{"SEVERITY_NUMBER_UNSPECIFIED"}
	for _, level := range []string{"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"} {
		for _, step := range []string{"", "2", "3", "4"} {
			names = append(names, "SEVERITY_NUMBER_"+level+step)
		}
	}
	return names
}()
