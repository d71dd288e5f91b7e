package source

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// waiting is a request whose answer may follow in another file or on another line.
type waiting struct {
	*reader
	latest map[string]*latest
	root   value
	answer value
}

// besides is what the files of a group, or the lines of a file, say about requests elsewhere.
type besides struct {
	waiting []*waiting
	answer  value                           // to the request that is being read
	traced  *tracedCall                     // that is being read
	bundle  bool                            // the files are trace bundles of Codex
	split   bool                            // requests and answers are on lines of their own
	batch   map[string]value                // answers by their ids
	indexes map[string]map[string]dumpEntry // by folder and file
}

// mostWaiting limits how many requests wait for their answers. The oldest one may never get one.
const mostWaiting = 64

// keepBeside keeps a document without a request, if a request elsewhere in the group or the file
// may refer to it. Otherwise it returns false.
func (b *bodies) keepBeside(ctx context.Context, v value) (bool, error) {
	if len(b.files) < 2 && !b.split {
		return false, nil
	}
	if _, ok := exchangeOf(v); ok {
		return false, nil
	}
	_, isIndex := entryOf(v)
	id := batchID(v)
	switch {
	case isIndex:
	case !isAnswer(v):
		if b.split {
			b.noteOnce(thread.Kept, "", v, "records that are neither requests nor answers are left out")
		}
		return b.split, nil
	case id != "":
		if b.batch == nil {
			b.batch = map[string]value{}
		}
		b.batch[id] = v
	case len(b.waiting) == 0:
		return false, nil
	default:
		b.answerTo(v)
		return true, b.resume(ctx, mostWaiting)
	}
	return true, nil
}

// answerTo gives an answer to the waiting request with the same id, or else to the latest one.
func (b *bodies) answerTo(v value) {
	last := b.waiting[len(b.waiting)-1]
	for _, w := range slices.Backward(b.waiting) {
		if w.answer.missing() && sameID(w.root, v) {
			w.answer = v
			return
		}
	}
	if last.answer.missing() {
		last.answer = v
	}
}

// sameID reports whether two records have the same id in the same place.
func sameID(a, b value) bool {
	for path, w := range places.id.in(a) {
		if b.get(path...).raw == w.raw {
			return true
		}
	}
	return false
}

// hold keeps a request until its answer is read. If each has its own file, the answer is in the
// next one.
func (b *bodies) hold(ctx context.Context, v value) error {
	most := 0
	if b.split {
		most = mostWaiting
	}
	if err := b.resume(ctx, most); err != nil {
		return err
	}
	b.waiting = append(b.waiting, &waiting{b.reader, b.latest, v, value{}})
	return nil
}

// resume reads the waiting requests in order. It stops at the first one without an answer, unless
// more than most are waiting.
func (b *bodies) resume(ctx context.Context, most int) error {
	for len(b.waiting) > most || len(b.waiting) > 0 && !b.waiting[0].answer.missing() {
		w := b.waiting[0]
		reader, latest := b.reader, b.latest
		b.waiting, b.reader, b.latest, b.besides.answer = b.waiting[1:], w.reader, w.latest, w.answer
		err := b.request(ctx, w.root, "$")
		b.reader, b.latest, b.besides.answer = reader, latest, value{}
		if err != nil {
			return err
		}
	}
	return nil
}

// attach adds the answer that is in another file, or in another line of a batch.
func (b *bodies) attach(x *exchange, v value) {
	from := b.answer
	if id := batchID(v); from.missing() && id != "" {
		from = b.batch[id]
	}
	if from.missing() {
		return
	}
	x.answer, x.status = answerBeside(from), statusIn(from)
}

// mainSources has the sources that an index of Claude Code gives to requests of the conversation.
// Those of an agent begin with "agent:". Requests with other sources are side calls.
var mainSources = set("", "sdk", "repl_main_thread")

// indexed adds what the index of the folder says about a request.
func (b *bodies) indexed(ctx context.Context, r *series.Request) {
	if b.traced != nil {
		b.traced.about(r)
		return
	}
	if b.whole != nil {
		r.Failed, r.Missing = cmp.Or(r.Failed, b.whole.failed), append(r.Missing, b.whole.missing...)
		return
	}
	name := b.reader.name
	if len(b.files) < 2 || !strings.Contains(name, ".request.json") {
		return
	}
	dir := filepath.Dir(name)
	entries := b.indexes[dir]
	if entries == nil {
		entries = b.readIndex(ctx, dir)
		if b.indexes == nil {
			b.indexes = map[string]map[string]dumpEntry{}
		}
		b.indexes[dir] = entries
	}
	if len(entries) == 0 {
		return
	}
	e, ok := entries[filepath.Base(name)]
	if !ok && b.answer.missing() && r.Failed == "" {
		r.Failed = "no answer"
	}
	if r.Time.IsZero() {
		r.Time = e.time
	}
	source, _, _ := strings.Cut(e.source, ":")
	switch {
	case source == "compact":
		r.Side = "compaction"
	case !mainSources[source] && source != "agent":
		r.Side = source
	}
}

// readIndex reads the index of a folder, if it has one.
func (b *bodies) readIndex(ctx context.Context, dir string) map[string]dumpEntry {
	entries := map[string]dumpEntry{}
	in, err := b.open(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		return entries
	}
	defer in.Close()
	rd := b.quiet()
	rd.file, rd.size = in, in.Size()
	_ = rd.lines(ctx, func(d *document) error {
		if e, ok := entryOf(d.root()); ok {
			entries[e.request] = e
		}
		return nil
	})
	return entries
}

// redacted is what Claude Code writes in the place of thinking in the bodies of requests.
const redacted = "<REDACTED>"

// thinking returns a message with the thinking that is redacted in it, as far as the log of the
// session has it.
func (b *bodies) thinking(m *series.Message) *series.Message {
	if len(b.thoughts) == 0 || !strings.Contains(m.Value, redacted) {
		return m
	}
	return b.remade(m, func(_ int, part value) (string, bool) {
		got := part.pick("type", "thinking", "signature")
		text := b.thoughts[got[2].text()]
		if got[0].text() != "thinking" || got[1].text() != redacted || text == "" {
			return part.raw, true
		}
		kept := map[string]value{"thinking": {raw: string(canonjson.AppendString(nil, text))}}
		for name, w := range part.members() {
			if name != "thinking" {
				kept[name] = w
			}
		}
		return object(kept), true
	})
}
