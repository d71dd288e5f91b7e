package source

import (
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// span is a span, which may be known only from log records.
type span struct {
	id, trace, parent string
	name              string
	file              string
	at                value // no document if it is known only from log records
	kind              spanKind
	start             time.Time
	conversation      string // its own
	agent             string // the name of the agent, if it is one
	tool, toolName    string // the id of the tool call and the name of the tool, if it is one
	events            []event
	call, details     *spanCall // from its attributes, and from a log record
	isFailed          bool
	failed, exception string // what the status and an exception say
	dropped           bool   // some of its attributes or events
	begun             value  // what went into a run whose end has not been read
	// place and join set these, of calls only.
	sample string
	by     *span             // the call that started the agent whose first call this is
	byCall string            // the id of the tool call in it
	delta  *span             // the call whose messages and answer the provider put before those of this one
	first  *span             // where a chain of such calls begins
	own    []*series.Message // beyond those of delta
	total  int               // messages, with those of delta
}

type spanID struct{ trace, id string }

// event is a message that was recorded as an event of a span or as a log record, and not as an
// attribute.
type event struct {
	name string // such as gen_ai.user.message
	text string // the message, in JSON
	line int
}

// spanKind says what a span is. A larger one is more certain.
type spanKind uint8

const (
	anySpan   spanKind = iota // a call if it has messages
	otherSpan                 // no call, whatever it repeats of the calls inside it
	toolSpan
	agentSpan
	callSpan
)

// These tables have the kinds of spans by the attribute that each convention has for it. Spans of
// agents and workflows repeat the messages and sum the tokens of the calls inside them.
var (
	genAIOperations = map[string]spanKind{
		"chat": callSpan, "text_completion": callSpan, "generate_content": callSpan,
		"invoke_agent": agentSpan, "execute_tool": toolSpan,
		"create_agent": otherSpan, "invoke_workflow": otherSpan, "embeddings": otherSpan, "retrieval": otherSpan, "rerank": otherSpan, "plan": otherSpan,
	}
	openInferenceKinds = map[string]spanKind{
		"LLM": callSpan, "AGENT": agentSpan, "TOOL": toolSpan,
		"CHAIN": otherSpan, "RETRIEVER": otherSpan, "RERANKER": otherSpan, "EMBEDDING": otherSpan, "GUARDRAIL": otherSpan, "EVALUATOR": otherSpan,
		"PROMPT": otherSpan, "DECISION": otherSpan,
	}
	traceloopKinds = map[string]spanKind{"agent": agentSpan, "tool": toolSpan, "workflow": otherSpan, "task": otherSpan}
	traceloopTypes = map[string]spanKind{"chat": callSpan, "completion": callSpan, "embedding": otherSpan, "rerank": otherSpan}
	vercelKinds    = map[string]spanKind{
		"ai.generateText": agentSpan, "ai.streamText": agentSpan, "ai.generateObject": agentSpan, "ai.streamObject": agentSpan, "ai.toolCall": toolSpan,
	}
)

// spanAttributes are the attributes that say what a span is, in the order in which they are asked.
var spanAttributes = []struct {
	name  string
	kinds map[string]spanKind
}{
	{"ai.operationId", vercelKinds}, {"gen_ai.operation.name", genAIOperations}, {"openinference.span.kind", openInferenceKinds},
	{"llm.request.type", traceloopTypes}, {"traceloop.span.kind", traceloopKinds},
}

// spanKindOf returns the kind of a span.
func spanKindOf(attrs map[string]value) spanKind {
	if id := attrs["ai.operationId"].text(); id != "" {
		if strings.HasSuffix(id, ".doGenerate") || strings.HasSuffix(id, ".doStream") {
			return callSpan
		}
		return max(vercelKinds[id], otherSpan)
	}
	for _, c := range spanAttributes[1:] {
		if kind := c.kinds[attrs[c.name].text()]; kind != anySpan {
			return kind
		}
	}
	return anySpan
}

// conversationOfSpan returns the conversation that a span names, or "".
func conversationOfSpan(attrs map[string]value) string {
	for _, name := range [...]string{"gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id", "langfuse.session.id"} {
		if id := attrs[name].text(); id != "" {
			return strings.Clone(id)
		}
	}
	return ""
}

// attributes returns the attributes of a span by name, as plain JSON values.
func attributes(list value) map[string]value {
	out := map[string]value{}
	for _, a := range list.elements() {
		got := a.pick("key", "value")
		out[got[0].text()] = value{raw: plain(got[1]), doc: list.doc, off: a.off}
	}
	return out
}

// plain returns the JSON text of an OTLP value, which names its type.
func plain(v value) string {
	for kind, w := range v.members() {
		switch kind {
		case "stringValue", "doubleValue", "boolValue", "bytesValue":
			return w.raw
		case "intValue": // a string, because it may have 64 bits
			if text := w.text(); canonjson.IsNumber(text) {
				return text
			}
			return w.raw
		case "arrayValue":
			var out strings.Builder
			out.WriteString("[")
			for i, e := range w.get("values").elements() {
				if i > 0 {
					out.WriteString(",")
				}
				out.WriteString(plain(e))
			}
			return out.String() + "]"
		case "kvlistValue":
			return object(attributes(w.get("values")))
		}
	}
	return "null"
}

// object returns an object with the given members, sorted by name.
func object(members map[string]value) string {
	return canonjson.ObjectText(members, func(v value) string { return v.raw })
}
