package parser

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// time reads the time at the start of a fragment.
func (b *builder) time() *ast.Time {
	t := b.nodes.times.New()
	at := b.span(b.at)
	t.Extent = at.Extent()
	switch b.kind() {
	case ll1.TokEvery:
		t.Kind, t.From.Extent = ast.TimeEvery, t.Extent
	case ll1.TokHistory:
		t.Kind, t.From.Extent = ast.TimeHistory, t.Extent
	default:
		t.From = b.instant(at.Text(b.text), at)
	}
	b.at++
	switch b.kind() {
	case ll1.TokRange, ll1.TokColon, ll1.TokComma:
		join := ast.TimeRange
		if b.kind() == ll1.TokComma {
			join = ast.TimePair
		}
		if b.at++; b.expect(timeEnds) {
			b.timeEnd(t, join)
		}
	case ll1.TokColonPart:
		b.timeEnd(t, ast.TimeRange)
	}
	if b.kind() == ll1.TokDesc {
		b.at++
	}
	b.checkTime(t)
	return t
}

// timeEnds is the set of the tokens that can end a range or pair.
const timeEnds = ll1.FirstTime | 1<<ll1.TokInt

// timeEnd reads the second instant of a range or pair.
func (b *builder) timeEnd(t *ast.Time, join ast.TimeKind) {
	kind := b.kind()
	text, at := b.word(b.at)
	b.at++
	t.Extent = upTo(t.Extent, at.End)
	switch {
	case kind == ll1.TokEvery:
		b.refuseAs(diag.RangeWildcard, at, "`@*` is every snapshot and cannot end a range or pair",
			"the oldest snapshot is `@t-*`")
		return
	case kind == ll1.TokHistory:
		b.errorf(at, "`@history` is a range of its own and cannot end one")
		return
	case kind == ll1.TokInt && join == ast.TimePair:
		b.errorf(at, "a pair needs two instants, such as `@t0,@t-1`")
		return
	case kind == ll1.TokColonPart:
		t.To = b.bareEnd(text[1:], ast.Span{Start: at.Start + 1, End: at.End}, t.From)
	case kind == ll1.TokInt:
		t.To = b.bareEnd(text, at, t.From)
	default:
		t.To = b.instant(text, at)
	}
	switch {
	case t.Kind == ast.TimeEvery:
		b.refuseAs(diag.RangeWildcard, t.Bounds(), "`@*` is every snapshot and cannot begin a range or pair",
			"the whole history is `@history`")
		return
	case t.Kind == ast.TimeHistory:
		b.errorf(t.Bounds(), "`@history` is a range of its own and cannot begin one")
		return
	case (t.From.Kind == ast.Cycle) != (t.To.Kind == ast.Cycle):
		b.refuseAs(diag.RangeKindMismatch, t.Bounds(), "both ends must count the same way, with `@t` or with `@c`", "")
	}
	t.Kind = join
}

// lateTime reads a time after the first step.
func (b *builder) lateTime() {
	first, errors := b.at, b.errors
	instant := func() {
		text, at := b.word(b.at)
		if k := b.kind(); k == ll1.TokTime || k == ll1.TokLateTime && text[1] != '*' && text != "@history" {
			b.instant(text, at)
		}
		b.at++
	}
	instant()
	switch b.kind() {
	case ll1.TokRange, ll1.TokColon:
		if b.at++; b.expect(timeEnds) {
			instant()
		}
	case ll1.TokColonPart:
		b.at++
	}
	at := ast.Span{Start: b.core(first).Start, End: b.core(b.at - 1).End}
	b.lateTimes = append(b.lateTimes, lateTime{at, b.errors == errors})
}

