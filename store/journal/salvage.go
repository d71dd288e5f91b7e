package journal

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
)

// Salvaged is the intact part of a damaged journal.
type Salvaged struct {
	Frames   []Frame // a journal of the intact lines; nil if there are none
	Cycles   []int64 // the cycles of its snapshots
	Lost     []Span  // in the order of the file
	Repaired []Span  // damaged lines that were restored; their digests prove them
}

// Span is a part of a damaged journal.
type Span struct {
	Part        int // the index of the text that contains it
	Line, Lines int // the first line, from 1, and the number of lines
	From, Bytes int64
	First, Last int64 // the cycles that the lines name; -1 if they name none
	Why         string
}

// The reasons for which lines are lost or repaired.
const (
	whyDamaged     = "the digest does not fit"
	whyTorn        = "an append was interrupted"
	whyChanges     = "changes of a snapshot that is lost"
	whyAnother     = "another journal begins"
	whyDigest      = "its digest was damaged"
	whyNewline     = "its end was damaged"
	whyBit         = "bit %d of byte %d was flipped"
	mostRepairWork = 2 << 30 // bytes that are hashed to find flipped bits
	mostRounds     = 8
)

// Salvage finds the intact part of a damaged journal. The texts are the files of the bases of a
// fork, oldest first, each up to where the fork begins, and then the file of the journal.
//
// A line is intact if its digest proves it, together with the digest of the line before. A digest
// proves a line if three quarters of its digits match. Salvage repairs a line in which one bit was
// flipped. It drops changes of a lost snapshot, and an interrupted append. Errors name the journal
// by name. If no snapshot is intact, the error has the code [ErrLost], or [ErrLine] if the text is
// not a journal, or [engine.ErrMemory] if the memory does not suffice. Salvage costs as much as
// reading the journal, and at most some seconds for repairs.
func Salvage(name string, texts ...string) (Salvaged, error) {
	s := salvager{work: mostRepairWork}
	for i, text := range texts {
		s.part, s.line = i, 1
		if i > 0 {
			text = s.join(text)
		}
		s.scan(text, texts[i+1:])
	}
	out := s.result(name)
	if budget.Over() { // lines that could not be read are not damaged
		return Salvaged{}, &engine.Error{Code: engine.ErrMemory, File: name, Path: "$", Line: 1, Msg: budget.Refusal()}
	}
	if out.Frames == nil {
		if own := texts[len(texts)-1]; !strings.Contains(own, digestStart) {
			return Salvaged{}, &engine.Error{Code: ErrLine, File: name, Path: "$", Line: 1, Msg: "this is not a journal: no line has a digest"}
		}
		return out, &engine.Error{Code: ErrLost, File: name, Path: "$", Line: 1, Msg: "no snapshot of the journal is whole"}
	}
	return out, nil
}

// salvager scans the lines of a damaged journal.
type salvager struct {
	hash           hasher
	lines          []wholeLine
	lost, repaired []Span
	before         Digest // the digest of the line before, if it can be read
	last           Digest // the digest of the last intact line
	kept           *kept  // from the header, if the next line is the snapshot that it describes
	seen           bool   // a line was read
	header         Digest // the digest in the first line
	version        string // the version of the specification in a damaged header
	part, line     int
	offset         int64 // the offset of the text in its file
	work           int
	joined         bool // the base was read up to where the fork begins
}

// wholeLine is an intact line.
type wholeLine struct {
	frame    Frame
	at       Span
	gap      bool // the lines that it follows are lost
	replaces bool // the header describes this snapshot
}

// join begins the file of a fork after the files of its bases. It returns the text after the first
// line.
func (s *salvager) join(text string) string {
	first, rest := cutFirst(text)
	s.line, s.offset = 2, int64(len(text)-len(rest))
	if !s.joined {
		s.before, _ = LineDigest([]byte(first))
	}
	s.joined = false
	return rest
}

// isJoint reports whether the file of a fork continues after the last intact line.
func (s *salvager) isJoint(after []string) bool {
	if len(after) == 0 || len(s.lines) == 0 {
		return false
	}
	first, rest := cutFirst(after[0])
	if _, digits, ok := cutDigest(first); ok && isNear(digits, s.last) {
		return true
	}
	next, _, _ := strings.Cut(rest, "\n")
	open, digits, ok := cutDigest(next)
	return ok && isNear(digits, s.hash.chain(s.last, open))
}

