package parser

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// sourceReader holds the source that a builder reads, its diagnostics, and the tokens of the
// current selector. It also owns the buffers of the lexer and the parser, which are reused.
type sourceReader struct {
	src     string // as given
	text    string // src with the bytes replaced that are not UTF-8
	start   int    // after a byte order mark
	hyphens bool   // the source may have a hyphen, so a name may end in one
	diags   []diag.Diagnostic
	errors  int // errors reported so far, kept or not

	Options // with the default limits filled in

	// The selector being read:
	suppressed []int        // offsets of words that another diagnostic explains, ascending
	explained  []ast.Span   // parts of the source that another diagnostic explains, ascending
	open       []int        // the opening brackets, before the token matched, that are not closed
	matched    int          // see unclosed
	brackets   [128]bracket // by closing bracket

	machine ll1.Machine
	tokens  []ll1.Token // those the builder reads
	gaps    []int32     // after a repair: by token, how many gaps with skipped tokens precede it
	nodes   arena
}

// bracket is the state of error reporting for one kind of closing bracket.
type bracket struct {
	misplaced int // opening ones that were reported; their closing ones are not
	next      int // the token up to which suppressCloser has searched
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// newBuilder returns a builder for one source.
func newBuilder(src string, o *Options) *builder {
	b := builders.Get().(*builder)
	b.src, b.text, b.start = src, src, afterMark(src)
	b.Options = *o
	b.Limits.fillIn()
	b.errors, b.insertion = 0, false
	return b
}

// afterMark returns the offset after a byte order mark; 0 without one.
func afterMark(src string) int { return len(src) - len(strings.TrimPrefix(src, "\ufeff")) }

// finish returns the sorted diagnostics and puts the builder back into the pool, unless the source
// was large. It must not be deferred: after a panic the builder is in the middle of a selector and
// cannot be reused. A builder in the pool keeps the last source and tree alive: clearing its
// buffers would write pointers, which is slow during garbage collection.
func (b *builder) finish() []diag.Diagnostic {
	ds := b.diags
	diag.Sort(ds)
	b.diags, b.position = nil, nil // the caller owns them now
	if len(b.src) <= 1<<12 && cap(b.tokens) <= 1<<12 {
		builders.Put(b)
	}
	return ds
}

// admit checks the size and the encoding of the source, and reports whether it can be read.
func (r *sourceReader) admit() bool {
	if len(r.src) > r.Limits.Bytes {
		at := ast.Span{Start: r.Limits.Bytes, End: r.Limits.Bytes}
		r.exceeded(at, "the source has %d bytes; the limit Bytes is %d", len(r.src), r.Limits.Bytes)
		return false
	}
	var special bool
	if special, r.hyphens = survey(r.src); !special {
		return true
	}
	if r.text = replaceInvalid(r.src); r.text != r.src {
		r.reportInvalid()
	}
	for at := range len(r.src) {
		if r.src[at] == 0 {
			r.errorf(ast.Span{Start: at, End: at + 1}, "a NUL character is not allowed")
		}
	}
	return true
}

// survey reports whether a source has a NUL or a byte that is not ASCII, which is rare, and whether
// it may have hyphens. It tests eight bytes at a time: subtracting 1 from each sets the high bit of
// those that are 0.
func survey(src string) (special, hyphens bool) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	if len(src) < 8 {
		return true, true
	}
	var s, h uint64
	for i := 0; i < len(src); i += 8 {
		bytes := binary.LittleEndian.Uint64([]byte(src[min(i, len(src)-8):]))
		s |= bytes | (bytes - ones)
		h |= (bytes ^ ones*'-') - ones
	}
	return s&high != 0, h&high != 0
}

// reportInvalid reports each run of bytes that are not UTF-8.
func (r *sourceReader) reportInvalid() {
	for from, to := 0, 0; from < len(r.src); from = to + 1 {
		for to = from; to < len(r.src) && r.text[to] != r.src[to]; {
			to++
		}
		switch n := to - from; n {
		case 0:
		case 1:
			r.errorf(ast.Span{Start: from, End: to}, "1 byte is not UTF-8")
		default:
			r.errorf(ast.Span{Start: from, End: to}, "%d bytes are not UTF-8", n)
		}
	}
}

