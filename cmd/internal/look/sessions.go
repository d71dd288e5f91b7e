package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

const sessionsLong = `List the recent sessions of agents on this machine, the one that was written last first.

It looks where Claude Code, Codex, Gemini CLI, opencode, Goose, Cline and Roo Code keep their sessions, also if
CLAUDE_CONFIG_DIR, CODEX_HOME or XDG_DATA_HOME says where that is, and at what 'pactkit record' recorded. The agents that a
session started belong to it, and so do the files that continue it and the recordings whose requests name it: a recording and
the log of a session are read as one. Every verb that takes a FILE takes the beginning of an ID, too, or last for the newest
session of the working folder, else of the machine, and last~1 for the one before it.

  TIME     when the session was written last
  FOLDER   where the agent was started
  SIZE     of all files of the session; of opencode, of the database, which has all its sessions
  CALLS    model calls, also those of its agents; after a + the side calls, such as those of a summarizer
  TOKENS   tokens sent in all calls; after ~ if some of them are estimated
  WINDOW   how full the window of the model was at the newest call; its tokens, if the window is not known
  WHAT     recorded if there is a recording and a log; compactions, rewinds and other events, and how often the prefix broke
           that a provider caches
  TITLE    what the log calls the session, or else its first prompt

Everything up to SIZE, and the title, comes from the names, beginnings and ends of files. The rest needs whole files: it is
there for the first 20 rows, and for other sessions that were listed so before and did not change since. It is remembered in
$XDG_CACHE_HOME/pactkit (~/.cache/pactkit), which can be deleted at any time.

--json prints an object (docs/schemas/sessions.json).

` + open.Redacts + `

Exit codes: 0 done; 2 the folder of the user is not known.`

const sessionsExample = `  pactkit sessions                             the newest 20
  pactkit sessions --here                      of this folder and those below, in all worktrees of the repository
  pactkit sessions --agent codex --since 7d    of Codex, in the last seven days
  pactkit sessions -n 0 --json | jq -r '.sessions[] | select(.size > 1e7).file'`

// countedRows is the number of rows that have totals even if whole files must be read for them.
const countedRows = 20

// sessionsVerb lists the sessions of this machine.
type sessionsVerb struct {
	*verb.Run
	here  bool
	agent string
	since ageFlag
	grep  string
	most  int
	json  bool

	files  verb.FileFlags
	redact open.RedactFlag

	machine *recent.Machine
	project *recent.Project
	shared  sharedRows
	table   func(row []string) // prints a row at once; nil collects sessions in list
	list    []recent.Session   // the sessions to print at the end
	isMore  bool               // whether there are sessions that -n left out
	found   int                // number of sessions on the machine, whatever the flags select
}

// Sessions returns the verb sessions.
func Sessions(r *verb.Run) *cobra.Command {
	v := &sessionsVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "sessions",
		Short:   "List the recent sessions of agents on this machine",
		Long:    sessionsLong,
		Example: sessionsExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q: sessions takes no arguments; 'pactkit stats' summarizes files", args[0])
			}
			if v.most < 0 {
				return errors.New("-n must not be negative")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("redact") && !v.json {
				return errors.New("--redact requires --json: a table is for you alone")
			}
			if ok, err := v.redact.Start(v.Run, &open.LogFlags{}, &v.files); !ok {
				return err
			}
			v.run(cmd.Context())
			v.redact.Report(v.Run)
			return nil
		},
	}
	cmd.Flags().BoolVar(&v.here, "here", false, "only sessions of the working folder and those below, in all worktrees of the repository")
	cmd.Flags().StringVar(&v.agent, "agent", "", "only sessions of the agents with `NAME` in their names, such as codex")
	cmd.Flags().Var(&v.since, "since", "only sessions written since `TIME`: 90m, 12h, 7d, 2w ago, or a date")
	cmd.Flags().StringVar(&v.grep, "grep", "", "only sessions with `TEXT` in their titles, in any case")
	cmd.Flags().IntVarP(&v.most, "max-count", "n", countedRows, "list the newest `N` sessions; 0 lists all")
	cmd.Flags().BoolVar(&v.json, "json", false, "print the sessions as JSON")
	v.redact.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *sessionsVerb) run(ctx context.Context) {
	var err error
	if v.machine, err = open.Machine(); err != nil {
		v.Fail("%s", err)
		return
	}
	defer v.machine.Close()
	v.project = recent.ProjectOf(v.Folder)
	if v.OutWidth > 0 && !v.json {
		v.table = v.streamed()
	}
	var first, rest []recent.Session
	n := 0
	for s, err := range v.machine.All(ctx) {
		if err != nil {
			v.Interrupt("interrupted")
			return
		}
		if v.found++; !v.isWanted(s) {
			continue
		}
		if n++; v.most > 0 && n > v.most {
			v.isMore = true
			break
		}
		switch {
		case n <= countedRows:
			if first = append(first, s); n == countedRows {
				v.count(ctx, first)
			}
		case v.table != nil:
			v.print(s)
		default:
			rest = append(rest, s)
		}
	}
	if n < countedRows {
		v.count(ctx, first)
	}
	for _, s := range rest {
		v.print(s)
	}
	if ctx.Err() != nil {
		v.Interrupt("interrupted")
		return
	}
	v.finish()
	v.explain(n)
}

