package source

import (
	"encoding/base64"
	"iter"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// exchange is a record of a request and its answer, taken apart.
type exchange struct {
	body   value
	list   value  // its messages; missing if the provider has them all
	name   string // of the list in the body
	path   string // of the body in the record, such as .request; empty if it is the record
	beside value  // the record, if it has more than the body
	flat   bool   // it has the members of the body beside its own
	answer value  // an object; missing if unknown
	url    string
	status int
}

// places lists where proxies and gateways put the parts of an exchange in a record. The first path
// that exists is used. A dot separates the names of nested members; a nested object may be encoded
// in a string.
var places = struct{ request, answer, url, status, time, session, id place }{
	request: placeOf(`request.body request.postData.text request body params kwargs input.inputBodyJson modelInput request_body
		requestBody proxy_server_request.body proxy_server_request`),
	answer: placeOf(`response output result completion response_body responseBody modelOutput`),
	url:    placeOf(`url request.url request.path path endpoint request_url targetUrl call_type`),
	status: placeOf(`status status_code response.status response.status_code statusCode responseStatus`),
	time: placeOf(`time timestamp created_at start_time startTime startedDateTime logged_at request.timestamp _meta.ts
		ts ts_start_ms`),
	session: placeOf(`conversation_id session_id thread_id sessionId _meta.session`),
	id:      placeOf(`request_id requestId _meta.request_id call_id uuid seq id`),
}

// place is a list of paths of member names.
type place [][]string

func placeOf(paths string) (out place) {
	for path := range strings.FieldsSeq(paths) {
		out = append(out, strings.Split(path, "."))
	}
	return out
}

// in yields the values at the paths of a place, with their paths.
func (p place) in(v value) iter.Seq2[[]string, value] {
	return func(yield func([]string, value) bool) {
		names := make([]string, len(p))
		for i, path := range p {
			names[i] = path[0]
		}
		got := v.pick(names...)
		for _, path := range p {
			// A name that begins several paths is found at the first of them.
			w := got[slices.Index(names, path[0])]
			for _, name := range path[1:] {
				w = inside(w).get(name)
			}
			if !w.missing() && !yield(path, w) {
				return
			}
		}
	}
}

// of returns the value at a place of a record, or a missing value.
func (p place) of(v value) value {
	for _, w := range p.in(v) {
		return w
	}
	return value{}
}

// text returns the first text that a record has at a place.
func (p place) text(v value) string {
	for _, w := range p.in(v) {
		if text := w.text(); text != "" {
			return text
		}
	}
	return ""
}

// listNames are the members of a body that may contain its messages.
var listNames = [...]string{"messages", "contents", "input"}

// exchangeOf splits a record into a request, a response, and the rest. It returns false if the
// record has no request body.
func exchangeOf(v value) (x exchange, ok bool) {
	for path, w := range places.request.in(v) {
		if w = inside(w); w.is('{') {
			if x.name, x.list, ok = listIn(w); ok {
				x.body, x.path, x.beside = w, "."+strings.TrimSuffix(strings.Join(path, "."), ".text"), v
				break
			}
		}
	}
	if !ok {
		if x.name, x.list, ok = listIn(v); !ok {
			return x, false
		}
		x.body = v
	}
	got := v.pick("choices", "candidates")
	if w := places.answer.of(v); w.raw != "" {
		x.answer, x.beside = whole(w), v
	} else if got[0].is('[') || got[1].is('[') {
		x.answer, x.beside = v, v
	}
	if x.flat = x.path == "" && x.beside.raw != ""; x.beside.raw == "" {
		return x, true
	}
	x.url = places.url.text(v)
	x.status = statusIn(v)
	return x, true
}

// statusIn returns the status of the response that a record has, or 0.
func statusIn(v value) int {
	for _, w := range places.status.in(v) {
		if n, ok := w.integer(); ok && n != 0 {
			return n
		}
	}
	return 0
}

// listIn returns the messages of a body and the name of the member that holds them. It returns
// false if the value is not a request body. The list is missing if the provider keeps the messages,
// as those of a stored prompt or of an earlier response.
func listIn(body value) (name string, list value, ok bool) {
	if !body.is('{') {
		return "", value{}, false
	}
	got := body.pick(listNames[0], listNames[1], listNames[2], "model", "prompt", "previous_response_id")
	for i, w := range got[:len(listNames)] {
		if w.is('"') && listNames[i] == "messages" {
			w = inside(w)
		}
		if w.is('[') || listNames[i] == "input" && w.is('"') {
			return listNames[i], w, true
		}
	}
	if got[3].is('"') && (got[4].get("id").is('"') || got[5].is('"')) {
		return "input", value{}, true
	}
	return "", value{}, false
}

// listOf returns the messages of a body, or a missing value.
func listOf(body value) value {
	_, list, _ := listIn(body)
	return list
}

// inside returns the JSON value inside a string, or the value itself.
func inside(v value) value {
	if !v.is('"') {
		return v
	}
	text := strings.TrimSpace(v.text())
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return v
	}
	return derived(v, text)
}

