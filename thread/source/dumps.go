package source

import (
	"cmp"
	"context"
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/thread/series"
)

// dump holds what links a file with others in its folder. Many programs write each request and each
// answer to its own file.
type dump struct {
	role     dumpRole
	session  string
	id       string      // of the exchange, in records that have one
	response string      // id of the answer
	previous string      // id of the answer that a request continues
	context  uint64      // hash of the model and the system prompt
	length   int         // number of messages
	sum      uint64      // hash of the messages
	answers  []dumpTurn  // in the messages, the first one first
	replies  [][]uint64  // the answers to the request: hashes of the parts of each
	failed   bool        // there is no answer
	time     time.Time   // zero if unknown
	batch    []string    // ids of the requests or answers of a batch
	index    []dumpEntry // of an index
}

// dumpRole says what a file has.
type dumpRole int

const (
	noDump       dumpRole = iota // a log of its own
	oneRequest                   // one request, perhaps with its answer
	oneAnswer                    // the answer to a request in another file
	dumpIndex                    // an index of Claude Code, which names requests and answers
	batchRequest                 // the requests of a batch, which have ids
	batchAnswer                  // the answers to a batch
	codexTrace                   // the events of a bundle of Codex, whose payloads are other files
)

// dumpTurn has the hashes of an answer of the model in the messages of a request: of all messages
// before it, of all messages up to its end, and of the answer alone.
type dumpTurn struct{ before, after, alone uint64 }

// dumpEntry is a line of an index.
type dumpEntry struct {
	request, response, session, source string
	time                               time.Time
}

// entryOf returns a line of the index that Claude Code writes next to the bodies of its requests.
func entryOf(v value) (e dumpEntry, ok bool) {
	got := v.pick("request_file", "response_file", "session_id", "query_source", "timestamp")
	e = dumpEntry{strings.Clone(got[0].text()), strings.Clone(got[1].text()), strings.Clone(got[2].text()), strings.Clone(got[3].text()), got[4].instant()}
	return e, e.request != ""
}

// batchID returns the id that a batch gives to a request and its answer.
func batchID(v value) string { return strings.Clone(v.first("custom_id", "recordId", "key").text()) }

// isBeside reports whether a file is only read together with requests: it has an answer, the
// answers of a batch, or an index of dumps.
func isBeside(first []value) bool {
	if len(first) == 0 {
		return false
	}
	_, isIndex := entryOf(first[0])
	return isIndex || isAnswer(first[0])
}

// isSplit reports whether the first records of a file are requests, and answers to them.
func isSplit(first []value) bool {
	requests, answers := 0, 0
	for _, v := range first {
		if x, ok := exchangeOf(v); ok && x.answer.missing() {
			requests++
		} else if !ok && batchID(v) == "" && isAnswer(v) {
			answers++
		}
	}
	return requests > 0 && answers > 0
}

// isAnswer reports whether a document is the answer of a provider, or a record of one.
func isAnswer(v value) bool {
	if !v.is('{') {
		return false
	}
	w := answerBeside(v)
	return formatOfAnswer(w) != "" || w.get("output", "message").is('{') || w.first("error", "output_items", "replacement_history").raw != "" || batchID(v) != "" && w.raw != v.raw
}

// answerBeside returns the answer in a document that has no request.
func answerBeside(v value) value {
	w := whole(v)
	if inner := places.answer.of(v); formatOfAnswer(w) == "" && (inner.is('{') || inner.is('"')) {
		w = whole(inner)
	}
	return w
}

// isLines reports whether a name is that of a log with a record on each line.
func isLines(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
}

