package source

import (
	"regexp"
	"slices"
	"strings"
)

// foreignTexts describes files that are not JSON, by how they begin.
var foreignTexts = []struct{ beginning, what string }{
	{"version https://git-lfs.github.com/spec/", "a Git LFS pointer, which 'git lfs pull' replaces by the file"},
	{"/annex/objects/", "a pointer of git-annex, which 'git annex get' replaces by the file"},
	{"<!doctype html", "a page of HTML"}, {"<html", "a page of HTML"}, {"<?xml", "XML"}, {"%pdf-", "a PDF file"},
	{"# aider chat started at ", "a chat history of aider, which lacks most of what is sent; its option --llm-history-file records all of it"},
	{"sqlite format 3\x00", "an SQLite database (of opencode, 'opencode export' writes a session as JSON)"}, {"\x89png", "an image"}, {"#!", "a script"}, {"<", "XML"},
	{"# help ", "metrics of Prometheus"},
}

// chatLine matches the beginning of a chat as WhatsApp and programs for IRC write it.
var chatLine = regexp.MustCompile(`^\[(\d+[./-]\d+[./-]\d+,? )?\d+:\d+[^\]"\n]*\]`)

// foreignShapes describes JSON documents that do not record model calls. has lists members that a
// value must have, and A.B a member of one; NAME=TEXT also requires their text. The value is the
// document or its first element, or, if in is not empty, an element of the list or object with that
// name.
var foreignShapes = []struct{ what, in, has string }{
	{"the manifest of a trace bundle of Codex, whose events are in trace.jsonl", "", "trace_id rollout_id root_thread_id"},
	{"an index of the bodies of requests, which are read with their folder", "", "request_file session_id"},
	{"answers of a batch of OpenAI without their requests", "", "custom_id response"},
	{"answers of a batch of Anthropic without their requests", "", "custom_id result"},
	{"an Anthropic response without its request", "", "type=message role=assistant content"},
	{"an OpenAI response without its request", "", "object=chat.completion choices"},
	{"an OpenAI response without its request", "", "object=response output"},
	{"a Gemini response without its request", "", "candidates"},
	{"traces of Langfuse without their observations", "", "observations latency"},
	{"an export of ChatGPT", "", "mapping current_node"}, {"an export of ChatGPT", "mapping", "parent children"},
	{"an export of Claude", "", "chat_messages"},
	{"an export of Slack", "messages", "ts"}, {"an export of Slack", "", "ts user text"},
	{"an export of Telegram", "messages", "from_id"}, {"an export of Discord", "messages", "author timestamp"},
	{"an export of Facebook Messenger", "messages", "sender_name timestamp_ms"},
	{"an export of Microsoft Teams", "messages", "messageType"},
	{"an export of Mattermost", "", "type=version version"}, {"an export of Element", "messages", "event_id sender"},
	{"an export of Google", "", "header products time"},
	{"a chat session of VS Code, which lacks what was sent; 'Export All Prompts' of its chat debug view has it", "", "requests responderUsername"},
	{"a chat session of VS Code, which lacks what was sent; 'Export All Prompts' of its chat debug view has it", "", "kind v.requests v.sessionId"},
	{"settings of Claude Code", "", "numStartups"}, {"metrics of OpenTelemetry", "", "resourceMetrics"}, {"spans of Zipkin", "", "traceId localEndpoint"},
	{"an event of Sentry", "", "event_id platform timestamp"}, {"a trail of AWS", "Records", "eventSource eventName"},
	{"scores of Langfuse", "", "traceId value name source"}, {"embeddings, which are no calls of a model that answers", "data", "object=embedding"},
	{"a source map", "", "version sources mappings"}, {"a profile of V8", "", "nodes samples timeDeltas"},
	{"mail", "messages", "subject"}, {"a notebook of Jupyter", "", "cells nbformat"}, {"a trace of Chrome", "", "traceEvents"},
	{"results of SARIF", "", "runs version"}, {"a description of an API", "", "openapi"}, {"a description of an API", "", "swagger"},
	{"a JSON schema", "", "$schema properties"}, {"GeoJSON", "", "type=FeatureCollection features"}, {"an HTTP archive", "log", "name version"},
	{"a package of npm", "", "name version dependencies"}, {"a package of npm", "", "name version devDependencies"},
}

const looks = "it looks like "

// looksLike describes a file without model calls, by its beginning or its first documents. It
// returns "" if it does not know the file.
func looksLike(text string, first []value) string {
	if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
		return "it is empty"
	}
	for _, f := range foreignTexts {
		if start := text[:min(len(text), len(f.beginning))]; strings.EqualFold(start, f.beginning) {
			return looks + f.what
		}
	}
	if chatLine.MatchString(text) {
		return looks + "the log of a chat"
	}
	for _, v := range first {
		for _, w := range v.elements() {
			v = w
			break
		}
		for _, f := range foreignShapes {
			if f.in == "" && hasAll(v, f.has) {
				return looks + f.what
			}
			if f.in != "" && slices.ContainsFunc(valuesIn(v.get(f.in)), func(w value) bool { return hasAll(w, f.has) }) {
				return looks + f.what
			}
		}
	}
	return ""
}

// valuesIn returns the elements of a list, or the members of an object.
func valuesIn(v value) (out []value) {
	for _, w := range v.elements() {
		out = append(out, w)
	}
	for _, w := range v.members() {
		out = append(out, w)
	}
	return out
}

// hasAll reports whether an object has all members that names lists, in the form of foreignShapes.
func hasAll(v value, names string) bool {
	for field := range strings.FieldsSeq(names) {
		name, text, isText := strings.Cut(field, "=")
		if w := v.get(strings.Split(name, ".")...); w.raw == "" || isText && w.text() != text {
			return false
		}
	}
	return true
}

// isMessage reports whether an element of a list may be a message to a model, and not one of
// another program.
func isMessage(v value, list string) bool {
	got := v.pick("role", "type", "parts")
	kind := got[1].text()
	switch {
	case got[0].is('"'):
		_, ok := roles[got[0].text()]
		return ok
	case list == "contents":
		return got[2].is('[')
	case list == "input":
		return kind == "reasoning" || kind == "item_reference" || strings.HasPrefix(kind, "compaction") ||
			strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_output") || strings.HasPrefix(kind, "mcp_")
	}
	return false
}

// isPrompt reports whether a body whose input is a text is a request to the Responses API, and not
// just any record with a model and an input. Without an answer, an address or an enclosing record,
// it must have only parameters of that API, and one besides model and input or a model of a known
// family.
func isPrompt(x exchange) bool {
	if x.path != "" || !x.answer.missing() || x.url != "" {
		return x.body.get("model").is('"')
	}
	if !x.body.get("model").is('"') {
		return false
	}
	known := false
	for name := range x.body.members() {
		format, ok := bodyMembers[name]
		if !ok && name != "metadata" {
			return false
		}
		known = known || format != "" && name != "input"
	}
	name := x.body.get("model").text()
	return known || slices.ContainsFunc(families, func(f string) bool { return strings.Contains(name, f) })
}

// families are substrings of the names of language models.
var families = []string{
	"gpt", "o1", "o3", "o4", "codex", "claude", "gemini", "gemma", "llama", "mistral", "qwen", "deepseek", "grok", "kimi", "glm", "command", "computer-use",
}
