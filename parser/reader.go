package parser

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// reader is what a builder knows of the source. It owns the buffers of the lexer and the parser, which are reused.
type reader struct {
	src     string // as given
	text    string // the same, with bytes that are not UTF-8 replaced, so that the lexer sees only characters
	start   int    // behind a byte order mark
	hyphens bool   // if not, no name ends in one
	diags   []diag.Diagnostic
	errors  int  // errors reported so far, kept or not
	full    bool // the limit of diagnostics is reached

	// Of the options:
	edition  ast.Edition
	strict   bool
	mutation bool
	limited  bool // the limits are not the default ones
	limits   Limits

	// Of the selector that is being read:
	excused []int // offsets of words whose mistake was explained with another one, ascending
	open    []int // brackets that are open in front of the token matched
	matched int
	// Brackets that close and whose counterpart was reported as misplaced.
	misplaced [128]int32

	machine ll1.Machine
	tokens  []ll1.Token
	nodes   arena
}

var builders = sync.Pool{New: func() any { return &builder{reader: reader{limits: DefaultLimits()}} }}

// newBuilder gives a builder for one source.
func newBuilder(src string, o *Options) *builder {
	b := builders.Get().(*builder)
	b.src, b.text, b.start = src, src, 0
	if set := o.Limits.set(); set || b.limited {
		b.limits, b.limited = o.Limits.withDefaults(), set
	}
	b.edition, b.strict, b.mutation = o.Edition, o.Strict, o.Mutation
	b.errors, b.full = 0, false
	if strings.HasPrefix(src, "\ufeff") {
		b.start = len("\ufeff")
	}
	return b
}

// release gives the buffers back, unless the source was large. Up to the next use they refer to this source and its tree:
// a write of a pointer costs much while garbage is collected.
func (b *builder) release() {
	if b.diags != nil { // which are the caller's now
		b.diags = nil
	}
	if b.position != nil {
		b.position = nil
	}
	if len(b.src) <= 1<<12 && cap(b.tokens) <= 1<<12 {
		builders.Put(b)
	}
}

