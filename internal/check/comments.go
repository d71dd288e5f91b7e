package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/suppress"
	"github.com/pactkit/pactkit/lint"
)

// directives are the instructions to pactkit in the comments of a file.
type directives struct {
	suppressions *suppress.Suppressions // nil: the file has no comments for pactkit
	// skipped lists the parts that must keep their bytes, sorted by start. Each extends at least as
	// far as those before it.
	skipped []ast.Span
}

// readDirectives reads the comments of a file.
func readDirectives(src string, f *host.File) directives {
	list := comments(src, f)
	if len(list) == 0 {
		return directives{}
	}
	d := directives{suppressions: suppress.Read(list)}
	for _, c := range list {
		if suppress.SkipsFormat(c.Text) {
			d.skipped = append(d.skipped, c.Covers)
		}
	}
	slices.SortFunc(d.skipped, func(a, b ast.Span) int { return a.Start - b.Start })
	for i := 1; i < len(d.skipped); i++ {
		d.skipped[i].End = max(d.skipped[i].End, d.skipped[i-1].End)
	}
	return d
}

// skips reports whether a comment pactkit:fmt-skip covers a region.
func (d *directives) skips(region ast.Span) bool {
	n, _ := slices.BinarySearchFunc(d.skipped, region.Start+1, func(s ast.Span, at int) int { return s.Start - at })
	return n > 0 && region.End <= d.skipped[n-1].End
}

// silenced returns a function that reports whether a rule is silenced in a region, or nil if the
// file has no comments for pactkit.
func (d *directives) silenced(region ast.Span) func(*lint.Rule) bool {
	if d.suppressions == nil {
		return nil
	}
	return func(r *lint.Rule) bool { return d.suppressions.Covers(r.ID, region) }
}

// comments returns the comments of a file that are meant for pactkit. A comment belongs to the line
// it is on or, if it is alone on its lines, to the next line that is not blank. It covers the
// selectors that begin there.
func comments(src string, f *host.File) []suppress.Comment {
	if len(f.Comments) == 0 {
		return nil
	}
	var out []suppress.Comment
	lines := ast.NewLines(src)
	beside, covers := -1, ast.Span{} // the result for the last line: many comments may belong to one line
	for _, at := range f.Comments {
		line, start := lines.Line(at.Start)
		last, _ := lines.Line(max(at.Start, at.End-1)) // some hosts include the end of the line
		if alone(src[start:at.Start], src[at.End:max(at.End, lines.Start(last+1))]) {
			line = last
			for line++; line < lines.Count() && strings.TrimSpace(src[lines.Start(line):lines.Start(line+1)]) == ""; line++ {
			}
		}
		if line != beside {
			beside, covers = line, covered(src, f, lines, line)
		}
		out = append(out, suppress.Comment{Span: at, Text: at.Text(src), Covers: covers})
	}
	return out
}

// alone reports whether a comment is alone on its lines, given the text before and after it on
// those lines. It examines only the white space next to the comment, so the cost of many comments
// on one line is linear.
func alone(before, after string) bool {
	left := func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }
	right := func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }
	before, after = right(before), left(after)
	if strings.HasSuffix(before, "{") && strings.HasPrefix(after, "}") { // in JSX
		before, after = right(before[:len(before)-1]), left(after[1:])
	}
	return before == "" && after == ""
}

// covered returns the span that a comment covers if it belongs to a line.
func covered(src string, f *host.File, lines *ast.Lines, line int) ast.Span {
	if text := strings.TrimSpace(src[lines.Start(line):lines.Start(line+1)]); strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
		line++ // a comment above a code block covers the whole block
	}
	covers := ast.Span{Start: lines.Start(line), End: lines.Start(line + 1)}
	first, _ := slices.BinarySearchFunc(f.Regions, covers.Start, func(r host.Region, at int) int { return r.Start - at })
	for _, r := range f.Regions[first:] {
		if r.Start >= covers.End {
			break
		}
		covers.End = max(covers.End, r.End)
	}
	return covers
}

// directiveFindings returns the mistakes in the directives of the file. It must run after all
// findings have been compared with them.
func (c *checker) directiveFindings() []lint.Finding {
	o := c.opts.lint(host.Selectors)
	var out []lint.Finding
	for _, p := range c.formatter.suppressions.Judge(o.Directives()) {
		d := diag.Diagnostic{Span: p.Span, Message: p.Message, Hint: p.Hint}
		if f, ok := lint.Found(lint.Lookup(p.Rule), d, c.opts.Level); ok {
			out = append(out, f)
		}
	}
	return out
}