// replaceInvalid replaces each byte that is not UTF-8 with a control character, so offsets stay
// valid and a string around it is still a string.
func replaceInvalid(src string) string {
	if utf8.ValidString(src) {
		return src
	}
	out := []byte(src)
	for i, c := range src {
		if c == utf8.RuneError && !strings.HasPrefix(src[i:], string(utf8.RuneError)) {
			out[i] = substitute
		}
	}
	return string(out)
}

// substitute is the character that stands for a byte that is not UTF-8.
const substitute = 0x1a

// selector reads one entry of a file.
func (b *builder) selector(e entry) *ast.Selector {
	errors := b.errors
	q := b.read(e.lines)
	s := &ast.Selector{
		Span: q.Bounds(), Lines: e.lines, Query: q,
		Before: e.before, BlankBefore: e.blankBefore,
	}
	for _, c := range b.comments(e.lines) {
		if c.Start > q.End() {
			s.Suffix = c
		} else {
			s.Inside = append(s.Inside, c)
		}
	}
	written := e.lines.Text(b.src) // its invalid bytes have been reported already
	s.Bad = b.errors > errors || strings.IndexByte(written, 0) >= 0 || !utf8.ValidString(written)
	return s
}

// remainder returns everything after the limit of selectors, without trailing blank lines, as one
// selector that was not read.
func (r *sourceReader) remainder(e entry) *ast.Selector {
	lines := ast.Span{Start: e.lines.Start, End: len(strings.TrimRight(r.text, " \t\r\n"))}
	at := ast.Span{Start: skipTrivia(r.text, lines.Start, lines.End, nil), End: lines.End}
	r.exceeded(ast.Span{Start: at.Start, End: at.Start},
		"the file has too many selectors; the limit Selectors is %d", r.Limits.Selectors)
	return &ast.Selector{
		Span: at, Lines: lines, Query: emptyQuery(at), Before: e.before, BlankBefore: e.blankBefore, Bad: true,
	}
}

// comments collects the comments in a span that starts at the start of a line.
func (r *sourceReader) comments(within ast.Span) (found []*ast.Comment) {
	if strings.IndexByte(within.Text(r.text), '#') < 0 {
		return nil
	}
	for i := within.Start; i < within.End; i++ {
		switch c := r.text[i]; {
		case c == '\'' || c == '"':
			i = skipString(r.text, i, within.End) - 1
		case isSpace(c):
			i = skipTrivia(r.text, i, within.End, func(s ast.Span) {
				found = append(found, &ast.Comment{Span: s, Text: s.Text(r.src)})
			}) - 1
		}
	}
	return found
}

// read reads the selector in a span. If b.insertion is set, it reads an insertion position into
// b.position. If a token does not fit the grammar, it starts over with the repaired tokens.
func (b *builder) read(within ast.Span) *ast.Query {
	body, ok := b.lex(within)
	if !ok {
		return emptyQuery(body)
	}
	found, errors := len(b.diags), b.errors
	q := b.build(body)
	if b.fit == misfit {
		b.reset()
		b.diags, b.errors, b.position = b.diags[:found], errors, nil
		b.repair()
		if q = emptyQuery(body); b.withinLimits(true) { // it may have skipped brackets
			b.fit = repaired
			q = b.build(body)
		}
	}
	b.reset()
	return q
}

// repair reports the syntax errors and replaces the tokens with the repaired ones.
func (b *builder) repair() {
	b.open, b.matched = b.open[:0], 0
	clear(b.brackets[:])
	tokens, errs := b.machine.Repair(b.tokens)
	for _, e := range errs {
		b.syntaxError(e)
	}
	b.tokens = append(b.tokens[:0], tokens...)
	b.gaps = b.gaps[:0]
	n, end := int32(0), b.tokens[0].Start
	for _, t := range b.tokens {
		if t.Start != end {
			n++
		}
		b.gaps = append(b.gaps, n)
		end = t.End
	}
}

