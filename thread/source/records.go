package source

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// recordTable describes what becomes of the records of a source, by their kinds. If several tables
// know a record, the last one counts.
type recordTable struct {
	kind   Kind
	member string             // that tells the kinds apart
	of     func(value) string // the kind of a record; empty if the table does not know the record
	what   map[string]string  // becomes of a kind
	other  string             // becomes of the kinds that are not in what; empty if they are unknown
	shown  bool               // the reference has the table
}

// recordTables has the tables of all sources. The readers use the same tables of fates.
var recordTables = []recordTable{
	{ClaudeCode, "type", memberText("type"), inWords(claudeKinds, fateTexts), "", true},
	{ClaudeCode, "subtype", textOfType("system", "subtype"), inWords(claudeSubtypes, fateTexts), fateTexts[bookkeeping], true},
	{ClaudeCode, "attachment", textOfType("attachment", "attachment", "type"), inWords(silentKinds(), map[fate]string{bookkeeping: "not sent, except for texts that the record has"}), fateTexts[attachedTexts], true},
	{Codex, "type", memberText("type"), inWords(codexRecords, fateTexts), "", true},
	{Codex, "response_item", codexItemKind, inWords(codexItems, fateTexts), "", true},
	{Codex, "event_msg", textOfType("event_msg", "payload", "type"), inWords(codexEvents, fateTexts), "", true},
	{OTel, "span", labelOfSpan, spanLabels(), "a call, if it has messages", true},
	{ATIF, "source", memberText("source"), map[string]string{
		"agent": "a call, and its answer, unless it is copied", "user": "sent", "system": "sent, unless it manages the context: then an event",
	}, "", false},
	{GeminiCLI, "type", labelOfGemini, inWords(geminiKinds(), fateTexts), "", true},
	{Opencode, "part", memberText("type"), inWords(opencodeParts, fateTexts), "", true},
	{LangChain, "type", labelOfLangChain, map[string]string{"ai": "a call, and its answer", "remove": "an event", "human": "sent", "system": "sent", "tool": "sent", "function": "sent", "chat": "sent", "developer": "sent"}, "", false},
	{PydanticAI, "kind", memberText("kind"), map[string]string{"request": "sent, each part as a message", "response": "a call, and its answer"}, "", false},
	{AISDK, "role", memberText("role"), map[string]string{"assistant": "a call for each step", "user": "sent", "system": "sent", "tool": "sent"}, "", false},
	{Cline, "role", memberText("role"), map[string]string{"assistant": "a call, and its answer", "user": "sent"}, "", false},
	{Cline, "say", memberText("say"), map[string]string{"api_req_started": "tokens, model and time of a call"}, "not sent: shown by the client", false},
	{Cline, "ask", memberText("ask"), nil, "not sent: shown by the client", false},
	{Langfuse, "type", memberText("type"), inWords(langfuseTypes, spanTexts), "", true},
	{LangSmith, "run_type", func(v value) string { return cmp.Or(v.get("run_type").text(), "patch") }, langsmithWords(), "", true},
	{Copilot, "kind", memberText("kind"), inWords(copilotKinds, fateTexts), "", false},
	{Agents, "record", labelOfAgents, map[string]string{"run": "calls: its responses", "item": "sent; the model's are the answer of a call"}, "", false},
	{OpenHands, "action", memberText("action"), inWords(openHandsActions, fateTexts), "", true},
	{OpenHands, "observation", memberText("observation"), inWords(openHandsObservations, fateTexts), "", true},
	{OpenHands, "kind", memberText("kind"), inWords(openHandsEvents, fateTexts), "", true},
	{Goose, "role", memberText("role"), map[string]string{"assistant": "a call, and its answer, with those that follow it", "user": "sent"}, "", false},
	{MiniSWE, "role", memberText("role"), map[string]string{
		"assistant": "a call, and its answer", "user": "sent; a call before it, if it has a response", "system": "sent", "tool": "sent", "exit": "not sent",
	}, "", false},
	{SWEAgent, "record", func(v value) string { return cmp.Or(v.get("role").text(), "step") }, map[string]string{
		"step": "a call, if it has a query", "assistant": "a call, and its answer",
	}, "sent", false},
	{Inspect, "event", memberText("event"), map[string]string{"model": "a call", "compaction": "why what left did"}, "not a call", false},
	{Recording, "line", labelOfRecording, map[string]string{"call": "a call, if it is to a model", "answer": "the answer to a call", "header": "not sent", "end": "not sent"}, "", false},
	{Requests, "list of messages", bodyLabel, nil, "a call, if it is not to another endpoint", false},
	{Requests, "file", besideLabel, map[string]string{"answer": "joined to its request", "index": "times, sessions and side calls of requests", "payload": "the body or the answer of an event"}, "", false},
	{Requests, "event", traceKind, traceTexts(), "not read", true},
}

