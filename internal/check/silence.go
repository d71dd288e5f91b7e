package check

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/languages"
	"github.com/pactkit/pactkit/lint"
)

// CommentForms returns the forms of comments in a file, with %s for the text.
func CommentForms(h host.Host, path string) []string {
	i := slices.IndexFunc(languages.All, func(l languages.Language) bool { return l.Name == h.Name() })
	if i < 0 {
		return nil
	}
	variants := languages.All[i].Variants
	for _, v := range variants {
		if slices.Contains(v.Extensions, filepath.Ext(path)) {
			return v.Comments
		}
	}
	return variants[0].Comments
}

// Silence returns an edit that silences findings on one line. It adds a comment above the line or
// at its end, or does the same at the start of the string that contains the line. result is the
// result of [File] for src. Silence tests the edit, because the line may begin inside a string. It
// returns false if no edit works.
func Silence(ctx context.Context, h host.Host, path, src string, o Options, result *Result, found []Finding, reason string) (diag.Edit, bool) {
	for _, e := range silencers(h, path, src, result, found, reason) {
		if _, ok := silences(ctx, h, src, o, result, found, []diag.Edit{e}); ok {
			return e, true
		}
	}
	return diag.Edit{}, false
}

// silencers returns the edits that may silence findings on one line, the best first.
func silencers(h host.Host, path, src string, result *Result, found []Finding, reason string) []diag.Edit {
	var ids []string
	for _, f := range found {
		if f.Rule.Category() == "suppress" {
			return nil
		}
		if !slices.Contains(ids, f.Rule.ID) {
			ids = append(ids, f.Rule.ID)
		}
	}
	var edits []diag.Edit
	lines := ast.NewLines(src)
	for _, at := range beginnings(result, found[0].Span.Start) {
		line, start := lines.Line(at)
		text := strings.TrimRight(src[start:lines.Start(line+1)], "\r\n")
		end := start + len(text)
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		ending := "\n"
		if strings.HasPrefix(src[end:], "\r\n") {
			ending = "\r\n"
		}
		for _, form := range CommentForms(h, path) {
			comment := fmt.Sprintf(form, host.Directive+"ignore "+strings.Join(ids, ", ")+" -- "+reason)
			edits = append(edits, diag.Edit{Span: ast.Span{Start: start, End: start}, Text: indent + comment + ending},
				diag.Edit{Span: ast.Span{Start: end, End: end}, Text: " " + comment})
		}
	}
	return edits
}

// beginnings returns an offset and the start of the string that contains it.
func beginnings(result *Result, at int) []int {
	for i := range result.File.Regions {
		if r := &result.File.Regions[i]; r.Start < at && at < r.End && r.Form != host.Selectors {
			return []int{at, r.Start}
		}
	}
	return []int{at}
}

// place is where a rule finds something.
type place struct {
	rule *lint.Rule
	at   int
}

func places(found []Finding) map[place]bool {
	out := map[place]bool{}
	for _, f := range found {
		out[place{f.Rule, f.Span.Start}] = true
	}
	return out
}

// silences returns the result with edits, which insert text, and whether they silence findings and
// remove no selector.
func silences(ctx context.Context, h host.Host, src string, o Options, before *Result, found []Finding, edits []diag.Edit) (Result, bool) {
	text, ok := diag.Apply(src, edits)
	if !ok {
		return Result{}, false
	}
	after := File(ctx, h, text, o)
	unformatted := func(f Finding) bool { return f.Rule == styleFormat }
	wanted := slices.DeleteFunc(slices.Clone(found), unformatted)
	if len(after.Selectors) != len(before.Selectors) || len(after.Silenced) < len(before.Silenced)+len(wanted) {
		return after, false
	}
	silenced, open := places(after.Silenced), places(after.Findings)
	return after, !slices.ContainsFunc(moved(found, edits), func(f Finding) bool {
		at := place{f.Rule, f.Span.Start}
		if unformatted(f) { // the formatter keeps the selector, so nothing is found or silenced
			return open[at]
		}
		return !silenced[at]
	})
}

// moved returns findings, in the order of the text, as they stand after edits that insert text.
func moved(found []Finding, edits []diag.Edit) []Finding {
	found = slices.Clone(found)
	shift := 0
	for i := range found {
		at := &found[i].Span
		for len(edits) > 0 && edits[0].Span.Start <= at.Start {
			shift += len(edits[0].Text)
			edits = edits[1:]
		}
		at.Start, at.End = at.Start+shift, at.End+shift
	}
	return found
}

// SilenceAll adds comments that silence findings, which are in the order of the text. result is the
// result of [File] for src. SilenceAll returns the new text, the number of comments, and the number
// of findings that no comment can silence. It checks the file once if all comments work, and a few
// times more for each that does not.
func SilenceAll(ctx context.Context, h host.Host, path, src string, o Options, result Result, found []Finding, reason string) (text string, comments, left int) {
	o.Memo = nil
	form := 0                                                     // which of the silencers worked last
	for size := len(found); len(found) > 0 && ctx.Err() == nil; { // from the last line up
		groups := lastLines(src, found, size)
		size = len(groups)
		rest := found[:len(found)-len(slices.Concat(groups...))]
		open := places(result.Findings)
		var edits []diag.Edit
		var all []Finding
		hopeless, works := 0, true
		for _, g := range groups {
			g = slices.DeleteFunc(g, func(f Finding) bool { return !open[place{f.Rule, f.Span.Start}] }) // a comment above the string silences it, too
			if len(g) == 0 {
				continue
			}
			list := silencers(h, path, src, &result, g, reason)
			switch {
			case len(list) == 0:
				hopeless += len(g)
			case size == 1:
				all = g
				i := slices.IndexFunc(list, func(e diag.Edit) bool {
					_, ok := silences(ctx, h, src, o, &result, g, []diag.Edit{e})
					return ok
				})
				if works = i >= 0; works {
					form, edits = i, list[i:i+1]
				}
			case form < len(list):
				edits, all = append(edits, list[form]), append(all, g...)
			default:
				works = false
			}
		}
		after := result
		if works && len(edits) > 0 {
			after, works = silences(ctx, h, src, o, &result, all, edits)
		}
		if !works && size > 1 {
			size /= 2
			continue
		}
		if works {
			src, _ = diag.Apply(src, edits)
			result, comments, rest = after, comments+len(edits), moved(rest, edits)
		} else {
			left += len(all)
		}
		left += hopeless
		found, size = rest, 2*size
	}
	return src, comments, left
}

// lastLines returns the findings on the last n lines that have some, by line.
func lastLines(src string, found []Finding, n int) [][]Finding {
	lines := ast.NewLines(src)
	var groups [][]Finding
	last := -1
	for _, f := range slices.Backward(found) {
		line, _ := lines.Line(f.Span.Start)
		if line != last {
			if len(groups) == n {
				break
			}
			groups, last = append(groups, nil), line
		}
		g := &groups[len(groups)-1]
		*g = append(*g, f)
	}
	slices.Reverse(groups)
	for _, g := range groups {
		slices.Reverse(g)
	}
	return groups
}
