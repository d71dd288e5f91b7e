package look

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/search"
	"github.com/pactkit/pactkit/parser"
)

const grepLong = `Search many sessions: print what a selector selects in each of them.

Arguments after the selector are what every verb takes: logs of any source (recognized, or named with --from), journals,
documents of snapshots, folders, stores, and - for standard input; without one, the working folder. Folders are walked and
ignore files respected; files of other kinds are skipped. A file that cannot be read is reported and skipped.

Each line is a match: the file, #NAME for one session of several in it, the call whose snapshot shows the node, the id of the
node, and the beginning of its content. Every verb takes FILE#NAME as an argument, so a match can be inspected:

  pactkit eval '@c17 .block{id="block:31"}' runs.jsonl#c0042

A selector without a time is run on the last snapshot of each session, as in eval; a session without the snapshot that a
selector names has no match. --ever searches each node that was ever in a session, once in each content, and prints the
calls of the first and the last snapshot that have it so. A range prints the differences: + for added, - for removed, ~ for
changed.

  text   FILE#NAME:@cN:ID  CONTENT
  json   one JSON object per line for each match (docs/schemas/grep.json); --json is the same
  table  columns

Files are searched in parallel, and printed in the order of their names.

Exit codes: 0 something was found; 1 nothing was found; 2 a file cannot be read, or the selector has errors.`

const grepExample = `  pactkit grep ".block+tool{content~'Error'}" logs      results that contain Error
  pactkit grep '.block{kind=call}' logs -c              how many tool calls in each file
  pactkit grep --ever '.block+tool' refund.jsonl        every result that was ever there
  pactkit grep '@* .block{cause=compacted}' refund.jsonl    what compaction took away
  pactkit grep -v '.block{name=submit}' logs            sessions that never submitted`

// grepVerb searches many sessions.
type grepVerb struct {
	*verb.Run
	selector open.SelectorFlags
	sources  open.SessionFlags
	show     grepFlags
	ever     bool

	found   bool
	matched bool       // whether a node was found, also with -v
	counts  int        // in the file that is being printed
	rows    [][]string // of a table
}

// grepFlags are the flags that say what is printed.
type grepFlags struct {
	count, files, invert, json bool
	most                       int
	format                     verb.EnumFlag
}

// Grep returns the verb grep.
func Grep(r *verb.Run) *cobra.Command {
	v := &grepVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "grep SELECTOR [PATH]...",
		Short:   "Print what a selector selects in many sessions",
		Long:    grepLong,
		Example: grepExample,
		Args: func(_ *cobra.Command, args []string) error {
			f := &v.show
			switch {
			case len(args) == 0:
				return errors.New("nothing to look for: name a selector")
			case f.most < 0:
				return errors.New("-m counts matches: 0 for all, or more")
			case f.count && f.files, (f.count || f.files) && (f.json || f.format.Value != ""):
				return errors.New("-c, -l and the formats cannot be combined")
			case f.invert && (f.json || f.format.Value == "table"):
				return errors.New("-v lists sessions, which have no matches to print in a format")
			case f.json && f.format.Value != "" && f.format.Value != "json":
				return errors.New("--json and --format cannot be combined")
			}
			return open.CheckStdin(args[1:]...)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0], args[1:]) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&v.show.count, "count", "c", false, "print how many matches each file has")
	flags.BoolVarP(&v.show.files, "files-with-matches", "l", false, "print only the names of files with matches")
	flags.BoolVarP(&v.show.invert, "invert-match", "v", false, "list the sessions without a match")
	flags.IntVarP(&v.show.most, "max-count", "m", 0, "print at most `N` matches of each file; 0 is no limit")
	flags.BoolVar(&v.show.json, "json", false, "the same as --format json")
	verb.AddEnum(cmd, &v.show.format, "format", []string{"text", "json", "table"}, "how to print matches (default text)")
	flags.BoolVar(&v.ever, "ever", false, "look at each node that was ever in a session, once in each content")
	v.sources.AddMany(cmd)
	v.selector.Add(cmd)
	return cmd
}

