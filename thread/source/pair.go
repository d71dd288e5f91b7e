package source

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/pactkit/pactkit/internal/align"
	"github.com/pactkit/pactkit/thread/series"
)

// Call is a request or an event, with all messages.
type Call struct {
	*series.Request
	Sent []*series.Message
}

// Calls reads the requests of files that belong together, as [ReadFiles] does, and keeps all of
// them in memory. They share messages that are written in the same way and have no id. Errors are
// those of ReadFiles.
func Calls(ctx context.Context, files []File, o Options) ([]Call, error) {
	c := &collector{}
	err := ReadFiles(ctx, files, o, c.add)
	return c.calls, err
}

// collector collects the calls of requests.
type collector struct {
	calls  []Call
	latest map[string][]*series.Message // messages of the latest call, by conversation
	shared map[string]*series.Message   // by value
}

func (c *collector) add(r *series.Request) error {
	if c.latest == nil {
		c.latest = map[string][]*series.Message{}
	}
	if c.shared == nil {
		c.shared = map[string]*series.Message{}
	}
	before := c.latest[r.ConversationID]
	sent := slices.Grow(before[:r.Base:r.Base], len(r.Messages))
	for _, m := range r.Messages {
		if m.ID == "" && m.Parts == nil {
			if known := c.shared[m.Value]; known != nil && known.Role == m.Role {
				m = known
			} else {
				c.shared[m.Value] = m
			}
		}
		sent = append(sent, m)
	}
	c.latest[r.ConversationID] = sent
	c.calls = append(c.calls, Call{r, sent})
	return nil
}

// Pair finds the calls that a log and a recording of one session have in common. It returns for
// each call of the recording the index of its call in the log, or -1. Two calls are the same if
// their answers have the same id. If an answer has no id, Pair compares calls in the same order, as
// the provider sees them: first their answers, then all that they were sent, then the answers in
// that, then its last part.
//
// The time is linear in the number of messages in all requests. The calls whose answers have no id
// add time that is quadratic in their number.
func Pair(log, recorded []Call) []int {
	p := &pairing{log: log, recorded: recorded, hasher: newHasher(), taken: make([]bool, len(log))}
	ids := map[string]int{}
	for i, c := range log {
		if c.Event == nil && c.AnswerID != "" {
			ids[c.AnswerID] = i
		}
	}
	for i, c := range recorded {
		p.of = append(p.of, -1)
		if at, ok := ids[c.AnswerID]; ok && c.Event == nil {
			p.pair(i, at)
		}
	}
	p.align(p.answer)
	p.align(func(c Call) uint64 { return p.sent(c, isSaid) })
	p.align(func(c Call) uint64 { return p.sent(c, isFromModel) })
	p.align(p.lastPart)
	return p.of
}

// pairing is the state of one call of Pair.
type pairing struct {
	log, recorded []Call
	of            []int
	taken         []bool
	hasher
}

func (p *pairing) pair(recorded, log int) {
	r, l := p.recorded[recorded], p.log[log]
	if p.of[recorded] >= 0 || p.taken[log] || r.AnswerID != l.AnswerID && r.AnswerID != "" && l.AnswerID != "" {
		return
	}
	if r.AnswerID != l.AnswerID || r.AnswerID == "" {
		for i, at := range p.of {
			isTimed := !r.Time.IsZero() && !p.recorded[i].Time.IsZero() // others may stand anywhere
			if at >= 0 && isTimed && (i < recorded) != (at < log) && p.log[at].ConversationID == l.ConversationID {
				return // they are not in the same order
			}
		}
	}
	p.of[recorded], p.taken[log] = log, true
}

// align pairs calls with the same key: those whose key is unique in both, then those in the same
// order. It leaves out calls with key 0.
func (p *pairing) align(key func(Call) uint64) {
	var logs, recordings []int // calls without a partner
	var a, b []uint64
	for i, c := range p.log {
		if k := key(c); c.Event == nil && !p.taken[i] && k != 0 {
			logs, a = append(logs, i), append(a, k)
		}
	}
	for i, c := range p.recorded {
		if k := key(c); c.Event == nil && p.of[i] < 0 && k != 0 {
			recordings, b = append(recordings, i), append(b, k)
		}
	}
	inLog, inRecording := counted(a), counted(b)
	for j, k := range b {
		if inLog[k] == 1 && inRecording[k] == 1 {
			p.pair(recordings[j], logs[slices.Index(a, k)])
		}
	}
	for i, j := range align.Keys(a, b) {
		if j >= 0 {
			p.pair(recordings[j], logs[i])
		}
	}
}

func counted(list []uint64) map[uint64]int {
	out := map[uint64]int{}
	for _, k := range list {
		out[k]++
	}
	return out
}

// answer returns the hash of the answer to a call.
func (x hasher) answer(c Call) uint64 {
	return chained(0, partHashes(x.seed, c.Format, c.Reply...))
}

// sent returns the hash of those messages of a call whose role is wanted.
func (x hasher) sent(c Call, wanted func(series.Role) bool) (h uint64) {
	for _, m := range c.Sent {
		if wanted(m.Role) {
			h = chained(h, []uint64{x.hash(c.Format, m)})
		}
	}
	return h
}

// lastPart returns the hash of the last part of what a call was sent, without messages of the
// system.
func (x hasher) lastPart(c Call) uint64 {
	for _, m := range slices.Backward(c.Sent) {
		if list := partHashes(x.seed, c.Format, m); isSaid(m.Role) && len(list) > 0 {
			return list[len(list)-1]
		}
	}
	return 0
}

// isSaid reports whether a message is not of the system. Not every log has those.
func isSaid(r series.Role) bool      { return r != series.System }
func isFromModel(r series.Role) bool { return r == series.Assistant }

// hasher keeps the hashes of the normal forms of messages.
type hasher struct {
	seed   maphash.Seed
	hashes map[hashed]uint64
}

// hashed identifies the normal form of a message.
type hashed struct {
	*series.Message
	format string
}

func newHasher() hasher { return hasher{maphash.MakeSeed(), map[hashed]uint64{}} }

// hash returns the hash of the normal form of a message, or 0 if it has only thinking.
func (x hasher) hash(format string, m *series.Message) uint64 {
	k := hashed{m, format}
	h, ok := x.hashes[k]
	if !ok {
		h = chained(0, partHashes(x.seed, format, m))
		x.hashes[k] = h
	}
	return h
}
