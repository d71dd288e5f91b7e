package source

import (
	"crypto/sha256"
	"encoding"
	"hash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pactkit/pactkit/thread/series"
)

// recordedRequests is what the log records of requests: the messages are hashes of blobs, or of
// records. It was seen of version 2.1.332.
type recordedRequests struct {
	requests map[string]*recordedRequest
	blobs    map[string]string // messages in canonical JSON, by hash
	shapes   map[string]string // system prompt and tools
	hashes   map[*series.Message]string
	messages map[messageKey]*series.Message
	runs     map[string]run
	twins    map[*series.Message]*series.Message // what was sent instead of a message that the rules make
	texts    map[string]string                   // parameters, to share their memory
	known    map[settingsKey]exactSettings
}

// messageKey is that of a message in a conversation after a compaction. Later records may have the
// same contents.
type messageKey struct {
	of   *conversation
	stop *record
	hash string
}

// recordedRequest has the first keep messages of its base, followed by those of tail.
type recordedRequest struct {
	base, params, shape string
	keep                int
	tail                []string
}

// run is a message that consists of records.
type run struct {
	file    *claudeFile
	records []*record
}

func (x *recordedRequests) add(in *recordLine, f *claudeFile) {
	if x.requests == nil {
		x.requests, x.blobs, x.shapes = map[string]*recordedRequest{}, map[string]string{}, map[string]string{}
		x.hashes, x.messages, x.texts = map[*series.Message]string{}, map[messageKey]*series.Message{}, map[string]string{}
		x.known = map[settingsKey]exactSettings{}
		x.twins = map[*series.Message]*series.Message{}
	}
	switch in.fate {
	case recordedMessage:
		if _, ok := x.blobs[in.hash]; !ok {
			x.blobs[in.hash] = in.params
		}
	case recordedShape:
		x.shapes[in.shapeHash] = in.shape
	default:
		if _, ok := x.texts[in.params]; !ok {
			x.texts[in.params] = in.params
		}
		x.requests[in.id] = &recordedRequest{base: in.base, params: x.texts[in.params], shape: in.shapeHash, keep: in.keep, tail: in.tail}
	}
}

// exactList has the messages of the recorded request that was resolved last.
type exactList struct {
	of   *recordedRequest
	list []*series.Message
	low  int // the length of what of list is the same since it was last sent
}

// resolve makes the list that of a recorded request. It returns false if a message is not in the
// log.
func (s *session) resolve(c *conversation, id string) bool {
	x, e := &s.recorded, &c.exact
	want := x.requests[id]
	if want == nil {
		return false
	}
	// The requests from one whose messages are known, or from one without a base, to this one.
	chain := []*recordedRequest{want}
	for {
		r := chain[len(chain)-1]
		if r == e.of && r != want || r.base == "" {
			break
		}
		base := x.requests[r.base]
		if base == nil || len(chain) > len(x.requests) {
			return false
		}
		chain = append(chain, base)
	}
	slices.Reverse(chain)
	if chain[0] == e.of {
		chain = chain[1:]
	} else {
		e.list = e.list[:0]
		e.low = 0
	}
	e.of = nil
	for _, r := range chain {
		if r.keep > len(e.list) {
			return false
		}
		e.list = e.list[:r.keep]
		e.low = min(e.low, r.keep)
		tail := s.resolveAll(c, r.tail)
		if tail == nil && len(r.tail) > 0 {
			return false
		}
		e.list = append(e.list, tail...)
	}
	e.of = want
	return true
}

// resolveAll finds the messages with hashes: those that the rules make of the chain, otherwise
// blobs, otherwise runs of records.
func (s *session) resolveAll(c *conversation, tail []string) []*series.Message {
	x := &s.recorded
	out := make([]*series.Message, len(tail))
	end := len(c.view.list)
	for i, h := range slices.Backward(tail) {
		for at := end - 1; at >= 0 && at >= end-len(tail)-8; at-- {
			if x.hashOf(c.view.list[at]) == h {
				out[i], end = c.view.list[at], at
				break
			}
		}
		if out[i] == nil {
			out[i] = x.messages[messageKey{c, c.view.stop, h}]
		}
		if out[i] == nil {
			out[i] = s.blob(c, h)
		}
		if out[i] == nil {
			out[i] = s.runOf(h)
		}
		if out[i] == nil {
			return nil
		}
		x.messages[messageKey{c, c.view.stop, h}] = out[i]
	}
	return out
}

// hashOf returns the hash of a message: SHA-256 of its canonical JSON, in which a string is a list
// of one text.
func (x *recordedRequests) hashOf(m *series.Message) string {
	if h, ok := x.hashes[m]; ok {
		return h
	}
	text := m.Value
	if rest, ok := strings.CutPrefix(text, `{"content":"`); ok {
		content := value{raw: text}.get("content")
		text = `{"content":[{"text":"` + rest[:len(content.raw)-1] + `,"type":"text"}]` + text[content.off+len(content.raw):]
	}
	h := sum(sha256.Sum256([]byte(stringified(text))))
	x.hashes[m] = h
	return h
}