// skipped reports whether the repair has dropped tokens between two tokens.
func (r *sourceReader) skipped(from, to int) bool {
	return len(r.gaps) > 0 && r.gaps[from] != r.gaps[to]
}

// lex reads the tokens of the selector in a span, and returns the span without the white space
// around it. If a limit is exceeded, it reports that and returns false.
func (b *builder) lex(within ast.Span) (body ast.Span, ok bool) {
	body = within
	b.gaps = b.gaps[:0]
	if body.Start < body.End && (isSpace(b.text[body.Start]) || b.text[body.Start] == '#') {
		body.Start = skipTrivia(b.text, body.Start, body.End, nil)
	}
	tokens, lexed := ll1.Lex(b.text[:body.End], body.Start, 2*b.Limits.Tokens, b.tokens)
	b.tokens, body.End = tokens, body.Start
	if n := len(tokens) - 1; n > 0 {
		body.End = int(tokens[n-1].End)
	}
	return body, b.withinLimits(lexed)
}

// withinLimits checks the number of tokens and the nesting of brackets before anything is built. If
// lexed is false, the lexer has stopped because there were too many tokens.
func (r *sourceReader) withinLimits(lexed bool) bool {
	if lexed && len(r.tokens) <= min(r.Limits.Tokens, r.Limits.Nesting) {
		return true // no limit can be exceeded
	}
	words, nesting := 0, 0
	for i, t := range r.tokens {
		if t.Kind != ll1.TokDesc && t.Start != t.End { // not the end, nor added by the repair
			words++
		}
		switch {
		case opening.Has(t.Kind):
			nesting++
		case closing.Has(t.Kind):
			nesting = max(0, nesting-1)
		}
		if nesting > r.Limits.Nesting {
			r.exceeded(r.core(i), "brackets are nested too deep; the limit Nesting is %d", r.Limits.Nesting)
			return false
		}
		if words > r.Limits.Tokens || !lexed && i == len(r.tokens)-2 {
			r.exceeded(r.core(i), "the selector has too many words; the limit Tokens is %d", r.Limits.Tokens)
			return false
		}
	}
	return true
}

// opening and closing are the sets of the tokens that open and close a bracket.
const (
	opening ll1.Set = 1<<ll1.TokLparen | 1<<ll1.TokLbrack | 1<<ll1.TokLbrace | 1<<ll1.TokIn | 1<<ll1.TokDepthCall |
		1<<ll1.TokWithinCall | 1<<ll1.TokNthCall | 1<<ll1.TokLateNth | 1<<ll1.TokDepthPseudo | 1<<ll1.TokLateDepth
	closing ll1.Set = 1<<ll1.TokRparen | 1<<ll1.TokRbrack | 1<<ll1.TokRbrace
)

// span returns the range of a token with the white space it has absorbed.
func (r *sourceReader) span(token int) ast.Span {
	t := r.tokens[token]
	return ast.Span{Start: int(t.Start), End: int(t.End)}
}

// verbatim is the set of the tokens that core leaves as they are: they never absorb white space, or
// any white space in them is their own.
const verbatim ll1.Set = 1<<ll1.TokDesc | 1<<ll1.TokString | 1<<ll1.TokQuotedKey | 1<<ll1.TokBadString |
	1<<ll1.TokType | 1<<ll1.TokRegion | 1<<ll1.TokKey | 1<<ll1.TokDepth | 1<<ll1.TokName |
	1<<ll1.TokColonName | 1<<ll1.TokColonPart | 1<<ll1.TokInt

// core returns the range of a token without the white space and comments it has absorbed. A token
// ends at the first white space inside it; only a control may hold some.
func (r *sourceReader) core(token int) ast.Span {
	kind, s := r.tokens[token].Kind, r.span(token)
	if verbatim.Has(kind) || s.Len() == 0 {
		return s
	}
	if isSpace(r.text[s.Start]) {
		s.Start = skipTrivia(r.text, s.Start, s.End, nil)
	}
	if kind == ll1.TokControl {
		return s
	}
	for i := s.Start; i < s.End; i++ {
		if isSpace(r.text[i]) {
			s.End = i
			break
		}
	}
	return s
}
