package parser

import (
	"fmt"
	"slices"
	"sort"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// report adds a diagnostic unless the limit has been reached.
func (r *sourceReader) report(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		r.errors++
		if r.isExplained(d.Span.Start) {
			return
		}
	}
	switch n := len(r.diags); {
	case n > r.Limits.Errors:
		return
	case n == r.Limits.Errors:
		d = diag.Diagnostic{
			Code: diag.SelectorLimit, Span: d.Span,
			Message: fmt.Sprintf("there are more than %d errors; the others are not shown", n),
		}
	}
	r.diags = append(r.diags, d)
}

func (r *sourceReader) errorf(at ast.Span, format string, args ...any) {
	r.refuse(at, fmt.Sprintf(format, args...), "")
}

// refuse reports something that the language does not allow; the hint says what to write instead.
func (r *sourceReader) refuse(at ast.Span, message, hint string, fixes ...diag.Fix) {
	r.refuseAs(diag.SelectorInvalid, at, message, hint, fixes...)
}

// refuseAs is refuse with another code.
func (r *sourceReader) refuseAs(code diag.Code, at ast.Span, message, hint string, fixes ...diag.Fix) {
	r.report(diag.Diagnostic{Code: code, Span: at, Message: message, Hint: hint, Fixes: fixes})
}

// replace returns a fix that replaces a part of the source with a text.
func replace(title string, at ast.Span, text string) diag.Fix {
	return diag.Fix{Title: title, Edits: []diag.Edit{{Span: at, Text: text}}}
}

// insert returns a fix that inserts a text at an offset.
func insert(title string, at int, text string) diag.Fix {
	return replace(title, ast.Span{Start: at, End: at}, text)
}

// move returns a safe fix that removes a part of the source and inserts a text at an offset.
func move(title string, from ast.Span, to int, text string) diag.Fix {
	edits := []diag.Edit{{Span: ast.Span{Start: to, End: to}, Text: text}, {Span: from}}
	if from.Start < to {
		slices.Reverse(edits)
	}
	return diag.Fix{Title: title, Safe: true, Edits: edits}
}

// safe marks a fix that cannot change what a valid selector selects.
func safe(f diag.Fix) diag.Fix {
	f.Safe = true
	return f
}

// exceeded reports that the source or a selector exceeds a limit.
func (r *sourceReader) exceeded(at ast.Span, format string, args ...any) {
	r.report(diag.Diagnostic{Code: diag.SelectorLimit, Span: at, Message: fmt.Sprintf(format, args...)})
}

// suppress keeps the token at an offset from being reported, because another mistake explains it.
func (r *sourceReader) suppress(offset int) {
	if i, found := slices.BinarySearch(r.suppressed, offset); !found {
		r.suppressed = slices.Insert(r.suppressed, i, offset)
	}
}

func (r *sourceReader) isSuppressed(offset int) bool {
	_, found := slices.BinarySearch(r.suppressed, offset)
	return found
}

// explainBrackets keeps errors in the brackets that a token opens from being reported, because
// another mistake explains them. If they are never closed, that is the rest of the selector. Errors
// come in order and brackets inside are skipped, so all calls for one selector together pass over
// its tokens once.
func (r *sourceReader) explainBrackets(open int) {
	at := r.core(open)
	if r.isExplained(at.Start) {
		return
	}
	for i, depth := open, 0; i < len(r.tokens); i++ {
		at.End = r.core(i).End + 1
		if opening.Has(r.tokens[i].Kind) {
			depth++
		} else if closing.Has(r.tokens[i].Kind) {
			if depth--; depth == 0 {
				at.End--
				break
			}
		}
	}
	r.explained = append(r.explained, at)
}

// isExplained reports whether an offset is in brackets that another mistake explains.
func (r *sourceReader) isExplained(offset int) bool {
	i := sort.Search(len(r.explained), func(i int) bool { return r.explained[i].End > offset })
	return i < len(r.explained) && r.explained[i].Start <= offset
}