// stringified returns canonical JSON as the client writes it: only what must be is escaped.
func stringified(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			i++
			continue
		}
		r, size := escaped(text[i:])
		if utf16.IsSurrogate(r) {
			if second, n := escaped(text[i+size:]); n > 2 {
				if both := utf16.DecodeRune(r, second); both != utf8.RuneError {
					r, size = both, size+n
				}
			}
		}
		if r < utf8.RuneSelf || utf16.IsSurrogate(r) {
			b.WriteString(text[i : i+size])
		} else {
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// escaped returns the UTF-16 code unit of the escape with which a text begins, and its length. The
// unit of a short escape is 0.
func escaped(text string) (unit rune, size int) {
	const long = len(`\u0000`)
	if len(text) < long || text[0] != '\\' || text[1] != 'u' {
		return 0, min(2, len(text))
	}
	n, _ := strconv.ParseUint(text[2:long], 16, 16)
	return rune(n), long
}

func sum(h [sha256.Size]byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(h))
	for _, b := range h {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

// blob returns the message of a blob. Its parts have the ids of the records of the chain that have
// the same parts.
func (s *session) blob(c *conversation, h string) *series.Message {
	text, ok := s.recorded.blobs[h]
	if !ok {
		return nil
	}
	m, like := inParts(newMessage(value{raw: text}, "$.message"), c.view.list[max(len(c.view.list)-window, 0):])
	if like != nil && slices.EqualFunc(like.Parts, m.Parts, func(a, b *series.Part) bool { return a.Value == b.Value }) {
		s.recorded.twins[like] = m
	}
	return m
}

// partsOf yields the parts of a content in canonical JSON.
func partsOf(content value) func(func(string) bool) {
	return func(yield func(string) bool) {
		if content.is('"') {
			yield(`{"text":` + content.raw + `,"type":"text"}`)
			return
		}
		for _, p := range content.elements() {
			if !yield(p.raw) {
				return
			}
		}
	}
}

// runOf returns the message that consists of records: consecutive records of the user, or those of
// one answer. Every beginning of a run has a hash; one state goes on over all of them.
func (s *session) runOf(h string) *series.Message {
	x := &s.recorded
	if x.runs == nil {
		x.runs = map[string]run{}
		for _, f := range s.files {
			s.addRuns(f)
		}
	}
	r, ok := x.runs[h]
	if !ok {
		return nil
	}
	var units []unit
	role := series.User
	for _, of := range r.records {
		if of.fate == fromModel {
			role = series.Assistant
		}
		for _, p := range of.parts {
			units = append(units, unit{Part: p, kind: kindOf(p.Value), of: of})
		}
	}
	if len(units) == 0 {
		return nil
	}
	return messageOf(role, units)
}

func (s *session) addRuns(f *claudeFile) {
	var state hash.Hash
	var list []*record
	parts := 0
	for _, r := range f.records {
		if r.fate != fromClient && r.fate != fromModel {
			continue
		}
		role := `],"role":"user"}`
		if r.fate == fromModel {
			role = `],"role":"assistant"}`
		}
		if len(list) == 0 || list[0].fate != r.fate || r.fate == fromModel && list[0].answer != r.answer {
			state, list, parts = sha256.New(), nil, 0
			state.Write([]byte(`{"content":[`))
		}
		list = append(list, r)
		for _, p := range r.parts {
			if parts++; parts > 1 {
				state.Write([]byte{','})
			}
			state.Write([]byte(stringified(p.Value)))
		}
		end := sha256.New()
		at, _ := state.(encoding.BinaryMarshaler).MarshalBinary() // cannot fail
		_ = end.(encoding.BinaryUnmarshaler).UnmarshalBinary(at)
		end.Write([]byte(role))
		h := sum([sha256.Size]byte(end.Sum(nil)))
		if _, ok := s.recorded.runs[h]; !ok {
			s.recorded.runs[h] = run{f, list[:len(list):len(list)]}
		}
	}
}

// settingsKey identifies what a recorded request has besides messages.
type settingsKey struct{ params, shape string }

// exactSettings are the settings of a recorded request.
type exactSettings struct {
	list     []series.Setting
	hasShape bool // the log has the system prompt and the tools
}

// settings returns the parameters, the system prompt and the tools of a recorded request. The marks
// of the cache are not kept: those in messages move from call to call, and the others alone would
// say that the provider caches no message.
func (x *recordedRequests) settings(id string) exactSettings {
	r := x.requests[id]
	key := settingsKey{r.params, r.shape}
	out, ok := x.known[key]
	if ok {
		return out
	}
	for name, v := range (value{raw: r.params}).members() {
		out.list = append(out.list, series.Setting{Name: strings.Clone(name), Value: v.raw})
	}
	if shape, ok := x.shapes[r.shape]; ok {
		out.hasShape = true
		kinds := map[string]series.SettingKind{"system": series.Instructions, "tools": series.Tools}
		for name, v := range (value{raw: shape}).members() {
			out.list = append(out.list, series.Setting{Name: strings.Clone(name), Kind: kinds[name], Value: v.raw})
		}
	}
	slices.SortFunc(out.list, func(a, b series.Setting) int { return strings.Compare(a.Name, b.Name) })
	x.known[key] = out
	return out
}
