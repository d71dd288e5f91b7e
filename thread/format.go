package thread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// Format is a serialization of a thread.
type Format uint8

const (
	Pact            Format = iota // the provider thread of the specification (0.1, 02 §12)
	OpenAI                        // messages of the OpenAI chat API
	OpenAIResponses               // input items of the OpenAI Responses API
	Anthropic                     // system and messages of the Anthropic Messages API
	Gemini                        // systemInstruction and contents of the Gemini API
	Flat                          // the flat log of the specification (0.1, 07 §4.1)
	ShareGPT                      // conversations of ShareGPT data sets
	ClaudeCode                    // session files of Claude Code, one record per line
	LangChain                     // messages of LangChain, as its messages_to_dict writes them
	PydanticAI                    // messages of Pydantic AI, as its ModelMessagesTypeAdapter writes them
	AISDK                         // messages of the AI SDK for models
	AISDKUI                       // messages of the AI SDK for user interfaces
)

// formatNames has the names of the formats.
var formatNames = [...]string{
	Pact: "pact", OpenAI: "openai", OpenAIResponses: "openai-responses", Anthropic: "anthropic", Gemini: "gemini", Flat: "flat",
	ShareGPT: "sharegpt", ClaudeCode: "claude-code", LangChain: "langchain", PydanticAI: "pydantic-ai", AISDK: "ai-sdk", AISDKUI: "ai-sdk-ui",
}

// renderers has the functions that write the formats.
var renderers = [len(formatNames)]func(*renderer){
	Pact: renderPact, OpenAI: renderOpenAI, OpenAIResponses: renderResponses, Anthropic: renderAnthropic, Gemini: renderGemini,
	Flat: renderFlat, ShareGPT: renderShareGPT, ClaudeCode: renderClaudeCode, LangChain: renderLangChain, PydanticAI: renderPydanticAI,
	AISDK: renderAISDK, AISDKUI: renderAISDKUI,
}

// importers has the methods that read one message of a format. Package source reads those of
// frameworks.
var importers = [len(formatNames)]func(*builder, *value) error{
	OpenAI: (*builder).openAI, OpenAIResponses: (*builder).item, Anthropic: (*builder).anthropic, Gemini: (*builder).gemini,
	Flat: (*builder).flat, ShareGPT: (*builder).shareGPT, ClaudeCode: (*builder).sessionRecord,
}

// String returns the name of the format, which [ParseFormat] accepts.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ParseFormat returns the format with a name, such as openai-responses. The error for an unknown
// name lists the known ones.
func ParseFormat(name string) (Format, error) {
	if i := slices.Index(formatNames[:], name); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("unknown format %q: one of %s", name, strings.Join(formatNames[:], " "))
}

// Formats returns every format, in the order of their constants.
func Formats() []Format {
	out := make([]Format, len(formatNames))
	for f := range out {
		out[f] = Format(f)
	}
	return out
}

// Renders reports whether [Render] writes the format.
func (f Format) Renders() bool { return int(f) < len(renderers) && renderers[f] != nil }

// Imports reports whether [Import] reads the format.
func (f Format) Imports() bool { return int(f) < len(importers) && importers[f] != nil }

// NoteKind is what was done with something that a format cannot represent.
type NoteKind string

const (
	// LeftOut: a node is not in the thread, and should not be. It is empty, part of a side
	// conversation, or the reasoning of another model.
	LeftOut NoteKind = "left-out"
	// Lost: the content of a node is missing from the thread.
	Lost NoteKind = "lost"
	// Placeholder: the thread contains something that is not in the tree, because the provider
	// would refuse it otherwise.
	Placeholder NoteKind = "placeholder"
	// Moved: a unit is next to the call that it belongs to, and not where it is in the tree.
	Moved NoteKind = "moved"
	// Changed: the format requires another form of the content or another role.
	Changed NoteKind = "changed"
	// Refused: the thread follows the tree, and the provider will refuse it.
	Refused NoteKind = "refused"
	// Kept: an importer does not understand something and keeps it in the node unchanged.
	Kept NoteKind = "kept"
	// Malformed: a line or record of a log is broken. It is kept unchanged.
	Malformed NoteKind = "malformed"
	// Outside: something outside the messages, which is not part of the thread. The message says
	// whether the tree keeps it.
	Outside NoteKind = "outside"
)

// Note reports one thing that a format cannot represent, or that is wrong with a log, and where it
// is: the node when rendering; the file, line and JSON path when importing. It is not an
// ast/diag.Diagnostic, because it has no position in a selector and no fix.
type Note struct {
	Kind NoteKind    `json:"kind"`
	Code engine.Code `json:"code,omitempty"` // set if something is wrong
	Node string      `json:"node,omitempty"` // id of the node
	File string      `json:"file,omitempty"`
	Line int         `json:"line,omitempty"` // from 1
	Path string      `json:"path,omitempty"` // JSON path, such as $.messages[2].content
	Msg  string      `json:"message"`        // one sentence, without the location
}

// String returns the note as "file:line: path: node: message [code]", without the parts that are
// empty.
func (n Note) String() string {
	var b strings.Builder
	if n.File != "" {
		b.WriteString(n.File + ":")
		if n.Line > 0 {
			fmt.Fprintf(&b, "%d:", n.Line)
		}
		b.WriteByte(' ')
	}
	for _, location := range [...]string{n.Path, n.Node} {
		if location != "" {
			b.WriteString(location + ": ")
		}
	}
	b.WriteString(n.Msg)
	if n.Code != "" {
		fmt.Fprintf(&b, " [%s]", n.Code)
	}
	return b.String()
}
