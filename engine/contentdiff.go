package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/wI2L/jsondiff"
)

// ContentMode is a way to show how content changed.
type ContentMode string

const (
	ModeUnified   ContentMode = "unified"   // lines, with - and +
	ModeJSONPatch ContentMode = "jsonpatch" // RFC 6902, from the older to the newer
	ModeTokens    ContentMode = "tokens"    // words, with counts
)

// ContentOptions configures a content diff. The zero value is a unified diff
// with three lines of context.
type ContentOptions struct {
	Mode ContentMode
	// Context is the number of unchanged lines or tokens around a change; nil means 3.
	Context *int
	// Older and Newer name the snapshots in the header of a unified diff, such as @t-1 and @t0.
	Older, Newer string
	// MaxBytes is the maximum size of each content; 0 means 1 MiB. If either content is larger,
	// the diff is omitted and Truncated is set.
	MaxBytes int
}

// ContentDiff is how the content of a node changed, in the shape of
// content_diff in PACT 0.1, 04 §3.7.1.
type ContentDiff struct {
	Mode      ContentMode     `json:"mode"`
	Mime      string          `json:"mime"`
	Tokenizer string          `json:"tokenizer,omitempty"`
	Summary   ContentSummary  `json:"summary"`
	Diff      string          `json:"diff,omitempty"`
	Patch     json.RawMessage `json:"patch,omitempty"`
	Hunks     []TokenHunk     `json:"hunks,omitempty"`
}

// ContentSummary counts bytes or, in mode tokens, tokens. It counts the bytes of the text of a
// string, and of the canonical JSON of any other value.
type ContentSummary struct {
	BytesNewer  *int `json:"bytesNewer,omitempty"`
	BytesOlder  *int `json:"bytesOlder,omitempty"`
	TokensNewer *int `json:"tokensNewer,omitempty"`
	TokensOlder *int `json:"tokensOlder,omitempty"`
	Identical   bool `json:"identical"`
	Truncated   bool `json:"truncated"`
}

// TokenHunk is a run of changed tokens with its context. From is its range in the older content, To
// in the newer.
type TokenHunk struct {
	From TokenRange `json:"from"`
	To   TokenRange `json:"to"`
	Ops  []TokenOp  `json:"ops"`
}

// TokenRange is the range of the tokens Start <= i < End.
type TokenRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// TokenOp keeps Count tokens, or replaces Del tokens with Ins.
type TokenOp struct {
	Op    string   `json:"op"` // keep or rep
	Count int      `json:"count,omitempty"`
	Del   *int     `json:"del,omitempty"`
	Ins   []string `json:"ins,omitzero"`
}

// DiffContent returns how the content of a node changed. Missing content counts as an empty text.
// If the mode is unknown, the error has the code [ErrPlacement]. opts.MaxBytes limits the cost.
func DiffContent(older, newer Node, opts ContentOptions) (ContentDiff, error) {
	opts.Mode = cmp.Or(opts.Mode, ModeUnified)
	context, limit := max(*cmp.Or(opts.Context, new(3)), 0), cmp.Or(opts.MaxBytes, 1<<20)
	a, b := plainContent(older), plainContent(newer)
	out := ContentDiff{Mode: opts.Mode, Mime: mimeOf(newer)}
	out.Summary = ContentSummary{
		BytesNewer: new(len(b)), BytesOlder: new(len(a)),
		Identical: older.rec().Content == newer.rec().Content,
		Truncated: len(a) > limit || len(b) > limit,
	}
	if opts.Mode == ModeTokens {
		out.Tokenizer = "word"
		out.Summary.BytesNewer, out.Summary.BytesOlder = nil, nil
		ta, tb := strings.FieldsFunc(a, unicode.IsSpace), strings.FieldsFunc(b, unicode.IsSpace)
		out.Summary.TokensNewer, out.Summary.TokensOlder = new(len(tb)), new(len(ta))
		if !out.Summary.Truncated {
			out.Hunks = tokenHunks(ta, tb, context)
		}
		return out, nil
	}
	var err error
	switch {
	case opts.Mode != ModeUnified && opts.Mode != ModeJSONPatch:
		return out, fail(ErrPlacement, "%q is not a mode of a content diff", opts.Mode)
	case out.Summary.Truncated:
	case opts.Mode == ModeUnified:
		out.Diff, err = unified(older.ID(), a, newer.ID(), b, context, opts)
	default:
		out.Mime = "application/json"
		out.Patch, err = jsonPatch(older.rec().Content, newer.rec().Content)
	}
	return out, err
}