// cutFirst cuts a text after its first line, whose newline may be damaged.
func cutFirst(text string) (first, rest string) {
	first, rest, _ = strings.Cut(text, "\n")
	if i := strings.Index(text, digestStart); i >= 0 && i+digestLen < len(text) {
		if _, digits, ok := cutDigest(first); !ok || !isDigest(digits) {
			return text[:i+digestLen], text[i+digestLen+1:]
		}
	}
	return first, rest
}

func isDigest(digits string) bool {
	_, ok := ParseDigest(digits)
	return ok
}

// scan reads the lines of a file. after holds the files of the fork that begins in it.
func (s *salvager) scan(text string, after []string) {
	begin := s.offset
	for at := 0; at < len(text); {
		if s.joined = s.isJoint(after); s.joined {
			break
		}
		if rest := text[at:]; s.begins(rest) {
			s.lose(Span{Part: s.part, Line: s.line, Lines: strings.Count(rest, "\n"), From: begin + int64(at), Bytes: int64(len(rest)), First: -1, Last: -1}, whyAnother)
			break
		}
		l := s.next(text[at:])
		if m := versionText.FindStringSubmatch(text[at : at+int(l.at.Bytes)]); !s.seen && m != nil {
			s.version = m[1]
		}
		l.at.Part, l.at.Line, l.at.From = s.part, s.line, begin+int64(at)
		s.take(l)
		at += int(l.at.Bytes)
		s.line += l.at.Lines
		s.seen = true
	}
	s.offset = 0
	if len(after) == 0 {
		s.dropTorn()
	}
}

// begins reports whether another journal begins. A second copy of the header of this one is not
// another journal.
func (s *salvager) begins(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	isHeader := strings.HasPrefix(line, magic+`,"history"`)
	digest, _ := LineDigest([]byte(line))
	if !s.seen {
		s.header = digest
	}
	return isHeader && s.seen && digest != s.header
}

// scanned is the next line of a text, or the damage in its place.
type scanned struct {
	wholeLine
	proven   bool
	repaired string
	why      string // the reason why the line is lost
	digest   Digest // the digest in the line
}

// next reads the line at the beginning of a text.
func (s *salvager) next(text string) scanned {
	n := strings.IndexByte(text, '\n')
	if n < 0 {
		n = len(text)
	}
	end := min(n+1, len(text))
	if n < len(text) {
		if l, ok := s.prove(text[:n]); ok {
			return l.span(end, 1)
		}
	}
	for i := 0; ; { // the newline may be damaged
		j := strings.Index(text[i:n], digestStart)
		if j < 0 {
			break
		}
		i += j + len(digestStart)
		stop := i + digestLen - len(digestStart)
		if stop >= n || n == len(text) && strings.Trim(text[stop:], "\x00") == "" {
			break
		}
		if l, ok := s.prove(text[:stop]); ok {
			if l.repaired = whyNewline; text[stop] != '{' {
				stop++
			}
			return l.span(stop, 0)
		}
	}
	line, lines := text[:n], 1
	if _, ok := LineDigest([]byte(line)); !ok && n < len(text) { // another byte may have become a newline
		if m := strings.IndexByte(text[n+1:], '\n'); m >= 0 {
			if joined := text[:n+1+m]; hasDigest(joined) {
				line, lines = joined, 2
			}
		}
	}
	if n < len(text) {
		if l, ok := s.repair(line); ok {
			return l.span(len(line)+1, lines)
		}
	}
	l := scanned{why: whyDamaged}
	l.digest, _ = LineDigest([]byte(text[:n]))
	if n == len(text) || strings.Contains(text[:n], "\x00\x00") && strings.Trim(text[n:], "\n\x00") == "" {
		l.why = whyTorn
	}
	l.frame = frameOf(text[:n])
	return l.span(end, 1)
}

func (l scanned) span(bytes, lines int) scanned {
	l.at = Span{Lines: lines, Bytes: int64(bytes), First: -1, Last: -1}
	if l.frame.Cycle > 0 || l.frame.Kind != Header {
		l.at.First, l.at.Last = l.frame.Cycle, l.frame.Cycle
	}
	return l
}

func hasDigest(line string) bool {
	_, ok := LineDigest([]byte(line))
	return ok
}

