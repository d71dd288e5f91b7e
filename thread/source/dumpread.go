package source

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// waiting is the request in a file of its own, until the next file shows whether that has the
// answer to it.
type waiting struct {
	*reader
	latest map[string]*latest
	root   value
}

// besides is what the files of a group say about requests in other files.
type besides struct {
	waiting *waiting
	traced  *tracedCall                     // that is being read
	bundle  bool                            // the files are trace bundles of Codex
	answer  value                           // to the request that is being read
	batch   map[string]value                // answers by their ids
	indexes map[string]map[string]dumpEntry // by folder and file
}

// isBeside takes a document that has no request. It returns false if that is none of those that
// [Group] puts into a group.
func (b *bodies) isBeside(ctx context.Context, v value) (bool, error) {
	if len(b.files) < 2 {
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
		return false, nil
	case id != "":
		if b.batch == nil {
			b.batch = map[string]value{}
		}
		b.batch[id] = v
	case b.waiting != nil:
		b.answer = v
		return true, b.resume(ctx)
	default:
		return false, nil
	}
	return true, nil
}

// hold keeps a request until the next file is read. The one before it has no answer.
func (b *bodies) hold(ctx context.Context, v value) error {
	if err := b.resume(ctx); err != nil {
		return err
	}
	b.waiting = &waiting{b.reader, b.latest, v}
	return nil
}

// resume reads the request that waits, if there is one.
func (b *bodies) resume(ctx context.Context) error {
	w := b.waiting
	if w == nil {
		b.answer = value{}
		return nil
	}
	reader, latest := b.reader, b.latest
	b.waiting, b.reader, b.latest = nil, w.reader, w.latest
	err := b.request(ctx, w.root, "$")
	b.reader, b.latest, b.answer = reader, latest, value{}
	return err
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
	x.answer = answerIn(from)
	for _, w := range [...]value{from, from.get("response")} {
		if n, ok := w.first("status", "status_code").integer(); ok && x.status == 0 {
			x.status = n
		}
	}
}

// mainSources are how an index of Claude Code calls the requests of the conversation; those of an
// agent begin with "agent:". Others are side calls.
var mainSources = set("", "sdk", "repl_main_thread")

// indexed adds what the index of the folder says about a request.
func (b *bodies) indexed(ctx context.Context, r *series.Request) {
	if b.traced != nil {
		b.traced.about(r)
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