func (v *grepVerb) run(ctx context.Context, text string, args []string) error {
	if v.show.json {
		v.show.format.Value = "json"
	}
	cfg, err := v.selector.Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	edition := open.EditionOf(v.selector.Edition.Value, cfg, nil)
	q, found := search.Compile(text, parser.Options{Edition: edition, NoLegacy: v.selector.NoLegacy})
	open.ReportFound(v.Run, text, found)
	if q == nil {
		v.Raise(verb.ExitFailed)
		return nil
	}
	if v.ever {
		if q, err = q.Ever(); err != nil {
			return fmt.Errorf("--ever: %w", err)
		}
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	var done atomic.Int64
	s := &search.Search{
		Query: q, Sessions: open.SessionOptions(v.Run, &v.sources), Most: v.show.most, CountOnly: v.show.count || v.show.files || v.show.invert,
		Done: func(n int) { done.Add(int64(n)) },
	}
	if v.show.files && !v.show.invert {
		s.Most = 1
	}
	v.print(ctx, s, args, &done)
	if !v.matched && ctx.Err() == nil {
		open.ReportSelector(v.Run, "", text, fixtures.Misspelled(ctx, cfg.Known(), text, edition))
	}
	return nil
}

// print prints the results of a search.
func (v *grepVerb) print(ctx context.Context, s *search.Search, args []string, done *atomic.Int64) {
	bar := verb.NewByteProgress(v.Run, done)
	defer bar.Clear()
	for o := range s.Run(ctx, args) {
		if ctx.Err() != nil {
			break
		}
		switch {
		case o.IsEnd:
			v.endFile(o.Path)
			bar.Show()
		case o.Err != nil:
			bar.Clear()
			open.FailSession(v.Run, o.Path, o.Err, &v.sources)
		default:
			v.outcome(&o, bar)
		}
	}
	v.printRows()
	if ctx.Err() != nil {
		bar.Clear()
		v.Interrupt("interrupted: not all files were searched")
		_ = v.Out.Flush() // the last flush reports errors
		return
	}
	if !v.found {
		v.Raise(verb.ExitFindings)
	}
}

// outcome prints the matches of a session.
func (v *grepVerb) outcome(o *search.Outcome, bar *verb.ByteProgress) {
	isFound := o.Count > 0
	v.matched = v.matched || isFound
	if v.show.invert {
		isFound = !isFound
	}
	if !isFound {
		return
	}
	v.found = true
	bar.Clear()
	switch {
	case v.show.invert && (v.show.count || v.show.files):
		v.counts++
	case v.show.invert:
		fmt.Fprintln(v.Out, sessionName(o))
	case v.show.count || v.show.files:
		v.counts += o.Count
	default:
		for i := range o.Matches {
			v.match(o, &o.Matches[i])
		}
	}
	if v.OutTerm {
		_ = v.Out.Flush() // the last flush reports errors
	}
}

// endFile prints what is known once all of a file has been searched.
func (v *grepVerb) endFile(path string) {
	switch {
	case v.counts == 0:
	case v.show.files:
		fmt.Fprintln(v.Out, verb.Visible(path))
	case v.show.count:
		fmt.Fprintf(v.Out, "%s:%d\n", verb.Visible(path), v.counts)
	}
	v.counts = 0
}

// sessionName returns the argument that names the session of an outcome.
func sessionName(o *search.Outcome) string {
	return verb.Visible(o.Address())
}

// match prints a match.
func (v *grepVerb) match(o *search.Outcome, m *search.Match) {
	switch v.show.format.Value {
	case "json":
		_, _ = v.Out.Write(append(m.AppendJSON(nil, o), '\n')) // the last flush reports errors
	case "table":
		v.rows = append(v.rows, []string{sessionName(o), callOf(m), verb.Visible(m.ID), verb.Visible(m.Role), verb.Visible(m.Kind), m.Preview(maxGrepText)})
	default:
		fmt.Fprintf(v.Out, "%s:%s:%s%s", sessionName(o), callOf(m), changeSigns[m.Change], verb.Visible(m.ID))
		if text := m.Preview(maxGrepText); text != "" {
			v.Out.WriteString("  " + verb.Clip(verb.Visible(text), maxGrepText))
		}
		v.Out.WriteByte('\n')
	}
}

// maxGrepText is the width in columns of the content in a line.
const maxGrepText = 200

// changeSigns mark what a range finds.
var changeSigns = map[string]string{"added": "+", "removed": "-", "changed": "~"}

// callOf returns the address of the snapshot that shows a match, or the first and the last of those
// that do.
func callOf(m *search.Match) string {
	if m.First > 0 {
		return fmt.Sprintf("@c%d..@c%d", m.First, m.Last)
	}
	return fmt.Sprintf("@c%d", m.Cycle)
}

// printRows prints the table.
func (v *grepVerb) printRows() {
	if len(v.rows) == 0 {
		return
	}
	names := []verb.Column{{Name: "SESSION"}, {Name: "CALL"}, {Name: "NODE"}, {Name: "ROLE"}, {Name: "KIND"}, {Name: "CONTENT"}}
	for _, line := range verb.ColumnLines(verb.NewReporter(v.Out, "", "", v.Paints), names, v.rows, v.Width()) {
		fmt.Fprintln(v.Out, line)
	}
}
