package cli

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/corpus"
	"github.com/pactkit/pactkit/internal/facts"
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
selector names has no match. --ever searches each node that was ever in a session, once, and prints the calls of the first
and the last snapshot that have it. A range prints the differences: + for added, - for removed, ~ for changed.

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
	*session
	selector selectorFlags
	sources  sessionFlags
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
	format                     enumFlag
}

func (s *session) grepCommand() *cobra.Command {
	v := &grepVerb{session: s}
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
			case f.count && f.files, (f.count || f.files) && (f.json || f.format.value != ""):
				return errors.New("-c, -l and the formats cannot be combined")
			case f.invert && (f.json || f.format.value == "table"):
				return errors.New("-v lists sessions, which have no matches to print in a format")
			case f.json && f.format.value != "" && f.format.value != "json":
				return errors.New("--json and --format cannot be combined")
			}
			return checkStdin(args[1:]...)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0], args[1:]) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&v.show.count, "count", "c", false, "print how many matches each file has")
	flags.BoolVarP(&v.show.files, "files-with-matches", "l", false, "print only the names of files with matches")
	flags.BoolVarP(&v.show.invert, "invert-match", "v", false, "list the sessions without a match")
	flags.IntVarP(&v.show.most, "max-count", "m", 0, "print at most `N` matches of each file; 0 is no limit")
	flags.BoolVar(&v.show.json, "json", false, "the same as --format json")
	addEnum(cmd, &v.show.format, "format", []string{"text", "json", "table"}, "how to print matches (default text)")
	flags.BoolVar(&v.ever, "ever", false, "look at each node that was ever in a session, once")
	v.sources.addMany(cmd)
	v.selector.add(cmd)
	return cmd
}

func (v *grepVerb) run(ctx context.Context, text string, args []string) error {
	if v.show.json {
		v.show.format.value = "json"
	}
	cfg, err := v.selector.configuration(v.session)
	if err != nil || cfg == nil {
		return err
	}
	edition := editionOf(v.selector.edition.value, cfg, nil)
	q, found := corpus.Compile(text, parser.Options{Edition: edition, NoLegacy: v.selector.noLegacy})
	v.reportFound(text, found)
	if q == nil {
		v.raise(exitFailed)
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
	s := &corpus.Search{
		Query: q, Sessions: v.sessionOptions(&v.sources), Most: v.show.most, CountOnly: v.show.count || v.show.files || v.show.invert,
		Done: func(n int) { done.Add(int64(n)) },
	}
	if v.show.files && !v.show.invert {
		s.Most = 1
	}
	v.print(ctx, s, args, &done)
	if !v.matched && ctx.Err() == nil {
		v.reportSelector("", text, facts.Misspelled(ctx, cfg.Known(), text, edition))
	}
	return nil
}

// print prints the results of a search.
func (v *grepVerb) print(ctx context.Context, s *corpus.Search, args []string, done *atomic.Int64) {
	bar := newByteProgress(v.session, done)
	defer bar.clear()
	for o := range s.Run(ctx, args) {
		if ctx.Err() != nil {
			break
		}
		switch {
		case o.IsEnd:
			v.endFile(o.Path)
			bar.show()
		case o.Err != nil:
			bar.clear()
			v.failSession(o.Path, o.Err, &v.sources)
		default:
			v.outcome(&o, bar)
		}
	}
	v.printRows()
	if ctx.Err() != nil {
		bar.clear()
		v.interrupt("interrupted: not all files were searched")
		_ = v.out.Flush() // the last flush reports errors
		return
	}
	if !v.found {
		v.raise(exitFindings)
	}
}

// outcome prints the matches of a session.
func (v *grepVerb) outcome(o *corpus.Outcome, bar *byteProgress) {
	isFound := o.Count > 0
	v.matched = v.matched || isFound
	if v.show.invert {
		isFound = !isFound
	}
	if !isFound {
		return
	}
	v.found = true
	bar.clear()
	switch {
	case v.show.invert && (v.show.count || v.show.files):
		v.counts++
	case v.show.invert:
		fmt.Fprintln(v.out, sessionName(o))
	case v.show.count || v.show.files:
		v.counts += o.Count
	default:
		for i := range o.Matches {
			v.match(o, &o.Matches[i])
		}
	}
	if v.outTerm {
		_ = v.out.Flush() // the last flush reports errors
	}
}

// endFile prints what is known once all of a file has been searched.
func (v *grepVerb) endFile(path string) {
	switch {
	case v.counts == 0:
	case v.show.files:
		fmt.Fprintln(v.out, visible(path))
	case v.show.count:
		fmt.Fprintf(v.out, "%s:%d\n", visible(path), v.counts)
	}
	v.counts = 0
}

// sessionName returns the argument that names the session of an outcome.
func sessionName(o *corpus.Outcome) string {
	return visible(o.Address())
}

// match prints a match.
func (v *grepVerb) match(o *corpus.Outcome, m *corpus.Match) {
	switch v.show.format.value {
	case "json":
		_, _ = v.out.Write(append(m.AppendJSON(nil, o), '\n')) // the last flush reports errors
	case "table":
		v.rows = append(v.rows, []string{sessionName(o), callOf(m), visible(m.ID), visible(m.Role), visible(m.Kind), m.Preview(maxGrepText)})
	default:
		fmt.Fprintf(v.out, "%s:%s:%s%s", sessionName(o), callOf(m), changeSigns[m.Change], visible(m.ID))
		if text := m.Preview(maxGrepText); text != "" {
			v.out.WriteString("  " + clip(visible(text), maxGrepText))
		}
		v.out.WriteByte('\n')
	}
}

// maxGrepText is the width in columns of the content in a line.
const maxGrepText = 200

// changeSigns mark what a range finds.
var changeSigns = map[string]string{"added": "+", "removed": "-", "changed": "~"}

// callOf returns the address of the snapshot that shows a match, or the first and the last of those
// that do.
func callOf(m *corpus.Match) string {
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
	names := []column{{name: "SESSION"}, {name: "CALL"}, {name: "NODE"}, {name: "ROLE"}, {name: "KIND"}, {name: "CONTENT"}}
	for _, line := range columnLines(newReporter(v.out, "", "", v.paints), names, v.rows, v.width()) {
		fmt.Fprintln(v.out, line)
	}
}
