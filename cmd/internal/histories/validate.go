package histories

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
)

const validateLong = `Check that histories can be read, and that their trees satisfy the invariants of the specification.

A broken invariant is a warning, or an error with --strict. A file that cannot be read is always an error. Each finding
has its line, its path in the document, and the name of the invariant. A custom member without a namespace is a warning.

In a journal, every digest is checked, and at every checkpoint that the snapshot read equals the one written. An append
that was interrupted, by a crash or a full disk, is a warning: everything before it is intact, and the next append removes
it. A wrong digest is an error, and nothing after it is trusted.

With --salvage, it writes the intact part of a damaged journal to a new file: every snapshot that the digests prove, and
whose changes can be followed. If one bit of a line was flipped, the digest tells which one, and the line is repaired. What
is lost is named, with its bytes, cycles and reason. Nothing is invented, and no file is overwritten. The beginning of a fork
is read from the file of its base.

` + open.HistoryForms + `

Exit codes: 0 no errors; 1 errors, or something is lost; 2 a file cannot be opened or written.`

const validateExample = `  pactkit validate agent.json             warnings and errors
  pactkit validate --strict fixtures/*    broken invariants are errors
  pactkit validate --json agent.json      the report as JSON (docs/schemas/validate.json)
  pactkit validate agent.jsonl --salvage whole.jsonl   the intact part of a damaged journal`

// validateVerb checks histories.
type validateVerb struct {
	*verb.Run
	history open.HistoryFlags
	json    bool
	out     string // the file for the intact part of a damaged journal
}

// Validate returns the verb validate.
func Validate(r *verb.Run) *cobra.Command {
	v := &validateVerb{Run: r, history: open.HistoryFlags{Stored: true}}
	cmd := &cobra.Command{
		Use:     "validate FILE...",
		Short:   "Check histories",
		Long:    validateLong,
		Example: validateExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no history given; name files or folders, or - for standard input")
			}
			if cmd.Flags().Changed("salvage") && (len(args) > 1 || args[0] == verb.StdinName || v.out == verb.StdinName || v.out == "") {
				return errors.New("--salvage reads one journal, and writes a file")
			}
			return open.CheckStdin(args...)
		},
		ValidArgsFunction: open.CompleteHistories(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args)
			return nil
		},
	}
	v.history.Verify = true
	cmd.Flags().BoolVar(&v.history.Strict, "strict", false, "count a broken invariant as an error")
	cmd.Flags().BoolVar(&v.json, "json", false, "print the report as JSON")
	cmd.Flags().StringVar(&v.out, "salvage", "", "write the intact part of a damaged journal to `OUT`, a new file")
	v.history.AddStdin(cmd)
	v.history.AddLimits(cmd)
	v.history.LogFlags.Add(cmd)
	return cmd
}

// validation is the report on one file.
type validation struct {
	File      string              `json:"file"`
	Valid     bool                `json:"valid"`
	Edition   string              `json:"edition,omitempty"`
	Snapshots int                 `json:"snapshots"`
	Nodes     int                 `json:"nodes"` // of the newest state
	Forks     []forkPoint         `json:"forks,omitempty"`
	Journal   *validatedJournal   `json:"journal,omitempty"`
	Findings  []validationFinding `json:"findings"`
	forked    string
}

// forkPoint says where a history was forked.
type forkPoint struct {
	History string `json:"history"`
	Cycle   int64  `json:"cycle"`
}

// validatedJournal says up to where a journal is intact.
type validatedJournal struct {
	Frames int    `json:"frames"` // the header included
	Cycle  int64  `json:"cycle"`
	Digest string `json:"digest"`
}

