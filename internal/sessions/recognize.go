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

// recognize returns the kind of a file. The error of one of an unknown kind is of type unknown. A
// file that is not valid JSON has an unknown kind, unless it begins like a log.
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
	if k, ok := o.log(f, text); ok && !o.isTask(ctx, f, text) {
		return k, nil
	}
	if isRecord(text) {
		return Kind(source.ClaudeCode), nil
	}
	k, err := source.RecognizeFile(ctx, o.opened(f), source.Options{MaxBytes: o.limit(maxLog)})
	if e, ok := errors.AsType[*engine.Error](err); ok && (e.Code == engine.ErrFileShape || !hasMessages(text) && !strings.HasPrefix(text, source.SQLiteMagic)) {
		return Kind(k), &unknown{e}
	}
	return Kind(k), err
}

// isTask reports whether a file, which looks like a log of messages, is the conversation of a task
// of Cline, from its beginning and then all of it.
func (o *opener) isTask(ctx context.Context, f *file, text string) bool {
	if !strings.Contains(text, "<environment_details>") {
		return false
	}
	k, err := source.Recognize(ctx, f.path, f, f.size, source.Options{MaxBytes: o.limit(maxLog)})
	return err == nil && k == source.Cline
}

// isRecord reports whether a text begins with a record of Claude Code, from which its session is
// known. That saves reading more of the file; a file that begins with anything else is read like
// any other.
func isRecord(text string) bool {
	has := map[string]byte{}
	for _, m := range topMembers(text) {
		has[m.name] = m.first
	}
	return has["parentUuid"] != 0 && has["uuid"] == '"' && has["sessionId"] == '"' && has["type"] == '"'
}

// hasMessages reports whether the first value of a text, which may be truncated, is that of a log
// of messages.
func hasMessages(text string) bool {
	return slices.ContainsFunc(topMembers(withoutList(text)), func(m member) bool {
		return listNames[m.name] && m.first == '[' || (m.name == "role" || m.name == "from") && m.first == '"'
	})
}

// withoutList returns a text without the bracket of a list at its beginning.
func withoutList(text string) string { return strings.TrimPrefix(strings.TrimSpace(text), "[") }

// isUnknown reports whether an error says that the kind of a file is unknown.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*engine.Error](err)
	return ok && e.Code == engine.ErrFileShape || errors.As(err, new(*unknown))
}

// Readable is the end of the messages of errors that satisfy [IsUnknown].
const Readable = source.Readable

// unknown is the error of a file of an unknown kind: what it looks like, or why it is not JSON.
type unknown struct{ err *engine.Error }

func (u *unknown) Error() string { return u.err.Error() }
func (u *unknown) Unwrap() error { return u.err }

// documentMembers are the members of a document, with the first byte of their values.
var documentMembers = map[string]byte{"root": '{', "working": '{', "snapshots": '['}

// isDocument reports whether a text holds snapshots, by the members of its first value.
func isDocument(text string) bool {
	return slices.ContainsFunc(topMembers(withoutList(text)), func(m member) bool { return m.first != 0 && documentMembers[m.name] == m.first })
}

// triesDocument reports whether a text has a member of a document, of whatever type.
func triesDocument(text string) bool {
	return slices.ContainsFunc(topMembers(withoutList(text)), func(m member) bool { return documentMembers[m.name] != 0 })
}

// isSnapshot reports whether a text is one snapshot.
func isSnapshot(text string) bool {
	return slices.ContainsFunc(topMembers(text), func(m member) bool { return m.name == "root" && m.first == '{' })
}

// member is a member of an object.
type member struct {
	name  string
	first byte // of its value; 0 if the text ends before it
}

// topMembers returns the members of the object at the beginning of a text, which may be truncated.
func topMembers(text string) []member {
	var out []member
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
				out = append(out, member{text[i+1 : end], firstOfValue(text[end+1:])})
			}
			isName = false
			i = end
		}
	}
	return out
}

// firstOfValue returns the byte that follows a colon, or 0.
func firstOfValue(text string) byte {
	text = strings.TrimLeft(text, ": \t\r\n")
	if text == "" {
		return 0
	}
	return text[0]
}

// endOfString returns the index of the quotation mark that ends a string, or -1.
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