// cutDigest cuts a line into its body without the last brace and the digits of its digest. The end
// of the line may be damaged.
func cutDigest(line string) (open, digits string, ok bool) {
	i := len(line) - digestLen
	if i < 1 {
		return "", "", false
	}
	return line[:i], line[i+len(digestStart) : len(line)-len(digestEnd)], true
}

// isNear reports whether three quarters of the digits match a digest.
func isNear(digits string, d Digest) bool {
	same, want := 0, d.String()
	for i := range min(len(digits), len(want)) {
		if digits[i] == want[i] {
			same++
		}
	}
	return same >= len(Digest{})*2*3/4
}

// prove reads a line if a digest proves it.
func (s *salvager) prove(line string) (scanned, bool) {
	open, digits, ok := cutDigest(line)
	if !ok {
		return scanned{}, false
	}
	l := scanned{}
	if s.kept != nil && isNear(s.kept.sum.String(), s.hash.chain(Digest{}, open)) {
		l = s.whole(open+"}", s.kept.digest, true)
	}
	for _, before := range []Digest{s.last, s.before} {
		if sum := s.hash.chain(before, open); !l.proven && isNear(digits, sum) {
			l = s.whole(open+"}", sum, before == s.last)
		}
	}
	if l.proven && line+"\n" != string(l.frame.AppendLine(nil)) {
		l.repaired = whyDigest
	}
	return l, l.proven
}

// whole returns the line for a proven body.
func (s *salvager) whole(body string, digest Digest, follows bool) scanned {
	l := scanned{proven: true, digest: digest}
	l.frame = frameOf(body)
	l.frame.Body, l.frame.Digest = body, digest
	l.gap, l.replaces = !follows, s.kept != nil && digest == s.kept.digest
	return l
}

// repair restores a line in which one bit was flipped.
func (s *salvager) repair(line string) (scanned, bool) {
	open, digits, ok := cutDigest(line)
	want, valid := ParseDigest(digits)
	if !ok || !valid {
		return scanned{}, false
	}
	before, digest := s.before, want
	if s.kept != nil {
		before, want, digest = Digest{}, s.kept.sum, s.kept.digest
	}
	start := len(before.String())
	text := []byte(before.String() + open + "}")
	for i := start; i < len(text)-1; i++ {
		if s.work -= 8 * len(text); s.work < 0 {
			return scanned{}, false
		}
		for bit := range 8 {
			text[i] ^= 1 << bit
			if sha256.Sum256(text) == want {
				l := s.whole(string(text[start:]), digest, s.kept != nil || before == s.last)
				l.repaired = fmt.Sprintf(whyBit, bit, i-start)
				return l, true
			}
			text[i] ^= 1 << bit
		}
	}
	return scanned{}, false
}

// keptText matches the record of a header about the snapshot that follows it.
var keptText = regexp.MustCompile(`"kept":\{"cycle":[0-9]+,"digest":"([0-9a-f]{64})","sum":"([0-9a-f]{64})"\}`)

// versionText matches the version of the specification in a header.
var versionText = regexp.MustCompile(`"spec_version":"(PACT/[0-9.]+)"`)

// Types of nodes that only one edition has.
var (
	oldType = regexp.MustCompile(`"nodeType":"(mt|mc|cb)"|"id":"(mt|mc|cb):[^"]*"[,}]`)
	newType = regexp.MustCompile(`"nodeType":"(seg|cont)"|"id":"(seg|cont|block):[^"]*"[,}]`)
)

// take keeps an intact line, and records any other line as lost.
func (s *salvager) take(l scanned) {
	s.before = l.digest
	switch {
	case !l.proven:
		s.lose(l.at, l.why)
		return
	case l.gap && l.frame.Kind != Snapshot:
		s.lose(l.at, whyChanges)
		return
	}
	s.lines, s.last, s.kept = append(s.lines, l.wholeLine), l.digest, nil
	if l.repaired != "" {
		l.at.Why = l.repaired
		s.repaired = append(s.repaired, l.at)
	}
	if m := keptText.FindStringSubmatch(l.frame.Body); m != nil && l.frame.Kind == Header {
		s.kept = &kept{}
		s.kept.digest, _ = ParseDigest(m[1])
		s.kept.sum, _ = ParseDigest(m[2])
	}
}

// lose records lines as lost.
func (s *salvager) lose(at Span, why string) {
	at.Why = why
	s.lost = append(s.lost, at)
}