// derived parses a text that was made from v. It returns v if the text is not JSON.
func derived(v value, text string) value {
	file := ""
	if v.doc != nil {
		file = v.doc.file
	}
	d, bad := parse(file, text, v.line())
	if bad != nil {
		return v
	}
	return d.root()
}

// whole returns an answer as the provider would have sent it in one piece: an object. It may be
// inside a string, a text of server-sent events, a list of their data, or what a proxy recorded of
// the response. Any other text is the answer itself: the value is returned.
func whole(v value) value {
	if w := inside(v); !v.is('"') || w.is('[') || formatOfAnswer(w) != "" || envelops(w) {
		v = w
	}
	switch {
	case v.is('{'):
		got := v.pick("body", "body_raw", "content", "sse_events", "outputBodyJson", "encoding", "message", "chunks")
		if got[6].get("type").text() == "message" { // a result of a batch
			return got[6]
		}
		for _, w := range got[:2] {
			if !w.missing() {
				return whole(w)
			}
		}
		if content := got[2]; content.is('{') && content.get("text").is('"') && content.get("mimeType").raw != "" { // in an HTTP archive
			if text := content.get("text"); content.get("encoding").text() == "base64" {
				if data, err := base64.StdEncoding.DecodeString(text.text()); err == nil {
					return whole(derived(text, string(canonjson.AppendString(nil, strings.ToValidUTF8(string(data), "\uFFFD")))))
				}
			}
			return whole(content.get("text"))
		}
		if !got[4].missing() {
			return whole(got[4])
		}
		for _, w := range [...]value{got[3], got[7]} {
			if w.is('[') {
				return whole(w)
			}
		}
	case v.is('"'):
		text := v.text()
		if chunks := events(text); len(chunks) > 0 {
			if text, ok := assembled(chunks); ok {
				return derived(v, text)
			}
		}
	case v.is('['):
		var chunks []map[string]any
		var text strings.Builder
		for _, e := range v.elements() {
			data := e.get("data")
			if raw := e.get("raw"); raw.is('"') { // as a proxy received it
				text.WriteString(raw.text())
				continue
			}
			if e.is('"') {
				chunks = append(chunks, events(e.text())...)
				continue
			}
			if !data.missing() {
				e = inside(data)
			}
			if m := decode(e.raw); m != nil {
				chunks = append(chunks, m)
			}
		}
		chunks = append(chunks, events(text.String())...)
		if text, ok := assembled(chunks); ok {
			return derived(v, text)
		}
	}
	return v
}

// envelops reports whether an object in a text is an answer, or has one, though its format is open.
// Any other object is what the model was asked for.
func envelops(v value) bool {
	return slices.ContainsFunc(v.pick("body", "body_raw", "error", "usage", "usageMetadata", "input_tokens", "totalTokens", "message"), func(w value) bool { return w.raw != "" })
}

// notCalls lists requests other than model calls, by a substring of their kind or of the last two
// elements of their address.
var notCalls = []struct{ part, what string }{
	{"count_tokens", countsTokens}, {"countTokens", countsTokens}, {"input_tokens", countsTokens}, {"tokenize", countsTokens},
	{"embed", "requests for embeddings"}, {"moderation", "requests for moderation"}, {"rerank", "requests to rank texts"},
	{"cachedContents", "requests to store a part of a prompt"}, {"/audio/", "requests for speech"}, {"/images/", "requests for images"},
	{"image_generation", "requests for images"}, {"transcription", "requests for speech"},
}

const countsTokens = "requests to count tokens"

// countMembers are the members of an answer that counts tokens.
var countMembers = []string{"input_tokens", "totalTokens", "context_management", "object", "totalBillableCharacters", "promptTokensDetails", "cachedContentTokenCount"}

// notCall describes an exchange that is not a model call. It returns "" for a model call.
func (x *exchange) notCall() string {
	address, _, _ := strings.Cut(x.url, "?")
	if _, rest, ok := strings.Cut(address, "://"); ok {
		_, address, _ = strings.Cut(rest, "/")
	}
	// A proxy may add any elements before the last two.
	steps := strings.Split("/"+address, "/")
	address = "/" + strings.Join(steps[max(1, len(steps)-2):], "/")
	for _, n := range notCalls {
		if strings.Contains(address, n.part) {
			return n.what
		}
	}
	if x.path == "" {
		return ""
	}
	counts, others := false, false
	for name, w := range x.answer.members() {
		counts = counts || name == "input_tokens" || name == "totalTokens"
		others = others || !slices.Contains(countMembers, name)
		if name == "data" && w.is('[') && strings.Contains(w.raw[:min(len(w.raw), 200)], `"embedding"`) {
			return "requests for embeddings"
		}
	}
	if counts && !others {
		return countsTokens
	}
	return ""
}