// Fate is what becomes of some kinds of records of a source.
type Fate struct {
	Kinds []string // sorted
	What  string   // becomes of them, as Markdown
}

// Records says what becomes of the records of the sources that have many kinds of them, by the name
// of the source and that of the member which tells the kinds apart. What becomes of few kinds is
// first.
func Records() map[string][]Fate {
	out := map[string][]Fate{}
	for _, t := range recordTables {
		if !t.shown {
			continue
		}
		kinds := map[string][]string{}
		for _, kind := range slices.Sorted(maps.Keys(t.what)) {
			kinds[t.what[kind]] = append(kinds[t.what[kind]], kind)
		}
		name := string(t.kind) + " " + t.member
		for _, what := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
			return cmp.Or(len(kinds[a])-len(kinds[b]), cmp.Compare(kinds[a][0], kinds[b][0]))
		}) {
			out[name] = append(out[name], Fate{kinds[what], what})
		}
	}
	return out
}

// RecordCount counts the records of a kind in a file.
type RecordCount struct {
	Member string // that tells the kinds apart
	Kind   string
	Count  int
	What   string // becomes of them; empty if the kind is unknown
}

// Diagnose counts the records of a file by their kinds, in the order of what becomes of them. Lines
// that are not JSON are left out. The cost is linear in the size of the file. Errors are as in
// [Read].
func Diagnose(ctx context.Context, file File, o Options) ([]RecordCount, error) {
	o.Note = nil
	counts := map[RecordCount]int{}
	g := &group{opts: o, files: []File{file}}
	err := g.withFile(file, func(rd *reader) error {
		kind, err := rd.kindOr(ctx, o.Kind)
		if err != nil {
			return err
		}
		return rd.records(ctx, kind, func(v value) {
			best := RecordCount{Member: "record"}
			for _, t := range recordTables {
				if t.kind != kind {
					continue
				}
				if k := t.of(v); k != "" {
					best = RecordCount{Member: t.member, Kind: strings.Clone(k), What: cmp.Or(t.what[k], t.other)}
				}
			}
			counts[best]++
		})
	})
	var out []RecordCount
	for c, n := range counts {
		c.Count = n
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b RecordCount) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.What, b.What), cmp.Compare(a.Kind, b.Kind))
	})
	return out, err
}

// records calls each with the records of a file.
func (rd *reader) records(ctx context.Context, kind Kind, each func(value)) error {
	if kind == Aider { // a text
		return nil
	}
	if kind == Inspect {
		x := &inspectLogs{look: func(sample value) {
			for _, list := range []value{sample.get("events"), sample.get("transcript", "events")} {
				eachOf(list, each)
			}
		}}
		return x.read(ctx, rd)
	}
	inside := func(doc value, each func(value)) { each(doc) }
	for _, k := range kinds {
		if k.Kind == kind && k.records != nil {
			inside = k.records
		}
	}
	return rd.documents(ctx, func(d *document) error {
		inside(d.root(), each)
		return nil
	})
}

func eachStep(doc value, each func(value)) {
	for _, t := range trajectoriesIn(doc, true) {
		eachOf(t.get("steps"), each)
	}
}

