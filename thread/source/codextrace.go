package source

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// traceEvents has the events in a trace bundle of Codex that belong to a call. The requests have
// what other events say.
var traceEvents = map[string]struct {
	what    string // in words
	id      string // the member with the id of the call
	begins  bool
	side    string
	payload string // the member with the request, the answer or the history
	fails   string // the member with the reason
}{
	"inference_started":            {what: "a call, with the body as it was sent", id: "inference_call_id", begins: true, payload: "request_payload"},
	"inference_completed":          {what: answerAndTokens, id: "inference_call_id", payload: "response_payload"},
	"inference_failed":             {what: whyNoAnswer, id: "inference_call_id", payload: "partial_response_payload", fails: "error"},
	"inference_cancelled":          {what: whyNoAnswer, id: "inference_call_id", payload: "partial_response_payload", fails: "reason"},
	"compaction_request_started":   {what: "a side call", id: "compaction_request_id", begins: true, payload: "request_payload", side: "compaction"},
	"compaction_request_completed": {what: answerAndTokens, id: "compaction_request_id", payload: "response_payload"},
	"compaction_request_failed":    {what: whyNoAnswer, id: "compaction_request_id", fails: "error"},
	"compaction_installed":         {what: "an event, with the history from there on", id: "compaction_id", begins: true, payload: "checkpoint_payload"},
}

const (
	answerAndTokens = "the answer, and the tokens"
	whyNoAnswer     = "why there is no answer, and what had come"
)

// traceTexts has what becomes of the events, in words.
func traceTexts() map[string]string {
	out := map[string]string{}
	for kind, e := range traceEvents {
		out[kind] = e.what
	}
	return out
}

// traceKind returns the kind of an event, or "" for another record.
func traceKind(v value) string {
	got := v.pick("seq", "payload", "type")
	if _, ok := got[0].integer(); !ok || got[2].raw != "" {
		return ""
	}
	return got[1].get("type").text()
}

// isTraced reports whether a line is an event of a trace bundle of Codex that is read or that every
// bundle begins with.
func isTraced(v value) bool {
	kind := traceKind(v)
	_, ok := traceEvents[kind]
	return ok || kind == "rollout_started" || kind == "thread_started"
}

// tracedCall is a call in a trace bundle, or a compaction that was installed.
type tracedCall struct {
	at             *document // the event that begins it
	kind, side     string
	thread, failed string
	time           time.Time
	request        payloadRef
	answer         payloadRef
}

// payloadRef says where a payload is: in a record of a shard, or in a file of its own.
type payloadRef struct{ id, path string }

func refOf(v value) payloadRef {
	got := v.pick("raw_payload_id", "shard", "path")
	ref := payloadRef{strings.Clone(got[0].text()), strings.Clone(got[2].text())}
	if n, ok := got[1].integer(); ok && n >= 0 {
		ref.path = fmt.Sprintf("payloads/%06d.zst", n)
	}
	return ref
}

// trace reads the events of a bundle. Calls are passed on in the order in which they began.
func (b *bodies) trace(ctx context.Context) error {
	var calls []*tracedCall
	open := map[string]*tracedCall{}
	err := b.lines(ctx, func(d *document) error {
		got := d.root().pick("payload", "thread_id", "wall_time_unix_ms")
		p := got[0]
		kind := p.get("type").text()
		e, ok := traceEvents[kind]
		if !ok {
			return nil
		}
		key := e.id + "\x00" + p.get(e.id).text()
		c := open[key]
		if e.begins {
			c = &tracedCall{at: d, kind: strings.Clone(kind), side: e.side, time: got[2].instant(), request: refOf(p.get(e.payload))}
			c.thread = strings.Clone(cmp.Or(p.get("thread_id").text(), got[1].text()))
			calls = append(calls, c)
			open[strings.Clone(key)] = c
			return nil
		}
		if c == nil {
			b.malformed(d.root(), "the answer to a call that did not begin; it is kept unchanged")
			return nil
		}
		c.answer = refOf(p.get(e.payload))
		if e.fails != "" {
			why := inside(p.get(e.fails))
			if w := why.get("error"); w.raw != "" {
				why = w
			}
			c.failed = cmp.Or(failureOf(why), "failed")
		}
		return nil
	})
	if err != nil {
		return err
	}
	shards := shards{b: b, of: map[string]map[string]string{}, wanted: map[string]map[string]bool{}}
	for _, c := range calls {
		shards.want(c.request)
		shards.want(c.answer)
	}
	for _, c := range calls {
		if err := b.tracedCall(ctx, c, &shards); err != nil {
			return err
		}
	}
	return nil
}