// plainContent returns the text as which the content of a node is compared.
func plainContent(n Node) string {
	if text, ok := n.Content().Text(); ok {
		return text
	}
	return n.rec().Content
}

// mimeOf returns the value of the member mime. If n has no such member, it guesses the type from
// the content.
func mimeOf(n Node) string {
	if mime, ok := n.Header("mime").Text(); ok {
		return mime
	}
	if c := n.rec().Content; c == "" || c[0] == '"' {
		return "text/plain"
	}
	return "application/json"
}

// unified returns a diff whose hunks begin with a bare @@, as in the specification.
func unified(oldID, a, newID, b string, context int, opts ContentOptions) (string, error) {
	edits := udiff.Lines(a, b)
	text, err := udiff.ToUnified(
		fmt.Sprintf("older(%s)/%s", opts.Older, oldID), fmt.Sprintf("newer(%s)/%s", opts.Newer, newID),
		a, edits, context)
	if err != nil {
		return "", fmt.Errorf("unified diff: %w", err)
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "@@ ") {
			line = "@@\n"
		}
		if !strings.HasPrefix(line, `\ No newline`) {
			out.WriteString(line)
		}
	}
	return out.String(), nil
}

// patchOp is an operation with its members in the order of RFC 6902.
type patchOp struct {
	Op    string          `json:"op"`
	From  string          `json:"from,omitempty"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// jsonPatch returns the patch from a to b, which may be empty.
func jsonPatch(a, b string) (json.RawMessage, error) {
	exact := jsondiff.UnmarshalFunc(func(data []byte, to any) error {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber() // a float64 would lose digits
		return d.Decode(to)
	})
	patch, err := jsondiff.CompareJSON([]byte(cmp.Or(a, `""`)), []byte(cmp.Or(b, `""`)), exact)
	if err != nil {
		return nil, fmt.Errorf("json patch: %w", err)
	}
	ops := make([]patchOp, len(patch))
	for i, op := range patch {
		ops[i] = patchOp{Op: op.Type, From: op.From, Path: op.Path}
		if op.Type == jsondiff.OperationAdd || op.Type == jsondiff.OperationReplace {
			if ops[i].Value, err = json.Marshal(op.Value); err != nil {
				return nil, fmt.Errorf("json patch: %w", err)
			}
		}
	}
	return json.Marshal(ops)
}

// tokenHunks returns the changes from a to b. Changes whose contexts meet are in one hunk.
func tokenHunks(a, b []string, context int) []TokenHunk {
	var out []TokenHunk
	diffs := lcs.DiffLines(a, b)
	for i := 0; i < len(diffs); {
		j := i + 1
		for j < len(diffs) && diffs[j].Start-diffs[j-1].End <= 2*context {
			j++
		}
		first, last := diffs[i], diffs[j-1]
		lead := min(context, first.Start)
		tail := min(context, len(a)-last.End)
		h := TokenHunk{
			From: TokenRange{first.Start - lead, last.End + tail},
			To:   TokenRange{first.ReplStart - lead, last.ReplEnd + tail},
			Ops:  []TokenOp{},
		}
		keep := func(n int) {
			if n > 0 {
				h.Ops = append(h.Ops, TokenOp{Op: "keep", Count: n})
			}
		}
		at := h.From.Start
		for _, d := range diffs[i:j] {
			keep(d.Start - at)
			ins := append([]string{}, b[d.ReplStart:d.ReplEnd]...)
			h.Ops = append(h.Ops, TokenOp{Op: "rep", Del: new(d.End - d.Start), Ins: ins})
			at = d.End
		}
		keep(h.From.End - at)
		out = append(out, h)
		i = j
	}
	return out
}