// sameTime reports whether two times mean the same: nil is @t0, and the ends of a range or pair may
// be swapped.
func sameTime(a, b *ast.Time) bool {
	norm := func(t *ast.Time) ast.Time {
		if t == nil {
			return ast.Time{}
		}
		n := *t
		if n.Kind == ast.TimeHistory {
			n.Kind, n.To.Kind = ast.TimeRange, ast.Oldest
		}
		n.Extent, n.From.Extent, n.To.Extent = ast.Extent{}, ast.Extent{}, ast.Extent{}
		if n.Kind != ast.TimeAt && (n.From.Kind == ast.Oldest || n.To.Kind != ast.Oldest && n.From.N < n.To.N) {
			n.From, n.To = n.To, n.From
		}
		return n
	}
	return norm(a) == norm(b)
}

// checkTime reports `@t-*` where it does not end a range.
func (b *builder) checkTime(t *ast.Time) {
	if t.Kind != ast.TimeAt && t.Kind != ast.TimePair {
		return
	}
	for _, i := range []ast.Instant{t.From, t.To} {
		if i.Kind == ast.Oldest {
			b.refuse(i.Bounds(), "`@t-*` is only allowed as the end of a range",
				"the whole history is `@t0..@t-*`, or `@history`")
		}
	}
}

// instant reads "@t0", "@t-3", "@t-*", "@c42".
func (b *builder) instant(text string, at ast.Span) ast.Instant {
	i := ast.Instant{Extent: at.Extent()}
	number := text[2:]
	switch {
	case text[1] == 'c':
		i.Kind = ast.Cycle
		if number[0] == '-' || number[0] == '+' {
			b.errorf(at, "a cycle is counted from 0 and has no sign")
			return i
		}
	case number == "-*":
		i.Kind = ast.Oldest
		return i
	case number == "+*":
		b.errorf(at, "`@t+*` is not an instant")
		return i
	}
	n, ok := b.integer(number, at)
	i.N = n
	if ok && i.Kind == ast.Relative && n > 0 && number[0] != '+' {
		b.refuse(at, "an instant counts back from now and needs a sign", "write `@t-"+number+"`",
			insert("insert `-`", at.Start+2, "-"))
	}
	return i
}

// bareEnd reads the legacy end of a range without "@t", such as "-1" or "0".
func (b *builder) bareEnd(text string, at ast.Span, from ast.Instant) ast.Instant {
	i := ast.Instant{Extent: at.Extent()}
	if !ast.IsNumber(text) {
		b.refuse(at, "`"+excerpt(text)+"` is not an instant", "the end of a range is an instant such as `@t-1`")
		return i
	}
	n, ok := b.integer(text, at)
	i.N = n
	switch {
	case !ok:
	case from.Kind == ast.Cycle:
		b.refuse(at, "a range of cycles needs `@c` at both ends", "write `@c"+strings.TrimLeft(text, "+-")+"`")
		i.Kind = ast.Cycle
	case n > 0 || text[0] == '+':
		b.errorf(at, "the end of a range counts back from now: it is 0 or negative")
	case !b.edition01():
		b.legacy(ast.LegacyRangeEnd, at, "@t"+strconv.FormatInt(n, 10))
	}
	return i
}

// integer parses an integer and reports one that does not fit into 64 bits.
func (b *builder) integer(text string, at ast.Span) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		b.errorf(at, "the number does not fit into 64 bits")
		return 0, false
	}
	return n, true
}

// ParseInstant reads the address of one snapshot: "@t0", "@t-1" or "@c42". If it returns an error,
// the instant is not valid. [Limits] do not apply, because it reads a single token.
func ParseInstant(src string) (i ast.Instant, ds []diag.Diagnostic) {
	b := newBuilder(src, &Options{})
	at := ast.Span{End: len(src)}
	if toks, _ := ll1.Lex(src, 0, 1, nil); toks[0].Kind == ll1.TokTime && int(toks[0].End) == len(src) {
		i = b.instant(src, at)
		b.checkTime(&ast.Time{From: i})
	} else {
		b.refuse(at, "this is not the address of one snapshot", "write @t0, @t-1 or @c42")
	}
	return i, b.finish()
}
