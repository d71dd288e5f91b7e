package host

import (
	"strings"

	"github.com/pactkit/pactkit/parser"
)

// hasOwnSyntax reports whether a text has syntax that no other selector language has. It proves
// that the text is a selector of PACT if all of it can be read as one (decision H2).
func hasOwnSyntax(text string) bool {
	open := -1 // the offset of the bracket around the current one
	for i, c := range parser.Unquoted(text) {
		switch c {
		case '^':
			if begins(text, i) && isRegion(text[i+1:]) {
				return true
			}
		case '@':
			if (begins(text, i) || text[i-1] == '.' || text[i-1] == ':') && isInstant(text[i+1:]) && strings.ContainsAny(text, ".^#*+{[ ") {
				return true
			}
		case 'd':
			if begins(text, i) && isDepthRange(text[i:]) {
				return true
			}
		case '+':
			if i > 0 && (isWordByte(text[i-1]) || strings.IndexByte(")]}", text[i-1]) >= 0) && isTag(text[i+1:]) {
				return true
			}
		case '[':
			if open = i; isOwnAttribute(text[i+1:]) {
				return true
			}
		case ']':
			open = -1
		case '<', '>':
			// XPath has comparisons too, but no names that begin with a dot.
			if open > 0 && qualifiesName(text[:open]) {
				return true
			}
		case '?':
			if i > 0 && text[i-1] == '?' && i > 1 && i+1 < len(text) {
				return true
			}
		case '{':
			if isFilter(text, i) {
				return true
			}
		}
	}
	return false
}

// begins reports whether a token can begin at an offset.
func begins(text string, at int) bool {
	return at == 0 || strings.IndexByte(" \t\r\n(,>", text[at-1]) >= 0
}

// isRegion reports whether a text, after the sign ^, begins with the name of a region. What follows
// must not make it a regular expression, such as ^sys.* or ^root$.
func isRegion(text string) bool {
	for _, name := range []string{"sys", "seq", "ah", "root"} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || strings.IndexByte(" \t\r\n>,):[{+#@", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// isInstant reports whether a text, after the sign @, begins with the number of a snapshot or a
// cycle.
func isInstant(text string) bool {
	if text == "" || text[0] != 't' && text[0] != 'c' {
		return false
	}
	text = text[1:]
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
		if strings.HasPrefix(text, "*") {
			return true
		}
	}
	n := countDigits(text)
	return n > 0 && (n == len(text) || !isWordByte(text[n]))
}

// isDepthRange reports whether a text begins with a range of depths, such as d1..d3.
func isDepthRange(text string) bool {
	text = strings.TrimPrefix(text[1:], "-")
	n := countDigits(text)
	text, ok := strings.CutPrefix(text[n:], "..")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "d"), "-")
	return n > 0 && ok && countDigits(text) > 0
}

func countDigits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// isTag reports whether a text, after the sign +, begins with a tag that is not the name of an
// element: in CSS, .a+p is a paragraph after another element.
func isTag(text string) bool {
	n := 0
	for n < len(text) && (isWordByte(text[n]) || text[n] == '-') {
		n++
	}
	tag := text[:n]
	return n > 0 && (tag[0] < '0' || tag[0] > '9') && !strings.Contains(tag, "-") && !elements[strings.ToLower(tag)]
}

// elements are the names of the elements of HTML, SVG and MathML.
var elements = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big
		blink blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del details
		dfn dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
		header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee
		menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param
		picture plaintext portal pre progress q rb rbc rp rt rtc ruby s samp script search section select shadow slot small source
		spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt
		u ul var video wbr xmp
		animate animatemotion animatetransform animation circle clippath color cursor defs desc discard ellipse feblend
		fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight
		fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset
		fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g glyph glyphref handler hatch hatchpath
		hkern line lineargradient listener marker mask mesh meshgradient meshpatch meshrow metadata mpath path pattern polygon
		polyline prefetch radialgradient rect set solidcolor stop switch symbol tbreak text textpath tref tspan unknown use view
		vkern math maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
		mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics annotation`) {
		all[name] = true
	}
	return all
}()

// isOwnAttribute reports whether a text, after a bracket, begins with an attribute that only nodes
// of PACT have.
func isOwnAttribute(text string) bool {
	text = strings.TrimLeft(text, blank)
	for _, name := range []string{"ttl", "cad", "nodeType", "born_turn", "created_at_ns", "created_at_iso", "creation_index", "content_hash"} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || !isWordByte(rest[0]) && rest[0] != '-') {
			return true
		}
	}
	return false
}

// qualifiesName reports whether a bracket after a text qualifies a step with a name, such as .a or
// #a.
func qualifiesName(before string) bool {
	at := strings.LastIndexAny(before, " \t\r\n>,(")
	step := before[at+1:]
	return len(step) > 1 && (step[0] == '.' || step[0] == '#') && (isWordByte(step[len(step)-1]) || step[len(step)-1] == ']')
}

// isFilter reports whether the brace at an offset begins a filter with a test, after a step. A
// filter at the beginning does not count, because the queries of log systems look like that.
// Neither does a placeholder such as {name}.
func isFilter(text string, at int) bool {
	if strings.TrimLeft(text[:at], blank) == "" {
		return false
	}
	inner, _, closed := strings.Cut(text[at+1:], "}")
	return closed && (strings.ContainsAny(inner, "=<>~") || strings.Contains(inner, " in "))
}

// beginsSelector reports whether a text begins as a selector or a position does, rather than as a
// sentence, a path or an address.
func beginsSelector(text string) bool {
	text = strings.TrimLeft(text, blank)
	word := text
	if n := strings.IndexAny(text, blank+`,>[{("'`); n >= 0 {
		word = text[:n]
	}
	switch {
	case text == "" || strings.HasPrefix(text, holeText):
		return true
	case strings.Contains(word, "/") || len(word) > 1 && word[0] == '*' && strings.IndexByte(".*", word[1]) >= 0:
		return false // .github/workflows, *.json
	case len(text) > 1 && strings.IndexByte(".#^@+:", text[0]) >= 0:
		return isWordByte(text[1]) || strings.IndexByte(`'"*`, text[1]) >= 0
	case text[0] == 'd':
		return len(text) > 1 && (text[1] == '-' || text[1] >= '0' && text[1] <= '9')
	}
	return strings.IndexByte("*([{", text[0]) >= 0
}
