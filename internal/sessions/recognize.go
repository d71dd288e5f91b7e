package sessions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread/source"
)

// recognize returns the kind of a file. The error of one that is of none has the code [engine.ErrFileShape].
func (o *opener) recognize(ctx context.Context, f *file) (Kind, error) {
	text := f.beginning()
	if journal.IsJournal(text) {
		return Journal, nil
	}
	if isDocument(text) {
		return Document, nil
	}
	if strings.HasPrefix(text, zipMagic) {
		return Kind(source.Inspect), nil
	}
	if k, ok := o.log(f, text); ok {
		return k, nil
	}
	k, err := source.Recognize(ctx, f.path, f, f.size, source.Options{MaxBytes: o.limit(maxLog)})
	return Kind(k), err
}

// isUnknown reports whether an error says that a file is of no known kind.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*engine.Error](err)
	return ok && e.Code == engine.ErrFileShape
}

// isDocument reports whether a text holds snapshots, by the members of its first value.
func isDocument(text string) bool {
	names := topNames(strings.TrimPrefix(strings.TrimSpace(text), "["))
	return slices.Contains(names, "root") || slices.Contains(names, "snapshots") || slices.Contains(names, "working")
}

// topNames returns the names of the members of the object that a text begins with, as far as the text goes.
func topNames(text string) []string {
	var out []string
	depth, isName := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			if depth++; depth == 1 && c == '[' {
				return nil
			}
			isName = depth == 1
		case '}', ']':
			if depth--; depth <= 0 {
				return out
			}
		case ',':
			isName = depth == 1
		case '"':
			end := endOfString(text, i+1)
			if end < 0 {
				return out
			}
			if isName && depth == 1 {
				out = append(out, text[i+1:end])
			}
			isName = false
			i = end
		}
	}
	return out
}

// endOfString returns where the quotation mark stands that ends a string, -1 for nowhere.
func endOfString(text string, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}
