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
	{"# help ", "metrics of Prometheus"}, {"//", "JSON with comments, or a program"}, {"/*", "JSON with comments, or a program"},
	{"\x7felf", "a program"}, {"begin:v", "a calendar, or an address book"}, {"tn:", "coverage of tests"}, {"sf:", "coverage of tests"},
}

// foreignLines describes files that are not JSON, by their first line. The first that matches
// counts.
var foreignLines = []struct {
	line *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`^\[(\d+[./-]\d+[./-]\d+,? )?\d+:\d+[^\]"\n]*\]`), "the log of a chat"}, // of WhatsApp, or of IRC
	{regexp.MustCompile(`^\[\[?[A-Za-z][\w .:"'-]*\]\]?[ \t]*\r?\n`), "a configuration with sections, such as TOML"},
	{regexp.MustCompile(`^(export )?[A-Za-z_][\w.-]*[ \t]*=`), "a configuration with names and values, such as TOML"},
	{regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d`), "the log of a program"},
	{regexp.MustCompile(`^mode: (set|count|atomic)\r?\n`), "coverage of Go"},
	{regexp.MustCompile(`^(From \S+@|(Received|Return-Path|Delivered-To|Message-ID|MIME-Version|From|To|Subject): )`), "mail"},
	{regexp.MustCompile(`^(---[ \t]*\r?\n|[A-Za-z_][\w.-]*:([ \t]|\r?\n))`), "YAML"},
	{regexp.MustCompile(`^[\w ]+([,;\t][\w ]+)+\r?\n`), "a table, such as CSV"},
}

// foreignShapes describes JSON documents that do not record model calls. has lists members that a
// value must have, and A.B a member of one; NAME=TEXT also requires their text. The value is the
// document or its first element, or, if in is not empty, an element of the list or object with that
// name; with *, a member of the document.
var foreignShapes = []struct{ what, in, has string }{
	{"the manifest of a trace bundle of Codex, whose events are in trace.jsonl", "", "trace_id rollout_id root_thread_id"},
	{"an index of the bodies of requests, which are read with their folder", "", "request_file session_id"},
	{"answers of a batch of OpenAI without their requests", "", "custom_id response"},
	{"answers of a batch of Anthropic without their requests", "", "custom_id result"},
	{"an Anthropic response without its request", "", "type=message role=assistant content"},
	{"an OpenAI response without its request", "", "object=chat.completion choices"},
	{"an OpenAI response without its request", "", "object=response output"}, {"an OpenAI response without its request", "", "type=response.created response"},
	{"an Anthropic response without its request", "", "type=message_start message"},
	{"a Gemini response without its request", "", "candidates"},
	{"traces of Langfuse without their observations", "", "observations latency"},
	{"an export of ChatGPT", "", "mapping current_node"}, {"an export of ChatGPT", "mapping", "parent children"}, {"an export of ChatGPT", "", "mapping conversation_id"},
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
	{"a lock file of npm", "", "lockfileVersion"}, {"a package of npm", "", "name version dependencies"}, {"a package of npm", "", "name version devDependencies"},
	{"settings of ESLint", "", "rules extends"}, {"settings of ESLint", "", "root extends"}, {"settings of ESLint", "", "root rules"}, {"settings of TypeScript", "", "compilerOptions"},
	{"a list of MCP servers", "", "mcpServers"}, {"a theme of VS Code", "", "tokenColors"}, {"an object of Kubernetes", "", "apiVersion kind"},
	{"coverage of Istanbul", "*", "statementMap"}, {"coverage of Istanbul", "", "total.lines"}, {"coverage of Python", "", "files totals.covered_lines"},
	{"results of Jest", "", "testResults numTotalTestSuites"}, {"results of Mocha", "", "stats passes failures"}, {"results of go test", "", "Action Package"},
	{"a list of components", "", "bomFormat"}, {"a list of components", "", "spdxVersion"}, {"a state of Terraform", "", "terraform_version"},
	{"the log of a program", "", "level msg"}, {"the log of a program", "", "level message timestamp"},
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
	for _, f := range foreignLines {
		if f.line.MatchString(text) {
			return looks + f.what
		}
	}
	if len(first) == 1 && strings.Trim(first[0].raw, "[]{} \t\r\n") == "" {
		return "it is empty"
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
			in := v
			if f.in != "*" {
				in = v.get(f.in)
			}
			if f.in != "" && slices.ContainsFunc(valuesIn(in), func(w value) bool { return hasAll(w, f.has) }) {
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
