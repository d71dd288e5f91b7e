package host

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// origins finds out what names of a program stand for. A name stands for something of PACT only if
// everything that gives it a value in its scope comes from PACT. Each place where the name occurs
// must be known to give it such a value, or only to read it; any other place makes it unknown. So
// code that this package does not understand proves nothing.
type origins struct {
	*scope
	enclosing []int32 // by token: the bracket around it, or -1
	opening   []int32 // by closing bracket: the one that it closes, or -1
	owner     []int32 // by token: the function around it, an index of functions
	functions []function
	params    map[int]bool  // brackets around parameters
	unknown   map[int]bool  // tokens of statements that bind names in ways that are not followed
	bound     map[int]value // names that imports bind, by token
	neutral   map[int]bool  // words of imports that bind nothing
	packages  map[string]value
	structs   map[string]int // of Go: the brace of the fields, or -1 if there are several
	words     map[string][]int32
	memo      map[nameIn]known
	fields    map[nameIn]value // by the name and its home
	budget    int              // how many occurrences of names may still be looked at
	depth     int
}

// function is a function of a program, or the program itself, or the body of a class in Python.
type function struct {
	outer, start, end int // tokens; outer is an index of functions
	class             bool
	arrow             bool // in JavaScript: this is that of the function around it
}

// nameIn is a name in the function where it is looked up.
type nameIn struct {
	name     string
	function int
}

// known is what was found out about a name in a function.
type known struct {
	value value
	found bool
}

// value is what a name or an expression stands for.
type value struct {
	kind   valueKind
	name   string   // of the module or the member
	at     ast.Span // where that is said, or what makes it unknown
	custom bool     // it is of a module that the configuration names
}

type valueKind uint8

const (
	unknownValue valueKind = iota
	moduleValue
	memberValue
	objectValue
	listValue
	localValue // of a struct of the program
)

// newOrigins prepares a program. The time is linear in its tokens.
func newOrigins(s *scope) *origins {
	n := len(s.tokens)
	o := &origins{
		scope: s, enclosing: make([]int32, n), opening: make([]int32, n), owner: make([]int32, n),
		params: map[int]bool{}, unknown: map[int]bool{}, bound: map[int]value{}, neutral: map[int]bool{},
		packages: map[string]value{}, structs: map[string]int{}, words: map[string][]int32{},
		memo: map[nameIn]known{}, fields: map[nameIn]value{}, budget: 50*n + 1000,
	}
	open := []int32{-1}
	for i := range o.opening {
		o.opening[i] = -1
	}
	for i := range s.tokens {
		for len(open) > 1 && s.closing[open[len(open)-1]] <= i {
			open = open[:len(open)-1]
		}
		o.enclosing[i] = open[len(open)-1]
		if s.is(i, '(') || s.is(i, '[') || s.is(i, '{') {
			if c := s.closing[i]; c < n {
				o.opening[c] = int32(i)
			}
			open = append(open, int32(i))
		}
		if s.tokens[i].kind == wordToken {
			w := s.text(i)
			o.words[w] = append(o.words[w], int32(i))
		}
	}
	o.functions = []function{{outer: -1, end: n}}
	switch s.api {
	case pythonAPI:
		o.pythonFunctions()
	case goAPI:
		o.goFunctions()
	default:
		o.scriptFunctions()
	}
	o.nest()
	o.bindImports()
	return o
}

// nest sets the function around each token.
func (o *origins) nest() {
	slices.SortStableFunc(o.functions[1:], func(a, b function) int { return a.start - b.start })
	stack, next := []int{0}, 1
	for i := range o.tokens {
		for len(stack) > 1 && o.functions[stack[len(stack)-1]].end <= i {
			stack = stack[:len(stack)-1]
		}
		for next < len(o.functions) && o.functions[next].start == i {
			outer := stack[len(stack)-1]
			f := &o.functions[next]
			f.outer, f.end = outer, min(f.end, o.functions[outer].end)
			stack = append(stack, next)
			next++
		}
		o.owner[i] = int32(stack[len(stack)-1])
	}
}

// isWord reports whether a token is one of some words.
func (o *origins) isWord(i int, words ...string) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == wordToken && slices.Contains(words, o.text(i))
}

// isName reports whether a token is a word.
func (o *origins) isName(i int) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == wordToken
}

// beginsLine reports whether a token is the first of a logical line.
func (o *origins) beginsLine(i int) bool {
	return i == 0 || o.is(i-1, ';') || !o.sameLine(i-1, i) && !o.is(i-1, '\\') && (o.enclosing[i] < 0 || o.api != pythonAPI || o.is(int(o.enclosing[i]), '{'))
}

// lineEnds returns the token after a logical line of Python.
func (o *origins) lineEnds(i int) int {
	for i++; i < len(o.tokens) && !(o.beginsLine(i) && o.enclosing[i] < 0); i++ {
	}
	return i
}

// until marks tokens as bound in unknown ways, up to one at the same depth.
func (o *origins) until(i int, stop func(int) bool) {
	if i >= len(o.tokens) {
		return
	}
	depth := o.enclosing[i]
	for end := min(i+maxLine, len(o.tokens)); i < end && (o.enclosing[i] != depth || !stop(i)); i++ {
		if o.enclosing[i] < depth {
			return
		}
		o.unknown[i] = true
	}
}

