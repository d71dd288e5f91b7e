package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// What of a request a source may not record.
const (
	systemPrompt = "system prompt"
	toolList     = "tools"
	keptHistory  = "history kept by the provider"
	storedPrompt = "stored prompt"
)

// recorded are the sources whose calls are the requests as they were sent. The others record what
// happened, and never the list of tools unless the reader finds it.
var recorded = map[Kind]bool{Requests: true, Recording: true, Inspect: true, Copilot: true, OTel: true, Langfuse: true, LangSmith: true}

// elsewhere are settings that say that the provider has more of the context than the request.
var elsewhere = []string{"cachedContent", "cached_content", "conversation", previousResponse}

// previousResponse names the response whose request and answer precede those of a request. The
// reader of spans finds it.
const previousResponse = "previous_response_id"

// declare says what the source does not record of a request (C7), if its reader does not.
func (g *group) declare(r *series.Request) {
	if r.Event != nil || r.Recorded || r.Missing != nil && !fromSpans[g.kind] {
		return
	}
	r.Recorded = recorded[g.kind]
	has := func(kind series.SettingKind) bool {
		return slices.ContainsFunc(r.Settings, func(s series.Setting) bool { return s.Kind == kind })
	}
	system := slices.ContainsFunc(r.Messages, func(m *series.Message) bool { return m.Role == series.System })
	if system = system || r.Base > 0 && g.prompted[r.ConversationID]; !r.Recorded {
		g.prompted[r.ConversationID] = system
		if !system && !has(series.Instructions) {
			r.Missing = append(r.Missing, systemPrompt)
		}
	}
	// Definitions of tools are optional in OpenTelemetry.
	calls := func(m *series.Message) bool { return len(m.Calls) > 0 }
	if !has(series.Tools) && (!r.Recorded || fromSpans[g.kind] && (slices.ContainsFunc(r.Messages, calls) || slices.ContainsFunc(r.Reply, calls))) {
		r.Missing = append(r.Missing, toolList)
	}
	if !slices.Contains(r.Missing, keptHistory) && slices.ContainsFunc(r.Settings, func(s series.Setting) bool {
		return slices.Contains(elsewhere, s.Name) && s.Value != "null" && (!fromSpans[g.kind] || s.Name != previousResponse)
	}) {
		r.Missing = append(r.Missing, keptHistory)
	}
}

// failureOf says in words what an error of a provider is: a text, or an object that has one. It is
// "" if there is no error.
func failureOf(v value) string {
	switch {
	case v.is('"'):
		return strings.Clone(v.text())
	case v.get("error").is('{'):
		return failureOf(v.get("error"))
	case v.is('{'):
		return strings.Clone(cmp.Or(v.get("message").text(), v.get("type").text(), v.get("code").text(), "error"))
	}
	return ""
}