// explain notes what the list leaves out, or why it is empty.
func (v *sessionsVerb) explain(listed int) {
	switch {
	case v.isMore && !v.json:
		v.Note("there are more; -n 0 lists all")
	case listed > 0:
	case v.found > 0:
		v.Note("the flags select none of %s", verb.Count(v.found, "session"))
	default:
		v.Note("there are no sessions of agents in %s", verb.Visible(strings.Join(v.machine.Folders(), ", ")))
	}
}

// isWanted reports whether the flags select a session.
func (v *sessionsVerb) isWanted(s recent.Session) bool {
	switch {
	case v.here && !v.project.Has(s):
	case v.agent != "" && !containsFold(s.Agent, v.agent):
	case !v.since.IsZero() && s.Time.Before(v.since.Time):
	case v.grep != "" && !containsFold(s.Title, v.grep):
	default:
		return true
	}
	return false
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// count prints sessions with their totals, which it computes if they are not remembered.
func (v *sessionsVerb) count(ctx context.Context, list []recent.Session) {
	count := func(ctx context.Context, s recent.Session) recent.Session {
		if s.Totals == nil {
			s.Totals = v.totalsOf(ctx, s)
		}
		return s
	}
	for s := range verb.InOrder(ctx, list, count) {
		if ctx.Err() != nil {
			return
		}
		v.machine.Keep(s, s.Totals)
		v.print(s)
	}
}

// totalsOf computes the totals of a session.
func (v *sessionsVerb) totalsOf(ctx context.Context, s recent.Session) *recent.Totals {
	t := &recent.Totals{Events: []recent.Events{}}
	var sum stats.Sum
	rows, err := v.shared.of(ctx, s)
	for _, row := range rows {
		sum.Add(row)
		if t.Window == 0 {
			t.Window, t.Capacity = row.Latest, row.Capacity
		}
	}
	if err != nil {
		if e := failure.Of(err); !sessions.IsNoCalls(e.Message) {
			t.Error = e.Message
		}
	}
	total := sum.Total()
	t.Calls, t.SideCalls, t.In, t.Out = total.Calls, total.SideCalls, total.Tokens.In, total.Tokens.Out
	t.Label, t.Breaks = string(total.Tokens.Label), total.Cache.Breaks
	for _, e := range total.Events {
		t.Events = append(t.Events, recent.Events(e))
	}
	return t
}

// print prints a session, or adds it to the list.
func (v *sessionsVerb) print(s recent.Session) {
	if v.table != nil {
		v.table(v.cells(s))
		return
	}
	v.list = append(v.list, s)
}

var sessionColumns = []verb.Column{
	{Name: "ID", Style: "33"}, {Name: "TIME"}, {Name: "AGENT"}, {Name: "FOLDER"}, {Name: "BRANCH"}, {Name: "SIZE", Right: true},
	{Name: "CALLS", Right: true}, {Name: "TOKENS", Right: true}, {Name: "WINDOW", Right: true}, {Name: "WHAT"}, {Name: "TITLE"},
}

// cells returns the cells of a session's row.
func (v *sessionsVerb) cells(s recent.Session) []string {
	row := []string{
		v.machine.Short(s.ID), s.Time.Local().Format("2006-01-02 15:04"), s.Agent, verb.Visible(open.ShortFolder(s.Folder)), verb.Visible(s.Branch),
		shortNumber(s.Size), "", "", "", "", verb.Visible(s.Title),
	}
	t := s.Totals
	var what []string
	if s.Recorded {
		what = append(what, "recorded")
	}
	switch {
	case t == nil:
	case t.Error != "":
		row[9] = verb.Clip("not read: "+verb.Visible(t.Error), verb.MaxCell)
	default:
		row[6] = strconv.Itoa(t.Calls)
		if t.SideCalls > 0 {
			row[6] += "+" + strconv.Itoa(t.SideCalls)
		}
		if label := calls.Label(t.Label); label != calls.Unknown {
			row[7], row[8] = gradeMark(label)+shortNumber(t.In), shortNumber(t.Window)
			if t.Capacity > 0 {
				row[8] = percent(t.Window, t.Capacity)
			}
		}
		for _, e := range t.Events {
			what = append(what, verb.Count(e.Events, e.Kind))
		}
		if t.Breaks > 0 {
			what = append(what, verb.Count(t.Breaks, "break"))
		}
	}
	row[9] = cmp.Or(row[9], strings.Join(what, ", "))
	return row
}

// shortNumber formats a number with up to three digits and a unit.
func shortNumber(n int64) string {
	x, unit := float64(n), ""
	for _, u := range []string{"k", "M", "G", "T"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, u
	}
	if unit == "" || x >= 99.95 {
		return strconv.FormatFloat(x, 'f', 0, 64) + unit
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + unit
}

// streamed returns a function that prints a row at once. The columns have fixed widths. On a narrow
// terminal, the least important ones are left out.
func (v *sessionsVerb) streamed() func(row []string) {
	widths := []int{9, 16, 11, 24, 12, 6, 7, 7, 7, 22}
	used := 0
	for _, w := range widths {
		used += w + 2
	}
	for _, i := range []int{5, 4, 7, 9, 3, 8, 2} { // until the title has room
		if used+2*verb.LeastPreview <= v.OutWidth {
			break
		}
		used -= widths[i] + 2
		widths[i] = 0
	}
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	isFirst := true
	return func(row []string) {
		for i, w := range widths {
			if w == 0 {
				row[i] = ""
				continue
			}
			row[i] = verb.Padded(verb.Clip(row[i], w), w, sessionColumns[i].Right)
		}
		lines := verb.ColumnLines(r, sessionColumns, [][]string{row}, v.OutWidth)
		if !isFirst {
			lines = lines[1:]
		}
		isFirst = false
		for _, line := range lines {
			fmt.Fprintln(v.Out, line)
		}
		_ = v.Out.Flush() // the last flush reports the error
	}
}

// sessionsJSON is what --json prints.
type sessionsJSON struct {
	Sessions  any  `json:"sessions"`
	More      bool `json:"more"`                // whether -n left out sessions
	Redaction any  `json:"redaction,omitempty"` // the report of --redact
}

// finish prints the list.
func (v *sessionsVerb) finish() {
	switch {
	case v.json:
		list := v.redact.JSON(append([]recent.Session{}, v.list...))
		v.PrintJSON(sessionsJSON{list, v.isMore, v.redact.Done()})
		return
	case v.table == nil && len(v.list) > 0:
		var rows [][]string
		for _, s := range v.list {
			rows = append(rows, v.cells(s))
		}
		for _, line := range verb.ColumnLines(verb.NewReporter(v.Out, "", "", v.Paints), sessionColumns, rows, 0) {
			fmt.Fprintln(v.Out, line)
		}
	}
}

// ageFlag is a time, given as a time or as an age.
type ageFlag struct {
	time.Time
	text string
}

func (f *ageFlag) String() string { return f.text }

func (f *ageFlag) Type() string { return "TIME" }

func (f *ageFlag) Set(text string) error {
	f.text = text
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			f.Time = t
			return nil
		}
	}
	unit := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if n, err := strconv.Atoi(cmp.Or(text, "-")[:max(len(text)-1, 0)]); err == nil && n >= 0 && unit[text[len(text)-1]] > 0 {
		f.Time = time.Now().Add(-time.Duration(n) * unit[text[len(text)-1]])
		return nil
	}
	return errors.New("must be an age such as 12h, 7d or 2w, or a date such as 2026-01-31")
}