// linkRequests finds what links a file with requests and answers in other files. A file of several
// requests, or of JSON Lines, is a log of its own, unless it is a batch; only its beginning is
// read.
func linkRequests(ctx context.Context, rd *reader, x *Links) error {
	d := &dump{}
	count := 0
	err := rd.documents(ctx, func(doc *document) error {
		v := doc.root()
		list, _ := recordsIn(v)
		if count++; count > 1 && d.role <= oneAnswer {
			d.role = noDump
			return errStop
		}
		for _, w := range list.elements() {
			d.inBatch(w)
		}
		switch e, isEntry := entryOf(v); {
		case list.is('['):
		case isEntry:
			d.role, d.index = dumpIndex, append(d.index, e)
		case isTraced(v):
			d.role, d.session, d.time = codexTrace, strings.Clone(v.get("payload", "root_thread_id").text()), v.get("wall_time_unix_ms").instant()
			x.sessions = []string{d.session}
			return errStop
		case d.inBatch(v):
		case count == 1 && !isLines(rd.name):
			x.sessions = sessionsIn(v)
			return d.read(ctx, rd, v, x.seed)
		}
		if d.role == noDump {
			return errStop
		}
		return nil
	})
	if d.role != noDump {
		x.dump = d
	}
	return err
}

// inBatch records a request or an answer of a batch. It returns false for any other value.
func (d *dump) inBatch(v value) bool {
	id, role := batchID(v), batchAnswer
	if _, ok := exchangeOf(v); ok {
		role = batchRequest
	}
	if id == "" || role == batchAnswer && !isAnswer(v) || d.role != noDump && d.role != role {
		return false
	}
	d.role, d.batch = role, append(d.batch, id)
	return true
}

// read reads the only document of a file, as the reader of requests does.
func (d *dump) read(ctx context.Context, rd *reader, v value, seed maphash.Seed) error {
	q := rd.quiet()
	var r *series.Request
	q.each = func(got *series.Request) error {
		if r == nil && got.Event == nil {
			r = got
		}
		return nil
	}
	b := &bodies{reader: q, latest: map[string]*latest{}, settings: map[string]string{}}
	x, ok := exchangeOf(v)
	switch {
	case ok:
		if err := b.request(ctx, v, "$"); err != nil {
			return err
		}
		if err := q.release(); err != nil || r == nil {
			return err
		}
		d.role, d.previous = oneRequest, strings.Clone(x.body.get("previous_response_id").text())
		d.session = cmp.Or(sessionOf(x.body), r.ConversationID, cacheKeyOf(x.body))
		d.ofRequest(r, seed)
	case isAnswer(v):
		x.answer = answerBeside(v)
		r = &series.Request{Format: formatOfAnswer(x.answer)}
		b.response(r, x.answer)
		d.role = oneAnswer
	default:
		return nil
	}
	d.id = strings.Clone(places.id.text(v))
	d.response = strings.Clone(x.answer.first("id", "responseId").text())
	d.failed = r.Failed != ""
	if d.time = r.Time; d.time.IsZero() {
		d.time = x.answer.first("created_at", "created").instant()
	}
	for _, reply := range append(r.Choices, r.Reply) {
		if len(reply) > 0 {
			d.replies = append(d.replies, partHashes(seed, r.Format, reply...))
		}
	}
	return nil
}

// sessionOf returns the session named by the metadata of a request, which Codex calls
// client_metadata. It ignores a bare user_id, since a user may have many sessions.
func sessionOf(body value) string {
	got := body.get("metadata").pick("user_id", "session_id", "conversation_id", "thread_id")
	_, after, _ := strings.Cut(got[0].text(), "_session_")
	return strings.Clone(cmp.Or(inside(got[0]).get("session_id").text(), after, got[1].text(), got[2].text(), got[3].text(), ofClient(body, "session_id")))
}

// ofClient returns a member of the metadata that Codex sends.
func ofClient(body value, name string) string {
	got := body.get("client_metadata").pick(name, "x-codex-turn-metadata")
	return cmp.Or(got[0].text(), inside(got[1]).get(name).text())
}

// cacheKeyOf returns the prompt_cache_key of a request if it is an id, as that of a session of
// opencode is. Others are names that the requests of a program share.
func cacheKeyOf(body value) string {
	const shortest = 16
	key := body.get("prompt_cache_key").text()
	if len(key) < shortest || !strings.ContainsAny(key, "0123456789") || strings.ContainsAny(key, " :/") {
		return ""
	}
	return strings.Clone(key)
}