func eachBody(doc value, each func(value)) {
	if list, _ := recordsIn(doc); list.is('[') {
		eachOf(list, each)
		return
	}
	each(doc)
}

// in returns a function that calls each with the elements of the first of some lists that is there.
func in(names ...string) func(value, func(value)) {
	return func(doc value, each func(value)) { eachOf(doc.first(names...), each) }
}

func eachOf(list value, each func(value)) {
	for _, v := range list.elements() {
		each(v)
	}
}

// memberText returns a function that returns the text of a member.
func memberText(names ...string) func(value) string {
	return func(v value) string { return v.get(names...).text() }
}

// textOfType returns a function that returns the text of a member, of records of one type.
func textOfType(kind string, names ...string) func(value) string {
	return func(v value) string {
		if v.get("type").text() != kind {
			return ""
		}
		return v.get(names...).text()
	}
}

func inWords[F comparable](table map[string]F, texts map[F]string) map[string]string {
	out := map[string]string{}
	for kind, f := range table {
		out[kind] = texts[f]
	}
	return out
}

func silentKinds() map[string]fate {
	out := map[string]fate{}
	for kind := range silentAttachments {
		out[kind] = bookkeeping
	}
	return out
}

// codexItemKind returns the type of an item. In old rollouts an item is a line of its own.
func codexItemKind(v value) string {
	got := v.pick("type", "payload")
	switch kind := got[0].text(); {
	case kind == "response_item":
		return got[1].get("type").text()
	case got[1].missing() && codexItems[kind] != unknownKind:
		return kind
	}
	return ""
}

// geminiKinds has the types of messages, and the members that other lines have instead.
func geminiKinds() map[string]fate {
	out := maps.Clone(geminiTypes)
	out["$set"], out["$rewindTo"], out["sessionId"] = stated, stated, bookkeeping
	return out
}

// langsmithWords has what becomes of the types of runs, and of what is posted when one ends.
func langsmithWords() map[string]string {
	out := inWords(langsmithTypes, spanTexts)
	out["patch"] = "how a run ended"
	return out
}

// labelOfGemini returns the type of a message, or the member that another line has instead.
func labelOfGemini(v value) string {
	got := v.pick("type", "$set", "$rewindTo", "sessionId")
	for i, name := range [...]string{"$set", "$rewindTo", "sessionId"} {
		if got[0].missing() && !got[i+1].missing() {
			return name
		}
	}
	return got[0].text()
}

// labelOfLangChain returns the type of a message.
func labelOfLangChain(v value) string {
	kind, _ := langChainOf(v)
	return kind
}

// labelOfAgents returns run for the state of a run, and item for an item.
func labelOfAgents(v value) string {
	if isRunState(v) {
		return "run"
	}
	return "item"
}

// bodyLabel returns the name of the list of messages of a request.
func bodyLabel(v value) string {
	x, _ := exchangeOf(v)
	return x.name
}

// besideLabel describes a record that is read together with requests. It returns "" for any other.
func besideLabel(v value) string {
	_, isRequest := exchangeOf(v)
	_, isIndex := entryOf(v)
	switch {
	case isIndex:
		return "index"
	case v.first("output_items", "replacement_history").is('['):
		return "payload"
	case !isRequest && isAnswer(v):
		return "answer"
	}
	return ""
}

// spanLabels has what becomes of spans by the attribute that says what one is, and its value.
func spanLabels() map[string]string {
	out := map[string]string{}
	for _, a := range spanAttributes {
		for kind, is := range a.kinds {
			out[a.name+"="+kind] = spanTexts[is]
		}
	}
	return out
}

// labelOfSpan returns the attribute that says what a span is, and its value.
func labelOfSpan(v value) string {
	attrs := attributes(v.get("attributes"))
	switch {
	case v.get("tags").is('['):
		attrs = jaegerTags(v.get("tags"))
	case !v.get("attributes").is('['):
		attrs = plainAttributes(v)
	}
	for _, a := range spanAttributes {
		if kind := attrs[a.name].text(); kind != "" {
			return a.name + "=" + kind
		}
	}
	return "other spans"
}