// tracedCall reads the payloads of a call.
func (b *bodies) tracedCall(ctx context.Context, c *tracedCall, s *shards) error {
	root := c.at.root()
	text, err := s.payload(ctx, c.request)
	if err != nil || text == "" {
		if err == nil {
			b.malformed(root, "the payload of the event is not in the bundle; it is kept unchanged")
		}
		return err
	}
	v := derived(root, text)
	if c.kind == "compaction_installed" {
		return b.installed(c, v)
	}
	if text, err = s.payload(ctx, c.answer); err != nil {
		return err
	}
	if text != "" {
		got := derived(root, text).pick("response_id", "output_items", "token_usage")
		made := map[string]value{}
		for i, name := range [...]string{"id", "output", "usage"} {
			if !got[i].missing() {
				made[name] = got[i]
			}
		}
		b.answer = derived(root, object(made))
	}
	b.traced = c
	err = b.request(ctx, v, "$")
	b.traced, b.answer = nil, value{}
	return err
}

// about adds what the events say about a request. One that ends with a trigger is a compaction.
func (c *tracedCall) about(r *series.Request) {
	r.Time, r.Failed = c.time, cmp.Or(c.failed, r.Failed)
	if c.answer == (payloadRef{}) && r.Failed == "" {
		r.Failed = "no answer"
	}
	if r.Side = c.side; len(r.Messages) > 0 && (value{raw: r.Messages[len(r.Messages)-1].Value}).get("type").text() == "compaction_trigger" {
		r.Side = "compaction"
	}
}

// installed sends the state after a compaction.
func (b *bodies) installed(c *tracedCall, v value) error {
	list := v.get("replacement_history")
	if !list.is('[') {
		return nil
	}
	last := b.latest[c.thread]
	if last == nil {
		last = &latest{}
		b.latest[c.thread] = last
	}
	r := &series.Request{
		Event: &series.Event{Kind: "compaction"}, ConversationID: c.thread, Time: c.time, Recorded: true,
		Format: thread.OpenAIResponses.String(), List: "input", Origin: series.Origin{File: b.reader.name, Call: b.calls, Line: c.at.line, Path: "$"},
	}
	b.messagesOf(list, "$.replacement_history", last)
	last.place(r, last.body)
	return b.send(r)
}

// shards reads the payloads of a bundle. It keeps those of the latest two shards.
type shards struct {
	b      *bodies
	of     map[string]map[string]string // by path and id
	kept   []string
	wanted map[string]map[string]bool
}

func (s *shards) want(r payloadRef) {
	if s.wanted[r.path] == nil {
		s.wanted[r.path] = map[string]bool{}
	}
	s.wanted[r.path][r.id] = true
}

// payload returns the JSON of a payload, or "" if it is not in the bundle.
func (s *shards) payload(ctx context.Context, r payloadRef) (string, error) {
	if r.path == "" || !filepath.IsLocal(r.path) {
		return "", nil
	}
	if _, ok := s.of[r.path]; !ok {
		found, err := s.read(ctx, r.path)
		if err != nil {
			return "", err
		}
		if s.of[r.path], s.kept = found, append(s.kept, r.path); len(s.kept) > 2 {
			delete(s.of, s.kept[0])
			s.kept = s.kept[1:]
		}
	}
	if text, ok := s.of[r.path][r.id]; ok {
		return text, nil
	}
	return s.of[r.path][""], nil
}

// read reads a file of payloads. In a shard, each record has the lengths of an id and a payload,
// then the id and the payload; any other file is a single payload. Records that cannot be read are
// missing from the result.
func (s *shards) read(ctx context.Context, path string) (map[string]string, error) {
	found := map[string]string{}
	name := filepath.Join(filepath.Dir(s.b.reader.name), filepath.FromSlash(path))
	in, err := s.b.open(name)
	if err != nil {
		return found, ctx.Err()
	}
	defer in.Close()
	rd := s.b.quiet()
	rd.name, rd.file, rd.size = name, in, in.Size()
	text, err := rd.decompressed()
	if err != nil {
		return found, err
	}
	if !strings.HasSuffix(path, ".zst") {
		found[""], err = rd.readAll(ctx, text, name)
		return found, err
	}
	r := bufio.NewReader(text)
	for ctx.Err() == nil {
		var head [10]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			break
		}
		id := make([]byte, binary.LittleEndian.Uint16(head[:]))
		size := binary.LittleEndian.Uint64(head[2:])
		if size > uint64(rd.opts.limit()) {
			return nil, rd.fail(value{}, engine.ErrFileLimit, "a payload of %d bytes, more than the limit MaxBytes", size)
		}
		if _, err := io.ReadFull(r, id); err != nil {
			break
		}
		if !s.wanted[path][string(id)] {
			if _, err := io.CopyN(io.Discard, r, int64(size)); err != nil {
				break
			}
			continue
		}
		var b strings.Builder
		if _, err := io.CopyN(&b, r, int64(size)); err != nil {
			break
		}
		found[string(id)] = b.String()
	}
	return found, ctx.Err()
}