// ofRequest computes the hashes of a request.
func (d *dump) ofRequest(r *series.Request, seed maphash.Seed) {
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(r.Model)
	for _, s := range r.Settings {
		if s.Kind == series.Instructions {
			_, _ = h.WriteString(normal.Value(s.Value))
		}
	}
	d.context, d.length = h.Sum64(), len(r.Messages)
	answering := false
	for _, m := range r.Messages {
		if isAnswer := m.Role == series.Assistant; isAnswer && !answering {
			d.answers = append(d.answers, dumpTurn{before: d.sum})
			answering = true
		} else if !isAnswer {
			answering = false
		}
		parts := partHashes(seed, r.Format, m)
		d.sum = chained(d.sum, parts)
		if last := len(d.answers) - 1; answering {
			d.answers[last].after, d.answers[last].alone = d.sum, chained(d.answers[last].alone, parts)
		}
	}
}

// partHashes returns the hashes of the normal forms of the parts of messages. It ignores the
// thinking in answers, which clients may not send again.
func partHashes(seed maphash.Seed, format string, list ...*series.Message) (out []uint64) {
	for _, m := range list {
		for _, p := range normal.Split(format, m.Value, m.Role == series.Tool) {
			k := p.Key(format)
			if k.More = ""; m.Role == series.Assistant {
				if k.Kind != "text" && k.Kind != "call" {
					continue
				}
				if k.Kind == "text" && strings.HasPrefix(k.Value, `"`) {
					k.Value = strings.TrimSpace(canonjson.Unquote(k.Value))
				}
				if k.Value == "" {
					continue
				}
			}
			out = append(out, maphash.Comparable(seed, struct {
				normal.Key
				series.Role
			}{k, m.Role}))
		}
	}
	return out
}

// chained returns the hash of what precedes, followed by parts.
func chained(h uint64, parts []uint64) uint64 {
	for _, p := range parts {
		h = (h^p)*0x9e3779b97f4a7c15 + p>>29
	}
	return h
}

// dumpWords distinguish the names of files and folders with requests from those with their answers.
// The rest of the name is the same.
var dumpWords = set("request", "requests", "req", "reqs", "response", "responses", "resp", "resps", "res", "answer", "answers",
	"reply", "replies", "output", "outputs", "input", "inputs", "in", "out", "body", "prompt", "prompts", "completion", "completions")

// stemOf returns the name of a file without its extension and dumpWords.
func stemOf(name string) string {
	dir, base := filepath.Split(name)
	base, _, _ = strings.Cut(base, ".json")
	words := strings.FieldsFunc(strings.ToLower(base), func(r rune) bool { return strings.ContainsRune("._- ", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return dumpWords[w] })
	for i, w := range words {
		if letters := strings.TrimRight(w, "0123456789"); dumpWords[letters] {
			words[i] = w[len(letters):]
		}
	}
	return folderOf(dir) + "\x00" + strings.Join(words, "-")
}

// folderOf returns a folder, without its last element if that is one of dumpWords.
func folderOf(dir string) string {
	dir = filepath.Clean(dir)
	if dumpWords[strings.ToLower(filepath.Base(dir))] {
		return filepath.Dir(dir)
	}
	return dir
}

// compareNames compares names, with the numbers in them by value.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		v, w := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if isDigit(x[0]) && isDigit(y[0]) && len(v) != len(w) {
			return cmp.Compare(len(v), len(w))
		}
		if v != w {
			return cmp.Compare(v, w)
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// leading returns the number at the beginning of a name, or the text before the first one.
func leading(name string) string {
	n := 1
	for n < len(name) && isDigit(name[n]) == isDigit(name[0]) {
		n++
	}
	return name[:n]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// withoutDigits returns a name without its numbers.
func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}
