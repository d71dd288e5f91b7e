package source

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isInspect recognizes a log of Inspect AI that is a single document.
func isInspect(first []value) bool {
	return first[0].get("eval").is('{') && !first[0].get("version").missing()
}

// inspectLogs reads the logs of a group.
type inspectLogs struct {
	used      names.Set          // makes the names of the samples unique
	hasEpochs bool               // the log repeats its samples, so their names have the number of the epoch
	silent    int                // samples with messages but without model calls
	cached    int                // calls that were answered from a cache
	first     value              // of the silent samples
	look      func(sample value) // if set, it is called with the samples instead of reading them
}

func openInspect(*group) parser { return &inspectLogs{used: names.Set{}} }

func (*inspectLogs) end(context.Context) error { return nil }

// file reads a log of Inspect AI: an archive with a member for each sample, or one document with
// all samples.
func (x *inspectLogs) file(ctx context.Context, rd *reader) error {
	x.silent, x.cached = 0, 0
	err := x.read(ctx, rd)
	if x.silent > 0 {
		rd.note(thread.Kept, "", x.first, "samples with messages but without events of model calls are left out: %d", x.silent)
	}
	if x.cached > 0 {
		rd.note(thread.Kept, "", value{}, "calls that were answered from the cache of the evaluation; their tokens are not summed: %d", x.cached)
	}
	return err
}

