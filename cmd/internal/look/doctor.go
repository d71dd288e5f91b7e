package look

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

const doctorLong = `Explain how files are read: which kind a file is of and by what that was recognized, what becomes of its records, how many
of them are not understood, what the file does not record, and what is odd about it. Of a file that is refused it says what
the file looks like, and by what files of each kind are recognized.

Without an argument it looks for the sessions of agents on this machine, and explains the newest file of each agent. Nothing
is written.

  json   a list of the files (docs/schemas/doctor.json)

Exit codes: 0 every record is understood; 1 some are not; 2 a file cannot be read. A file of an unknown kind in a folder is
skipped, as by other verbs.`

const doctorExample = `  pactkit doctor session.jsonl
  pactkit doctor exports --json | jq '.files[] | select(.error)'
  pactkit doctor`

// doctorVerb explains how files are read.
type doctorVerb struct {
	*verb.Run
	logs    open.SessionFlags
	json    bool
	report  doctorReport
	refused bool
}

// doctorReport is what --json prints.
type doctorReport struct {
	Places []doctorPlace `json:"places,omitempty"`
	Files  []*diagnosis  `json:"files"`
}

// doctorPlace is where an agent keeps its sessions.
type doctorPlace struct {
	Program string    `json:"program"`
	Folder  string    `json:"folder"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Newest  string    `json:"newest,omitempty"`
	At      time.Time `json:"newest_time,omitzero"`
}

// diagnosis is what is known about a file.
type diagnosis struct {
	File      string             `json:"file"`
	Kind      sessions.Kind      `json:"kind,omitempty"`
	Marks     string             `json:"recognized_by,omitempty"`
	Sessions  int                `json:"sessions"`
	Calls     int                `json:"calls"`
	SideCalls int                `json:"side_calls"`
	Recorded  int                `json:"recorded"`
	Failed    int                `json:"failed"`
	FromCache int                `json:"from_cache"`
	Events    []stats.Events     `json:"events,omitempty"`
	Missing   []string           `json:"missing,omitempty"`
	Rest      int64              `json:"rest,omitempty"`
	Records   []sessions.Records `json:"records,omitempty"`
	Strange   int                `json:"not_understood"`
	Notes     []string           `json:"notes,omitempty"`
	Error     *failure.Failure   `json:"error,omitempty"`
	notes     open.NoteGroups
}

// Doctor returns the verb doctor.
func Doctor(r *verb.Run) *cobra.Command {
	v := &doctorVerb{Run: r}
	cmd := &cobra.Command{
		Use:               "doctor [PATH]...",
		Short:             "Explain how files are read: kind, records, what is not recorded",
		Long:              doctorLong,
		Example:           doctorExample,
		Args:              func(_ *cobra.Command, args []string) error { return open.CheckStdin(args...) },
		ValidArgsFunction: open.CompleteSessions(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args)
			return nil
		},
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "print the result as JSON")
	v.logs.AddMany(cmd)
	return cmd
}

func (v *doctorVerb) run(ctx context.Context, args []string) {
	if len(args) == 0 {
		args = v.places(ctx)
	}
	v.report.Files = []*diagnosis{}
	o := open.SessionOptions(v.Run, &v.logs)
	var notes []thread.Note
	o.Note = func(n thread.Note) { notes = append(notes, n) }
	for f, err := range sessions.Files(ctx, args, o) {
		if ctx.Err() != nil {
			v.Interrupt("interrupted")
			return
		}
		d := &diagnosis{File: f.Path}
		if err == nil {
			err = v.diagnose(ctx, f, d)
			d.notes.Add(notes)
			notes = nil
		}
		v.judge(d, err, f.IsNamed())
		if !v.json {
			v.print(d)
		}
		v.report.Files = append(v.report.Files, d)
	}
	switch {
	case v.json:
		v.PrintJSON(v.report)
	case v.refused:
		fmt.Fprintln(v.Out, "What can be read is recognized by:")
		for _, k := range sessions.Kinds()[1:] {
			fmt.Fprintf(v.Out, "  %-17s %s\n", k, sessions.Marks(k))
		}
		fmt.Fprintln(v.Out, "docs/reference/sources.md describes each.")
	}
}

// places prints where agents keep their sessions, and returns the newest file of each.
func (v *doctorVerb) places(ctx context.Context) (newest []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		v.Fail("the folder of the user is not known: %v", err)
		return nil
	}
	for _, p := range sessions.Places(home, os.Getenv) {
		found, err := p.Find(ctx)
		if err != nil {
			return nil
		}
		v.report.Places = append(v.report.Places, doctorPlace{p.Program, p.Folder, found.Files, found.Bytes, found.Newest, found.At.UTC()})
		if found.Newest != "" {
			newest = append(newest, found.Newest)
		}
		if !v.json {
			fmt.Fprintf(v.Out, "%-12s %s in %s\n", p.Program, verb.Count(found.Files, "file"), verb.Visible(p.Folder))
		}
	}
	return newest
}

// diagnose reads a file. The error is that of the file.
func (v *doctorVerb) diagnose(ctx context.Context, f sessions.File, d *diagnosis) error {
	var kind sessions.Kind
	if f.IsFile() {
		var err error
		if kind, err = f.Kind(ctx); err != nil {
			return err
		}
		d.Kind = kind
	}
	var sum stats.Sum
	for s, err := range f.Sessions(ctx, kind) {
		if err != nil {
			return err
		}
		d.Kind = s.Kind
		d.warn(s.Timeline.Warnings()...)
		if torn := open.TornAppend(s.Path, s.Journal); torn != nil {
			d.warn(torn)
		}
		row, err := stats.Of(ctx, s, stats.Options{})
		if err != nil {
			return err
		}
		sum.Add(row)
	}
	total := sum.Total()
	d.Sessions, d.Calls, d.SideCalls, d.Recorded, d.Failed = total.Sessions, total.Calls, total.SideCalls, total.Recorded, total.Failed
	d.FromCache, d.Events, d.Missing, d.Rest = total.FromCache, total.Events, total.Missing, total.Tokens.Rest
	var err error
	d.Records, err = f.Records(ctx, d.Kind)
	for _, r := range d.Records {
		if r.Becomes == "" {
			d.Strange += r.Records
		}
	}
	return err
}

// warn adds warnings about a history that can be read.
func (d *diagnosis) warn(list ...*engine.Error) {
	for _, e := range list {
		d.notes.Add([]thread.Note{{Code: e.Code, File: e.File, Line: e.Line, Path: e.Path, Msg: e.Msg}})
	}
}

// judge completes a diagnosis, and sets the exit code.
func (v *doctorVerb) judge(d *diagnosis, err error, isNamed bool) {
	d.Notes = d.notes.Lines()
	switch {
	case err != nil:
		d.Error = failure.Of(err)
		d.Error.Hint = open.SessionHint(d.Error, &v.logs)
		v.refused = v.refused || d.Error.Code == engine.ErrFileShape
		if !isNamed && sessions.IsUnknown(err) { // as other verbs skip it
			return
		}
		v.Raise(verb.ExitFailed)
		v.Reasons = append(v.Reasons, d.File+": "+d.Error.Message)
	case d.Strange > 0 || d.notes.Broken:
		v.Find("%s: some records are not understood", d.File)
	}
	if d.Error == nil {
		d.Marks = sessions.Marks(d.Kind)
	}
}

// print prints a diagnosis.
func (v *doctorVerb) print(d *diagnosis) {
	name := verb.Shown(d.File)
	if d.Error != nil {
		v.printError(name, d.Error)
		return
	}
	fmt.Fprintf(v.Out, "%s: %s\n  recognized by %s\n", name, d.Kind, d.Marks)
	fmt.Fprintln(v.Out, "  "+d.summary())
	if len(d.Missing) > 0 {
		fmt.Fprintln(v.Out, "  not recorded: "+verb.Visible(strings.Join(d.Missing, ", ")))
	}
	if d.Strange > 0 {
		fmt.Fprintf(v.Out, "  %s not understood\n", verb.Count(d.Strange, "record"))
	}
	v.printRecords(d)
	for _, n := range d.Notes {
		fmt.Fprintln(v.Out, "  note: "+n)
	}
}

// printError prints why a file is not read. The list of the kinds at the end is the hint for one of
// an unknown kind.
func (v *doctorVerb) printError(name string, e *failure.Failure) {
	if e.Line > 0 {
		name += ":" + strconv.Itoa(e.Line)
	}
	text, isUnknown := strings.CutSuffix(e.Message, sessions.Readable)
	below := *e
	below.Message = text
	fmt.Fprintf(v.Out, "%s: not read: %s\n", name, verb.Visible(below.Below()))
	if e.Hint != "" && !isUnknown {
		fmt.Fprintf(v.Out, "  hint: %s\n", v.Named(e.Hint))
	}
}

// summary says what a file holds, and whether it has the requests.
func (d *diagnosis) summary() string {
	holds := []string{verb.Count(d.Sessions, "session"), callCount(d.Calls+d.SideCalls, d.SideCalls)}
	if d.Failed > 0 {
		holds = append(holds, fmt.Sprintf("%d failed", d.Failed))
	}
	if d.FromCache > 0 {
		holds = append(holds, fmt.Sprintf("%d answered from a cache", d.FromCache))
	}
	for _, e := range d.Events {
		holds = append(holds, verb.Count(e.Events, e.Kind))
	}
	text := strings.Join(holds, ", ")
	switch {
	case d.Calls+d.SideCalls == 0 || d.Recorded == 0 && (d.Kind == sessions.Journal || d.Kind == sessions.Document):
		return text
	case d.Recorded == 0:
		return text + "; the requests are inferred"
	case d.Recorded < d.Calls+d.SideCalls:
		return text + fmt.Sprintf("; the requests of %d are recorded, the others inferred", d.Recorded)
	}
	if d.Rest > 0 {
		return text + fmt.Sprintf("; the requests are recorded, but about %d tokens of each are in no text of the file", d.Rest)
	}
	return text + "; all requests are recorded"
}

// printRecords prints what becomes of the records of a file.
func (v *doctorVerb) printRecords(d *diagnosis) {
	if len(d.Records) == 0 {
		return
	}
	var rows [][]string
	for _, r := range d.Records {
		rows = append(rows, []string{strconv.Itoa(r.Records), verb.Visible(r.Member), verb.Visible(r.Kind), cmp.Or(r.Becomes, "not understood")})
	}
	columns := []verb.Column{{Name: "  RECORDS", Right: true}, {Name: "BY"}, {Name: "KIND"}, {Name: "BECOME"}}
	for _, line := range verb.ColumnLines(verb.NewReporter(v.Out, "", "", v.Paints), columns, rows, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
}