// pythonFunctions finds functions by their indentation, and the statements that bind names in other
// ways than assignments do.
func (o *origins) pythonFunctions() {
	var open []int // functions, with the columns of their lines
	var columns []int
	for i := range o.tokens {
		if o.enclosing[i] < 0 && o.beginsLine(i) && !o.is(i-1, ';') {
			column := o.column(i)
			for len(open) > 0 && columns[len(open)-1] >= column {
				o.functions[open[len(open)-1]].end = i
				open, columns = open[:len(open)-1], columns[:len(open)-1]
			}
			at := o.pythonParams(i)
			class := at < 0 && o.isWord(i, "class") && o.isName(i+1)
			if class {
				at = i + 2
			} else if at >= 0 {
				o.params[at] = true
			}
			if at >= 0 && at < len(o.tokens) {
				open, columns = append(open, len(o.functions)), append(columns, column)
				o.functions = append(o.functions, function{start: at, end: len(o.tokens), class: class})
			}
		}
		next := i + 1
		switch {
		case o.isWord(i, "import", "from", "global", "nonlocal", "del") && o.beginsLine(i),
			o.isWord(i, "case") && o.beginsLine(i) && !o.is(next, '=') && !o.is(next, '.') && !o.is(next, '('):
			for end := o.lineEnds(i); next < end; next++ {
				o.unknown[next] = true
			}
		case o.isWord(i, "lambda"):
			o.until(next, func(k int) bool { return o.is(k, ':') })
		case o.isWord(i, "for"):
			o.until(next, func(k int) bool { return o.isWord(k, "in") })
		}
	}
}

// pythonParams returns the bracket of the parameters of a function that is defined on a line, or
// -1.
func (o *origins) pythonParams(i int) int {
	if o.isWord(i, "async") {
		i++
	}
	if !o.isWord(i, "def") || !o.isName(i+1) {
		return -1
	}
	i += 2
	if o.is(i, '[') {
		i = o.closing[i] + 1
	}
	if !o.is(i, '(') {
		return -1
	}
	return i
}

// column returns the indentation of the line of a token.
func (o *origins) column(i int) int {
	n := 0
	at := o.tokens[i].Start
	for _, c := range []byte(o.src[strings.LastIndexAny(o.src[:at], "\r\n")+1 : at]) {
		if n++; c == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}

// goFunctions finds the functions of a Go program.
func (o *origins) goFunctions() {
	for i := range o.tokens {
		if !o.isWord(i, "func") {
			continue
		}
		p := i + 1
		start := p
		for ; p < len(o.tokens); p++ {
			switch {
			case o.is(p, '('):
				o.params[p] = true
				p = o.closing[p]
				continue
			case o.is(p, '['):
				p = o.closing[p]
				continue
			case o.isWord(p, "struct", "interface") && o.is(p+1, '{'):
				p = o.closing[p+1]
				continue
			case o.is(p, '{'):
				if start < p {
					o.functions = append(o.functions, function{start: start, end: min(o.closing[p]+1, len(o.tokens))})
				}
			case o.isName(p) && o.sameLine(p-1, p), o.is(p, '.'), o.is(p, '*'), p > start && o.text(p) == "<-", o.isWord(p, "chan"):
				continue
			}
			break
		}
	}
}

// scriptFunctions finds the functions of a JavaScript or TypeScript program that have a body in
// braces. The parameters of others belong to what surrounds them.
func (o *origins) scriptFunctions() {
	for i := range o.tokens {
		switch {
		case o.isWord(i, "for"):
			p := i + 1
			if o.isWord(p, "await") {
				p++
			}
			if o.is(p, '(') {
				o.until(p+1, func(k int) bool { return o.isWord(k, "of", "in") || o.is(k, ';') })
			}
		case o.is(i, '(') && !o.isWord(i-1, "if", "while", "for", "switch", "with", "await", "catch"):
			if body := o.scriptBody(o.closing[i] + 1); body >= 0 {
				o.params[i] = true
				if o.is(body, '{') {
					o.functions = append(o.functions, function{start: i, end: min(o.closing[body]+1, len(o.tokens)), arrow: o.is(body-1, '>') && o.is(body-2, '=')})
				}
			}
		}
	}
}

// scriptBody returns the body of the function whose parameters end before a token: its brace, or
// the token after the arrow. It returns -1 if the tokens before are not parameters.
func (o *origins) scriptBody(i int) int {
	arrow := func(k int) bool { return o.is(k, '=') && o.is(k+1, '>') && o.tokens[k].End == o.tokens[k+1].Start }
	if o.is(i, ':') {
		limit := i + 64
		for i++; i < min(limit, len(o.tokens)) && !arrow(i); i++ {
			if o.is(i, '{') && !o.is(i-1, ':') && !o.is(i-1, '|') && !o.is(i-1, '&') && !o.is(i-1, '<') {
				break
			}
			if o.is(i, ';') || o.is(i, ')') || o.is(i, '}') || o.is(i, ']') {
				return -1
			}
			if o.is(i, '(') || o.is(i, '[') || o.is(i, '{') {
				i = o.closing[i]
			}
		}
	}
	switch {
	case i < len(o.tokens) && arrow(i):
		return i + 2
	case o.is(i, '{'):
		return i
	}
	return -1
}