type validationFinding struct {
	Severity  string `json:"severity"` // error or warning
	Code      string `json:"code"`
	Invariant string `json:"invariant,omitempty"`
	File      string `json:"file,omitempty"` // in a folder
	Line      int    `json:"line,omitempty"`
	Path      string `json:"path,omitempty"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
}

func (v *validateVerb) run(ctx context.Context, names []string) {
	files := []validation{}
	var salvage *salvageReport
	if v.out != "" {
		if salvage = v.salvage(names[0]); salvage == nil || salvage.Out == "" {
			names = nil
		} else {
			names = []string{salvage.Out}
		}
		if salvage != nil && !v.json {
			salvage.print(v.Out)
		}
	}
	for _, name := range names {
		if ctx.Err() != nil {
			v.Interrupt("interrupted: %s is not looked at", verb.Visible(name))
			break
		}
		for one := range v.validate(ctx, name) {
			files = append(files, one)
			if !v.json {
				v.print(one)
			}
		}
	}
	if v.json {
		v.PrintJSON(struct {
			Files   []validation   `json:"files"`
			Salvage *salvageReport `json:"salvage,omitempty"`
			Exit    output.Exit    `json:"exit"`
		}{files, salvage, v.Exit()})
	}
}

// validate checks the histories that an argument names. One that cannot be opened is reported.
func (v *validateVerb) validate(ctx context.Context, name string) iter.Seq[validation] {
	return func(yield func(validation) bool) {
		o := open.HistoryOptions(ctx, v.Run, &v.history, name)
		o.Strict = false // findings are reported all the same
		var notes open.NoteGroups
		o.Note = notes.AddWrong
		done := v.Working(func() string { return "reading " + verb.Shown(name) })
		defer done()
		for s, err := range sessions.All(ctx, []string{name}, o) {
			done()
			if damaged, ok := errors.AsType[*sessions.Damaged](err); ok {
				s, err = damaged.Session, damaged.Err
			}
			if _, ok := errors.AsType[*engine.Error](err); err != nil && !ok {
				open.FailHistory(v.Run, cmp.Or(s.Path, name), err, &v.history)
				continue
			}
			if !yield(v.check(s, err)) {
				break
			}
		}
		open.ReportGroups(v.Run, name, &notes)
	}
}

// check makes the report on one history; err, unless nil, is why it cannot be read.
func (v *validateVerb) check(s sessions.Session, err error) validation {
	name := s.Address()
	one := validation{File: name, Findings: []validationFinding{}}
	if info := s.Journal; info != nil {
		one.Journal = &validatedJournal{Frames: info.Frames, Cycle: info.Version.Cycle, Digest: info.Version.Digest.String()}
	}
	severity := "error"
	var found []*engine.Error
	if e, ok := errors.AsType[*engine.Error](err); ok {
		found = append(found, e)
	} else {
		if torn := open.TornAppend(s.Path, s.Journal); torn != nil {
			found = append(found, torn)
		}
		t := s.Timeline
		found = append(found, t.Warnings()...)
		one.Edition, one.Snapshots = t.Edition().String(), t.Len()
		one.forked = open.ForkText(t)
		for _, p := range t.Forks() {
			one.Forks = append(one.Forks, forkPoint(p))
		}
		if newest := t.At(0); newest != nil {
			one.Nodes = newest.Len()
		}
		if !v.history.Strict {
			severity = "warning"
		}
	}
	wrong := 0
	for _, e := range found {
		f := v.findingOf(name, severity, e)
		if e.Code == engine.ErrFileEdition { // a note, also with --strict
			f.Severity = "warning"
		}
		if f.Severity == "error" {
			wrong++
		}
		one.Findings = append(one.Findings, f)
	}
	one.Valid = wrong == 0
	if err == nil {
		for _, e := range s.Timeline.Namespaces() {
			one.Findings = append(one.Findings, v.findingOf(name, "warning", e))
		}
	}
	if !one.Valid {
		v.Find("%s: %s", name, verb.Count(wrong, "error"))
	}
	return one
}

func (v *validateVerb) findingOf(name, severity string, e *engine.Error) validationFinding {
	f := validationFinding{Severity: severity, Code: string(e.Code), Line: e.Line, Path: e.Path, Message: e.Msg}
	if e.File != name {
		f.File = e.File
	}
	if e.Code == engine.ErrInvariant {
		f.Invariant, f.Message, _ = strings.Cut(e.Msg, ": ")
	} else {
		f.Hint = open.HistoryHint(failure.Of(e), &v.history)
	}
	return f
}

// print prints the report on one file as text.
func (v *validateVerb) print(one validation) {
	r := verb.NewReporter(v.Out, one.File, "", v.Paints)
	for _, f := range one.Findings[:min(len(one.Findings), verb.MaxReported)] {
		location := one.File
		if f.File != "" {
			location = f.File
		}
		if f.Line > 0 {
			location = fmt.Sprintf("%s:%d", location, f.Line)
		}
		fmt.Fprintf(v.Out, "%s: %s: ", r.Paint(verb.Bold, verb.Visible(location)), r.Paint(verb.SeverityOf(f.Severity), f.Severity))
		if f.Invariant != "" {
			fmt.Fprintf(v.Out, "%s: ", f.Invariant)
		}
		fmt.Fprintf(v.Out, "%s [%s]\n", verb.Visible(f.Message), f.Code)
		if f.Path != "" {
			fmt.Fprintf(v.Out, "  at %s\n", verb.Visible(f.Path))
		}
		if f.Hint != "" {
			fmt.Fprintf(v.Out, "  hint: %s\n", f.Hint)
		}
	}
	if left := len(one.Findings) - verb.MaxReported; left > 0 {
		fmt.Fprintf(v.Out, "%s: and %d more\n", verb.Visible(one.File), left)
	}
	verdict := "valid"
	if !one.Valid {
		verdict = "not valid"
	}
	fmt.Fprintf(v.Out, "%s: %s", verb.Visible(one.File), verdict)
	if one.Edition != "" {
		fmt.Fprintf(v.Out, ": edition %s, %s, %s in the newest", one.Edition, verb.Count(one.Snapshots, "snapshot"), verb.Count(one.Nodes, "node"))
	}
	if one.forked != "" {
		fmt.Fprint(v.Out, ", "+one.forked)
	}
	for _, severity := range [...]string{"error", "warning"} {
		n := 0
		for _, f := range one.Findings {
			if f.Severity == severity {
				n++
			}
		}
		if n > 0 {
			fmt.Fprintf(v.Out, ", %s", verb.Count(n, severity))
		}
	}
	if j := one.Journal; j != nil && !one.Valid && j.Frames > 0 {
		fmt.Fprintf(v.Out, "; whole up to line %d, cycle %d", j.Frames, j.Cycle)
	} else if j != nil && one.Valid {
		fmt.Fprint(v.Out, "; every digest fits")
	}
	fmt.Fprintln(v.Out)
}
