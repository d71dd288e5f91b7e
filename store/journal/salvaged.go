package journal

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// dropTorn drops the lines of an interrupted append. It keeps them if other lines of the append are
// damaged: the append may have been acknowledged.
func (s *salvager) dropTorn() {
	damaged := false
	if len(s.lost) > 0 && len(s.lines) > 0 {
		l, at := s.lost[len(s.lost)-1], s.lines[len(s.lines)-1].at
		damaged = l.Why != whyTorn && (l.Part > at.Part || l.Part == at.Part && l.From > at.From)
	}
	n := len(s.lines)
	for n > 0 && !s.lines[n-1].frame.End && !damaged {
		n--
	}
	for _, l := range s.lines[n:] {
		s.lose(l.at, whyTorn)
	}
	s.lines = s.lines[:n]
}

// result makes a journal from the intact lines. A line that does not fit after a gap is lost, as
// are the lines that follow it.
func (s *salvager) result(name string) Salvaged {
	var frames []Frame
	for round := 0; ; round++ {
		frames = s.frames()
		bad, err := check(name, frames)
		if err == nil {
			break
		}
		if len(s.lines) > 0 && s.lines[0].frame.Kind != Header {
			bad-- // the first frame is a new header
		}
		bad = max(bad, 0)
		to := bad + 1
		for to < len(s.lines) && (round == mostRounds || s.lines[to].frame.Kind != Snapshot) {
			to++
		}
		if bad >= len(s.lines) {
			frames = nil
			break
		}
		s.lose(s.lines[bad].at, engineReason(err))
		for _, l := range s.lines[bad+1 : to] {
			s.lose(l.at, whyChanges)
		}
		s.lines = slices.Delete(s.lines, bad, to)
		if bad < len(s.lines) {
			s.lines[bad].gap = true
		}
	}
	out := Salvaged{Frames: frames, Lost: joinSpans(s.lost), Repaired: s.repaired}
	for _, f := range frames {
		if f.IsSealed() {
			out.Cycles = append(out.Cycles, f.Cycle)
		}
	}
	return out
}

// joinSpans sorts spans, and joins adjacent spans with the same reason.
func joinSpans(list []Span) (out []Span) {
	slices.SortFunc(list, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.From, b.From)) })
	for _, x := range list {
		if n := len(out); n > 0 && out[n-1].Why == x.Why && out[n-1].Part == x.Part && out[n-1].From+out[n-1].Bytes == x.From {
			b := &out[n-1]
			if b.Lines, b.Bytes = b.Lines+x.Lines, b.Bytes+x.Bytes; b.First < 0 {
				b.First = x.First
			}
			b.Last = max(b.Last, x.Last)
			continue
		}
		out = append(out, x)
	}
	return out
}

func engineReason(err error) string {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Msg
	}
	return err.Error()
}

// frames returns the intact lines as the frames of a journal.
func (s *salvager) frames() []Frame {
	if len(s.lines) == 0 {
		return nil
	}
	out := make([]Frame, 0, len(s.lines)+1)
	if s.lines[0].frame.Kind != Header {
		h := NewHead(About{Rules: true})
		version := s.version
		if version == "" {
			version = engine.Edition10.SpecVersion()
			has := func(re *regexp.Regexp) bool {
				return slices.ContainsFunc(s.lines, func(l wholeLine) bool { return re.MatchString(l.frame.Body) })
			}
			if has(oldType) && !has(newType) { // decision D42
				version = engine.Edition01.SpecVersion()
			}
		}
		out = append(out, Frame{Body: bodyText(h.header(engine.Entry{Text: objectText([]member{{"spec_version", quote(version)}})}))})
	}
	for i, l := range s.lines {
		f := l.frame
		if f.Kind == Header && (i+1 == len(s.lines) || !s.lines[i+1].replaces) {
			f.Body = bodyText(membersBut(f.Body, "kept"))
		}
		last := i+1 == len(s.lines) || s.lines[i+1].gap
		if last && !f.End && f.Kind != Header {
			f.Body, f.End = withMember(f.Body, member{"end", "true"}), true
		}
		out = append(out, f)
	}
	var before Digest
	for i := range out {
		if n := i - (len(out) - len(s.lines)); n < 0 || !s.lines[n].replaces {
			out[i].Digest = Chain(before, out[i].Body)
		}
		before = out[i].Digest
	}
	return out
}

// check reads frames as a journal, and returns the index of the first one that does not fit.
func check(name string, frames []Frame) (bad int, err error) {
	d := NewDecoder(name, engine.ReadOptions{})
	d.VerifyCheckpoints()
	for i, f := range frames {
		if err := d.Add(f); err != nil {
			if e, ok := errors.AsType[*engine.Error](err); ok && e.Line > 0 {
				i = e.Line - 1
			}
			return i, err
		}
	}
	_, err = d.Timeline()
	return len(frames), err
}

// Base is the history whose file contains the beginning of a fork.
type Base struct {
	History string // "" if the journal is not a fork
	End     int64  // the size of the beginning in bytes; 0 if unknown

	cycle int64 // nothing after its snapshot belongs to the beginning; 0 if End says so
}

// BasesOf returns the bases that the first lines of a journal name. The lines may be damaged and
// contradict each other. The last base is zero, for a journal that is not a fork.
func BasesOf(text string) []Base {
	var list []Base
	first, rest := cutFirst(text)
	f, err := ParseLine([]byte(first))
	if p, wrong := ReadPrefix(f); err == nil && wrong == nil {
		list = append(list, Base{History: p.History, End: p.End})
	}
	next, _, _ := strings.Cut(rest, "\n")
	var fork struct {
		Fork struct {
			History string
			Cycle   int64
		}
	}
	if strings.HasPrefix(next, PrefixMagic) && json.Unmarshal([]byte(next), &fork) == nil && fork.Fork.History != "" {
		list = append(list, Base{History: fork.Fork.History, cycle: fork.Fork.Cycle})
	}
	return append(list, Base{})
}

// Of returns the beginning of the fork in the file of its base.
func (b Base) Of(text string) string {
	if b.cycle > 0 {
		size := 0
		for line := range strings.Lines(text) {
			if f, err := ParseLine([]byte(strings.TrimSuffix(line, "\n"))); err == nil && f.Cycle > b.cycle {
				break
			}
			size += len(line)
		}
		text = text[:size]
	}
	if b.End == 0 {
		return text
	}
	size := b.End
	if own := BasesOf(text)[0]; own.End > 0 {
		_, rest := cutFirst(text)
		size += int64(len(text)-len(rest)) - own.End
	}
	return text[:min(int64(len(text)), max(0, size))]
}

// Next returns the base that the file of the base names first.
func (b Base) Next(text string) Base {
	next := BasesOf(text)[0]
	if b.cycle > 0 && (next.cycle == 0 || b.cycle < next.cycle) {
		next.cycle = b.cycle
	}
	return next
}