// admit checks what concerns the whole source: its size and its encoding.
func (r *reader) admit() bool {
	if len(r.src) > r.limits.Bytes {
		r.report(diag.Diagnostic{
			Code: diag.SelectorLimit, Span: ast.Span{Start: r.limits.Bytes, End: r.limits.Bytes},
			Message: fmt.Sprintf("the source has %d bytes; the limit is %d", len(r.src), r.limits.Bytes),
		})
		return false
	}
	var plain bool
	if plain, r.hyphens = look(r.src); plain {
		return true
	}
	r.hyphens = true // perhaps
	if !utf8.ValidString(r.src) {
		r.text = replaceInvalid(r.src, func(at ast.Span) {
			r.errorf(at, "%s not UTF-8", count(at.Len(), "byte is", "bytes are"))
		})
	}
	for at := strings.IndexByte(r.src, 0); at >= 0; {
		r.errorf(ast.Span{Start: at, End: at + 1}, "a NUL character is not allowed")
		next := strings.IndexByte(r.src[at+1:], 0)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return true
}

// look reports whether a source consists of ASCII characters other than NUL, as most do, and whether it holds a hyphen.
func look(src string) (plain, hyphen bool) {
	if len(src) < 8 {
		for i := range len(src) {
			if src[i]-1 >= utf8.RuneSelf-1 {
				return false, true
			}
			hyphen = hyphen || src[i] == '-'
		}
		return true, hyphen
	}
	odd, hyphens := marks(eightBytes(src[len(src)-8:])) // the last bytes, some of which come once more
	for ; len(src) >= 8; src = src[8:] {
		o, h := marks(eightBytes(src))
		odd, hyphens = odd|o, hyphens|h
	}
	const highBits = 0x8080808080808080
	return odd&highBits == 0, hyphens&highBits != 0
}

// marks sets a high bit of odd if one of eight bytes is not ASCII, or if the subtraction of 1 borrows for it because it
// is 0; and one of hyphens if that happens where a byte is 0 in place of a hyphen.
func marks(eight uint64) (odd, hyphens uint64) {
	const ones, allHyphens = 0x0101010101010101, 0x2d2d2d2d2d2d2d2d
	dashed := eight ^ allHyphens
	return eight | (eight - ones), (dashed - ones) &^ dashed
}

// eightBytes is the start of a string as a number.
func eightBytes(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// replaceInvalid puts a control character in place of each byte that is not UTF-8, so that offsets stay and a string
// around them is still a string, and calls found, unless nil, for every run of them.
func replaceInvalid(src string, found func(ast.Span)) string {
	out := []byte(src)
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRuneInString(src[i:])
		if c != utf8.RuneError || size != 1 {
			i += size
			continue
		}
		from := i
		for i < len(src) {
			if c, size := utf8.DecodeRuneInString(src[i:]); c != utf8.RuneError || size != 1 {
				break
			}
			out[i] = substitute
			i++
		}
		if found != nil {
			found(ast.Span{Start: from, End: i})
		}
	}
	return string(out)
}

// substitute is the character that stands for a byte that is not UTF-8.
const substitute = 0x1a

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// selector reads one entry of a file.
func (b *builder) selector(e entry) *ast.Selector {
	errors := b.errors
	q := b.read(e.lines, false)
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
	s.Bad = b.errors > errors || b.invalidIn(e.lines)
	return s
}

// remainder stands for what a file holds beyond the limit of selectors, from an entry to the last line that is
// not blank, as one selector that was not read.
func (r *reader) remainder(e entry) *ast.Selector {
	lines := ast.Span{Start: e.lines.Start, End: len(strings.TrimRight(r.text, " \t\r\n"))}
	at := ast.Span{Start: skipTrivia(r.text, lines.Start, lines.End, nil), End: lines.End}
	r.report(diag.Diagnostic{
		Code: diag.SelectorLimit, Span: ast.Span{Start: at.Start, End: at.Start},
		Message: fmt.Sprintf("the file has too many selectors; the limit is %d", r.limits.Selectors),
	})
	return &ast.Selector{
		Span: at, Lines: lines, Query: emptyQuery(at), Before: e.before, BlankBefore: e.blankBefore, Bad: true,
	}
}

// invalidIn reports whether the encoding of the span is broken, which was reported before.
func (r *reader) invalidIn(s ast.Span) bool {
	part := s.Text(r.src)
	return strings.IndexByte(part, 0) >= 0 || !utf8.ValidString(part)
}

// comments collects the comments between and behind the tokens read last.
func (r *reader) comments(within ast.Span) []*ast.Comment {
	if strings.IndexByte(within.Text(r.text), '#') < 0 {
		return nil
	}
	var found []*ast.Comment
	add := func(s ast.Span) {
		found = append(found, &ast.Comment{Span: s, Text: s.Text(r.src)})
	}
	at := within.Start
	for i := range r.tokens {
		t := r.span(i)
		skipTrivia(r.text, at, t.Start, add)
		r.innerComments(t, add)
		at = t.End
	}
	skipTrivia(r.text, at, within.End, add)
	return found
}

// innerComments finds the comments in the white space that a token has absorbed.
func (r *reader) innerComments(t ast.Span, add func(ast.Span)) {
	for i := t.Start; i < t.End; i++ {
		switch c := r.text[i]; {
		case c == '\'' || c == '"':
			i = skipString(r.text, i, t.End) - 1
		case isSpace(c):
			i = skipTrivia(r.text, i, t.End, add) - 1
		}
	}
}

// read reads the one selector that the span holds, or as such the one insertion position, which is then in b.position.
func (b *builder) read(within ast.Span, insertion bool) *ast.Query {
	body, fits, ok := b.lex(within)
	if !ok {
		return emptyQuery(body)
	}
	if fits && !insertion {
		if q := b.readPlain(body); q != nil {
			return q
		}
	}
	return b.readEvents(body, insertion)
}

// lex reads the tokens of the selector in a span, and gives its own span, and whether the machine finds no error in it.
// It is not ok if a limit is exceeded, which is then reported.
func (b *builder) lex(within ast.Span) (body ast.Span, fits, ok bool) {
	body = within
	if body.Start < body.End && (isSpace(b.text[body.Start]) || b.text[body.Start] == '#') {
		body.Start = skipTrivia(b.text, body.Start, body.End, nil)
	}
	tokens, lexed, fits := b.machine.Read(b.text[:body.End], body.Start, 2*b.limits.Tokens, b.tokens)
	if cap(tokens) > cap(b.tokens) {
		b.tokens = tokens
	}
	b.tokens = b.tokens[:len(tokens)]
	if n := len(tokens) - 1; n > 0 {
		body.End = int(tokens[n-1].End)
	} else {
		body.End = body.Start
	}
	few := lexed && len(tokens) <= min(b.limits.Tokens, b.limits.Nesting) // whatever they are
	return body, fits, few || b.withinLimits(lexed)
}

// readPlain builds the tree of a selector without errors if it is plain, else it gives nil.
func (b *builder) readPlain(body ast.Span) *ast.Query {
	reported, errors, full := len(b.diags), b.errors, b.full
	q := b.plain(body)
	if q == nil {
		b.diags, b.errors, b.full = b.diags[:reported], errors, full
		b.nodes.dropLists()
		b.reset()
		return nil
	}
	b.at, b.places = 0, false
	b.facets, b.legacies, b.excused = b.facets[:0], b.legacies[:0], b.excused[:0]
	return q
}

// readEvents builds the tree of any selector.
func (b *builder) readEvents(body ast.Span, insertion bool) *ast.Query {
	b.open, b.matched = b.open[:0], 0
	b.misplaced[')'], b.misplaced[']'], b.misplaced['}'] = 0, 0, 0
	events, errs := b.machine.Parse(b.tokens)
	for _, e := range errs {
		b.syntaxError(e)
	}
	b.events, b.insertion = events, insertion
	q := b.build(body)
	b.reset()
	return q
}

// withinLimits checks the number of tokens and the nesting of brackets before anything is built.
func (r *reader) withinLimits(lexed bool) bool {
	words, nesting := 0, 0
	for i, t := range r.tokens {
		if t.Kind != ll1.TokDesc {
			words++
		}
		switch {
		case opens(t.Kind):
			nesting++
		case closes(t.Kind):
			nesting = max(0, nesting-1)
		}
		if nesting > r.limits.Nesting {
			r.report(diag.Diagnostic{
				Code: diag.SelectorLimit, Span: r.core(i),
				Message: fmt.Sprintf("brackets are nested too deep; the limit is %d", r.limits.Nesting),
			})
			return false
		}
		if words > r.limits.Tokens+1 || !lexed && i == len(r.tokens)-2 { // the end is a token too
			r.report(diag.Diagnostic{
				Code: diag.SelectorLimit, Span: r.core(i),
				Message: fmt.Sprintf("the selector has too many words; the limit is %d", r.limits.Tokens),
			})
			return false
		}
	}
	return true
}

func opens(k ll1.Kind) bool {
	switch k {
	case ll1.TokLparen, ll1.TokLbrack, ll1.TokLbrace, ll1.TokIn, ll1.TokDepthCall, ll1.TokWithinCall,
		ll1.TokNthCall, ll1.TokLateNth, ll1.TokDepthPseudo, ll1.TokLateDepth:
		return true
	}
	return false
}

func closes(k ll1.Kind) bool {
	return k == ll1.TokRparen || k == ll1.TokRbrack || k == ll1.TokRbrace
}

// span is the range of a token with the white space it has absorbed.
func (r *reader) span(token int) ast.Span {
	t := r.tokens[token]
	return ast.Span{Start: int(t.Start), End: int(t.End)}
}

// absorbing is the set of the tokens that take in the white space and comments beside them.
const absorbing ll1.Set = 1<<ll1.TokLateTime | 1<<ll1.TokControl | 1<<ll1.TokRange | 1<<ll1.TokFallback |
	1<<ll1.TokOptional | 1<<ll1.TokComma | 1<<ll1.TokTag | 1<<ll1.TokDepthCall | 1<<ll1.TokWithinCall |
	1<<ll1.TokNthCall | 1<<ll1.TokLateNth | 1<<ll1.TokDepthPseudo | 1<<ll1.TokLateDepth | 1<<ll1.TokLateName |
	1<<ll1.TokColon | 1<<ll1.TokLparen | 1<<ll1.TokRparen | 1<<ll1.TokLbrack | 1<<ll1.TokRbrack |
	1<<ll1.TokLbrace | 1<<ll1.TokRbrace | 1<<ll1.TokGt | 1<<ll1.TokEq | 1<<ll1.TokNe | 1<<ll1.TokLt |
	1<<ll1.TokLe | 1<<ll1.TokGe | 1<<ll1.TokMatch | 1<<ll1.TokIn | 1<<ll1.TokBadOperator | 1<<ll1.TokBadTime

// core is the range of a token without the white space and comments it has absorbed.
func (r *reader) core(token int) ast.Span {
	t := &r.tokens[token]
	if t.End-t.Start > 1 && absorbing.Has(t.Kind) {
		return r.trim(t)
	}
	return ast.Span{Start: int(t.Start), End: int(t.End)}
}

// trim drops the white space and comments around and, but for a control, inside of an absorbing token.
func (r *reader) trim(t *ll1.Token) ast.Span {
	s := ast.Span{Start: int(t.Start), End: int(t.End)}
	if isSpace(r.text[s.Start]) {
		s.Start = skipTrivia(r.text, s.Start, s.End, nil)
	}
	if t.Kind == ll1.TokControl {
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

// ---- diagnostics --------------------------------------------------------------------------------------

// report adds a diagnostic, unless as many as are kept have been reported.
func (r *reader) report(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		r.errors++
	}
	switch n := len(r.diags); {
	case r.full:
		return
	case n == r.limits.Errors:
		r.full = true
		d = diag.Diagnostic{
			Code: diag.SelectorLimit, Span: d.Span,
			Message: fmt.Sprintf("there are more than %d errors; the others are not shown", n),
		}
	}
	r.diags = append(r.diags, d)
}

func (r *reader) errorf(at ast.Span, format string, args ...any) {
	r.report(diag.Diagnostic{Code: diag.SelectorInvalid, Span: at, Message: fmt.Sprintf(format, args...)})
}

// excuse keeps the word at an offset from being reported: its mistake was explained with another one.
func (r *reader) excuse(offset int) {
	if i, found := slices.BinarySearch(r.excused, offset); !found {
		r.excused = slices.Insert(r.excused, i, offset)
	}
}

func (r *reader) isExcused(offset int) bool {
	_, found := slices.BinarySearch(r.excused, offset)
	return found
}

// finish returns the diagnostics in order.
func (r *reader) finish() []diag.Diagnostic {
	if len(r.diags) > 1 {
		diag.Sort(r.diags)
	}
	return r.diags
}