func (x *inspectLogs) read(ctx context.Context, rd *reader) error {
	if rd.magic(zipMagic) {
		return x.archive(ctx, rd)
	}
	d, err := rd.whole(ctx)
	if err != nil {
		return err
	}
	samples := d.root().get("samples")
	if !samples.is('[') {
		return rd.fail(d.root(), engine.ErrFileShape, "a log of Inspect AI without samples")
	}
	x.hasEpochs = false
	for _, v := range samples.elements() {
		n, _ := v.get("epoch").integer()
		x.hasEpochs = x.hasEpochs || n > 1
	}
	for i, v := range samples.elements() {
		if err := x.sample(ctx, rd, v, fmt.Sprintf("$.samples[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

// zstdMethod is the compression method of Zstandard in zip files.
const zstdMethod = 93

// archive reads the samples of an archive in the order of its directory.
func (x *inspectLogs) archive(ctx context.Context, rd *reader) error {
	z, err := zip.NewReader(rd.file, rd.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return rd.fail(value{}, engine.ErrFileSyntax, "not a complete zip archive: %v", err)
	}
	z.RegisterDecompressor(zstdMethod, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(128<<20)))
	var samples []*zip.File
	x.hasEpochs = false
	for _, f := range z.File {
		dir, base := path.Split(f.Name)
		name, isJSON := strings.CutSuffix(base, ".json")
		if dir != "samples/" || !isJSON {
			continue
		}
		samples = append(samples, f)
		if _, epoch, ok := cutLast(name, "_epoch_"); ok && epoch != "1" {
			x.hasEpochs = true
		}
	}
	for _, f := range samples {
		if err := x.member(ctx, rd, f); err != nil {
			return err
		}
	}
	if len(samples) == 0 {
		return rd.fail(value{}, engine.ErrFileShape, "the archive has no samples/*.json, so it is not a log of Inspect AI")
	}
	return nil
}

// cutLast is strings.Cut around the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// member reads one sample of an archive. A malformed member is skipped and noted.
func (x *inspectLogs) member(ctx context.Context, rd *reader, f *zip.File) error {
	name := rd.name + "#" + f.Name
	in, err := f.Open()
	var text string
	if err == nil {
		text, err = rd.readAll(ctx, rd.counted(in), name)
		in.Close()
	}
	var d *document
	if err == nil {
		var bad *engine.Error
		if d, bad = parse(name, text, 1); bad != nil {
			err = bad
		}
	}
	switch e, ok := errors.AsType[*engine.Error](err); {
	case err == nil:
		return x.sample(ctx, rd, d.root(), "$")
	case ok && e.Code == engine.ErrFileLimit, ctx.Err() != nil:
		return err
	case ok:
		rd.noteError(&engine.Error{Code: e.Code, File: name, Line: e.Line, Path: e.Path, Msg: e.Msg}, "the sample is left out")
	default:
		rd.noteError(&engine.Error{Code: engine.ErrFileSyntax, File: name, Msg: err.Error()}, "the sample is left out")
	}
	return nil
}

// sample is the state of reading one sample of an Inspect AI log.
type sample struct {
	*reader
	log         *inspectLogs
	name        string
	attempt     string // of a sample that was tried again; empty for the last one
	path        string // JSON path of the sample in its document
	pool        []value
	poolPath    string
	made        []*series.Message // messages of pool; nil if not requested so far
	refs        [][2]int          // ranges of pool in the previous request
	attachments map[string]value
	resolved    int64 // total size of the inserted attachments
	listed      int   // total length of the ranges
	why         []series.Reason
}

// sample reads the model calls of one sample.
func (x *inspectLogs) sample(ctx context.Context, rd *reader, v value, at string) error {
	if x.look != nil {
		x.look(v)
		return nil
	}
	s := &sample{reader: rd, log: x, path: at, name: v.get("id").text(), attachments: map[string]value{}}
	if s.name == "" {
		s.name = strings.Clone(v.get("id").raw)
	}
	if epoch, ok := v.get("epoch").integer(); ok && x.hasEpochs {
		s.name += "/" + strconv.Itoa(epoch)
	}
	s.name = x.used.Add(s.name)
	rd.calls, rd.messages = 0, map[string]*series.Message{}
	maps.Insert(s.attachments, v.get("attachments").members())
	events, path := v.get("events"), at+".events"
	if old := v.get("transcript"); !events.is('[') && old.is('{') { // before version 0.3.50
		events, path = old.get("events"), at+".transcript.events"
		maps.Insert(s.attachments, old.get("content").members())
	}
	pool, poolPath := v.get("events_data", "messages"), ".events_data.messages"
	if pool.raw == "" {
		pool, poolPath = v.get("message_pool"), ".message_pool"
	}
	s.poolPath = at + poolPath
	for _, w := range pool.elements() {
		s.pool = append(s.pool, w)
	}
	s.made = make([]*series.Message, len(s.pool))
	if err := s.events(ctx, events, path, 0); err != nil {
		return err
	}
	for i, failed := range v.get("error_retries").elements() { // the end of each attempt before this one
		s.attempt, s.refs, s.why = "attempt "+strconv.Itoa(i+1), nil, nil
		if err := s.events(ctx, failed.get("events"), fmt.Sprintf("%s.error_retries[%d].events", at, i), 0); err != nil {
			return err
		}
	}
	for range v.get("messages").elements() {
		if s.calls == 0 {
			if x.silent++; x.silent == 1 {
				x.first = value{doc: &document{file: rd.name, line: v.line()}}
			}
		}
		break
	}
	return nil
}

// maxNested limits how deep events are inside others.
const maxNested = 50

// events reads a list of events. Before there were spans, tools and subtasks had the events inside
// them.
func (s *sample) events(ctx context.Context, list value, at string, depth int) error {
	for i, e := range list.elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := at + "[" + strconv.Itoa(i) + "]"
		if err := s.event(e, path); err != nil {
			return err
		}
		if inner := e.get("events"); inner.is('[') && depth < maxNested {
			if err := s.events(ctx, inner, path+".events", depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// compactions maps the kinds of compaction to causes.
var compactions = map[string]series.Cause{"summary": series.Compacted, "edit": series.Cleared, "trim": series.Trimmed}

func (s *sample) event(e value, at string) error {
	switch e.get("event").text() {
	case "compaction":
		kind := e.get("type").text()
		cause, ok := compactions[kind]
		if !ok {
			s.note(thread.Kept, "", e, "unknown kind of compaction %q", kind)
			cause = series.Unknown
		}
		s.why = append(s.why, series.Reason{Cause: cause, Line: e.line(), Path: at})
	case "model":
		return s.call(e, at)
	}
	return nil
}

// call reads one model call.
func (s *sample) call(e value, at string) error {
	names := [...]string{"config", "model", "tool_choice", "tools", "input", "input_refs", "output", "timestamp", "error", "cache", "pending"}
	got := e.pick(names[:]...)
	input, refs, output := got[4], got[5], got[6].pick("choices", "usage", "error")
	r := &series.Request{
		ConversationID: s.attempt, List: "input", Format: "inspect", Why: s.why, Time: got[7].instant(),
		Model:  strings.Clone(got[1].text()),
		Usage:  output[1].canonical(),
		Failed: cmp.Or(failureOf(got[8]), failureOf(output[2])),
		Origin: series.Origin{File: s.reader.name, Sample: s.name, Call: s.calls, Line: e.line(), Path: at},
	}
	s.why = nil
	s.calls++
	if got[9].text() == "read" {
		s.log.cached++
		r.FromCache = true
	}
	var err error
	if refs.is('[') {
		err = s.pooled(r, refs)
	} else {
		s.refs = nil
		for i, w := range input.elements() {
			m, bad := s.message(w, at+".input["+strconv.Itoa(i)+"]")
			if bad != nil {
				return bad
			}
			r.Messages = append(r.Messages, m)
		}
	}
	if err != nil {
		return err
	}
	for i, name := range names[:4] {
		w := got[i]
		if w.missing() {
			continue
		}
		text, err := s.resolve(w)
		if err != nil {
			return err
		}
		setting := series.Setting{Name: name, Value: text}
		if name == "tools" {
			setting.Kind = series.Tools
		}
		r.Settings = append(r.Settings, setting)
	}
	for i, choice := range output[0].elements() {
		answer := choice.get("message")
		if !answer.is('{') || (got[10].is('t') || r.Failed != "") && isBlank(answer) {
			continue // what Inspect writes where there is no answer
		}
		m, err := s.message(answer, fmt.Sprintf("%s.output.choices[%d].message", at, i))
		if err != nil {
			return err
		}
		if len(r.Reply) == 0 {
			r.Reply = []*series.Message{m}
		} else {
			r.Choices = append(r.Choices, []*series.Message{m})
		}
	}
	return s.send(r)
}

// isBlank reports whether an answer has neither content nor calls.
func isBlank(answer value) bool {
	got := answer.pick("content", "tool_calls")
	return (got[0].missing() || got[0].raw == `""` || got[0].raw == "[]") && (got[1].missing() || got[1].raw == "[]")
}

// maxListed limits the total length of the ranges of a sample, which may be much larger than the
// file.
func (s *sample) maxListed() int { return int(s.opts.limit() / 16) }

// pooled reads a request whose messages are ranges [first, end) of the pool.
func (s *sample) pooled(r *series.Request, refs value) error {
	var list [][2]int
	for _, w := range refs.elements() {
		var ends []int
		for _, n := range w.elements() {
			if i, ok := n.integer(); ok {
				ends = append(ends, i)
			}
		}
		if len(ends) != 2 || ends[0] < 0 || ends[1] < ends[0] || ends[1] > len(s.pool) {
			s.note(thread.Malformed, engine.ErrNotFound, w, "a range of messages is not within the pool of %d; it is left out", len(s.pool))
			continue
		}
		list = append(list, [2]int{ends[0], ends[1]})
	}
	// Messages shared with the previous request are not listed again.
	skip := 0
	for i, now := range list {
		if s.refs == nil || i >= len(s.refs) || now[0] != s.refs[i][0] {
			break
		}
		if now[1] != s.refs[i][1] {
			r.Base += min(now[1], s.refs[i][1]) - now[0]
			break
		}
		r.Base += now[1] - now[0]
	}
	skip = r.Base
	s.refs = list
	for _, run := range list {
		n := run[1] - run[0]
		from := run[0] + min(skip, n)
		skip -= min(skip, n)
		if s.listed += run[1] - from; s.listed > s.maxListed() {
			return s.fail(refs, engine.ErrFileLimit, "the ranges of the sample have more than %d messages in total, a 16th of the limit MaxBytes", s.maxListed())
		}
		for i := from; i < run[1]; i++ {
			if s.made[i] == nil {
				m, err := s.message(s.pool[i], s.poolPath+"["+strconv.Itoa(i)+"]")
				if err != nil {
					return err
				}
				s.made[i] = m
			}
			r.Messages = append(r.Messages, s.made[i])
		}
	}
	return nil
}

// message returns a message with its attachments inserted.
func (s *sample) message(v value, at string) (*series.Message, error) {
	if m := s.messages[v.raw]; m != nil {
		return m, nil
	}
	text, err := s.resolve(v)
	if err != nil {
		return nil, err
	}
	m := s.reader.message(v, at)
	m.Value = text
	m.Summary = v.get("metadata", "summary").is('t')
	return m, s.aboutInspect(m, v)
}

// attachment is the prefix of a reference to a text that is stored outside the messages, and
// oldAttachment that of old logs.
const (
	attachment    = "attachment://"
	oldAttachment = "tc://"
)

// resolve returns the canonical JSON of a value, with attachments in place of references to them.
func (s *sample) resolve(v value) (string, error) {
	text := v.canonical()
	if !strings.Contains(text, attachment) && !strings.Contains(text, oldAttachment) {
		return text, nil
	}
	out, err := s.replace(make([]byte, 0, 2*len(text)), value{raw: text}, v)
	return string(out), err
}

// replace appends the canonical value v, with attachments in place of references to them. at is the
// position for notes.
func (s *sample) replace(out []byte, v, at value) ([]byte, error) {
	var err error
	switch {
	case v.is('{'):
		out = append(out, '{')
		for name, w := range v.members() {
			if out[len(out)-1] != '{' {
				out = append(out, ',')
			}
			out = append(canonjson.AppendString(out, name), ':')
			if out, err = s.replace(out, w, at); err != nil {
				return nil, err
			}
		}
		return append(out, '}'), nil
	case v.is('['):
		out = append(out, '[')
		for i, w := range v.elements() {
			if i > 0 {
				out = append(out, ',')
			}
			if out, err = s.replace(out, w, at); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	}
	hash, ok := strings.CutPrefix(v.text(), attachment)
	if !ok {
		hash, ok = strings.CutPrefix(v.text(), oldAttachment)
	}
	if !ok {
		return append(out, v.raw...), nil
	}
	found, ok := s.attachments[hash]
	if !ok {
		s.note(thread.Malformed, engine.ErrNotFound, at, "the attachment %q is not in the sample; the reference is kept", hash)
		return append(out, v.raw...), nil
	}
	if s.resolved += int64(len(found.raw)); s.resolved > 4*s.opts.limit() {
		return nil, s.fail(at, engine.ErrFileLimit, "more than %d bytes of attachments are inserted, 4 times the limit MaxBytes", 4*s.opts.limit())
	}
	return append(out, found.canonical()...), nil
}
