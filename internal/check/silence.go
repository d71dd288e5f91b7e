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
	var ids []string
	for _, f := range found {
		if f.Rule.Category() == "suppress" {
			return diag.Edit{}, false
		}
		if !slices.Contains(ids, f.Rule.ID) {
			ids = append(ids, f.Rule.ID)
		}
	}
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
			for _, e := range []diag.Edit{
				{Span: ast.Span{Start: start, End: start}, Text: indent + comment + ending},
				{Span: ast.Span{Start: end, End: end}, Text: " " + comment},
			} {
				if silences(ctx, h, src, o, result, found, e) {
					return e, true
				}
			}
		}
	}
	return diag.Edit{}, false
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

// silences reports whether an edit silences findings and removes no selector.
func silences(ctx context.Context, h host.Host, src string, o Options, before *Result, found []Finding, e diag.Edit) bool {
	after := File(ctx, h, src[:e.Span.Start]+e.Text+src[e.Span.End:], o)
	if len(after.Selectors) != len(before.Selectors) || len(after.Silenced) < len(before.Silenced)+len(found) {
		return false
	}
	return !slices.ContainsFunc(found, func(f Finding) bool {
		at := f.Span.Start
		if e.Span.Start <= at {
			at += len(e.Text)
		}
		return !slices.ContainsFunc(after.Silenced, func(s Finding) bool { return s.Rule == f.Rule && s.Span.Start == at })
	})
}

// SilenceAll adds comments that silence findings. result is the result of [File] for src.
// SilenceAll returns the new text, the number of comments, and the number of findings that no
// comment can silence. It checks the file again for each line with findings.
func SilenceAll(ctx context.Context, h host.Host, path, src string, o Options, result Result, found []Finding, reason string) (text string, comments, left int) {
	o.Memo = nil
	found = slices.Clone(found)
	for end := len(found); end > 0 && ctx.Err() == nil; { // from the last line up
		lines := ast.NewLines(src)
		lineOf := func(f Finding) int {
			line, _ := lines.Line(f.Span.Start)
			return line
		}
		start := end - 1
		for start > 0 && lineOf(found[start-1]) == lineOf(found[start]) {
			start--
		}
		group := slices.DeleteFunc(slices.Clone(found[start:end]), func(f Finding) bool { return !result.has(f) })
		end = start
		if len(group) == 0 {
			continue // a comment above the string silences them, too
		}
		e, ok := Silence(ctx, h, path, src, o, &result, group, reason)
		if !ok {
			left += len(group)
			continue
		}
		src = src[:e.Span.Start] + e.Text + src[e.Span.End:]
		result = File(ctx, h, src, o)
		comments++
		for i := range found[:end] {
			if at := &found[i].Span; at.Start >= e.Span.Start { // in the same string
				at.Start, at.End = at.Start+len(e.Text), at.End+len(e.Text)
			}
		}
	}
	return src, comments, left
}

// has reports whether a result has a finding that is not silenced.
func (r *Result) has(f Finding) bool {
	return slices.ContainsFunc(r.Findings, func(o Finding) bool { return o.Rule == f.Rule && o.Span == f.Span })
}
