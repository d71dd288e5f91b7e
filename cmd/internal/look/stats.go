package look

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/search"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

const statsLong = `Summarize sessions: a row for each, and one for all of them.

Arguments are what every verb takes: logs of any source (recognized, or named with --from), journals, folders, stores, last
and the ids of sessions, and - for standard input; by default last. Files are read in parallel.

  CALLS    model calls of the conversation; after a + the side calls, such as those of a summarizer
  TURNS    turns that the user began
  TOKENS   tokens sent and answered in all calls; after ~ if some of them are counted or estimated, after ≥ if the log has a
           part of a count
  CACHED   tokens read from the cache, as far as the log records them
  COST     of all calls with a known price, from [prices] of the configuration or a dated table in US dollars; after ~ if some
           tokens are estimated; ? for calls of a model without a price, which the last line names
  TOOLS    calls, and how many of their results are errors: the log says so (is_error), or the text begins with Error or
           Traceback
  LEFT     blocks that left, with the cause: compacted, trimmed, edited, rewound, …
  BROKE    calls that did not continue where the previous call ended, so a provider's cache misses

--shares adds what all calls of a session together were sent, as a tree: tokens and cost by role, MCP server, tool and file.

  json   an object with the rows and their sum (docs/schemas/stats.json); --json is the same
  csv    a row for each session; tools and causes are lists of NAME=COUNT, with the errors after a /

Exit codes: 0 done; 2 a file cannot be read.`

const statsExample = `  pactkit stats logs
  pactkit stats refund.jsonl kept.jsonl --format csv > runs.csv
  pactkit stats logs --no-tokens --json | jq .total.tools`

// statsVerb summarizes sessions.
type statsVerb struct {
	*verb.Run
	logs   open.SessionFlags
	files  verb.FileFlags
	o      stats.Options
	json   bool
	format verb.EnumFlag
}

// Stats returns the verb stats.
func Stats(r *verb.Run) *cobra.Command {
	v := &statsVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "stats [PATH]...",
		Short:   "Sum up sessions: calls, tokens, tools and their errors, what left, cache",
		Long:    statsLong,
		Example: statsExample,
		Args: func(_ *cobra.Command, args []string) error {
			if v.json && v.format.Value != "" && v.format.Value != "json" {
				return errors.New("--json and --format cannot be combined")
			}
			if v.o.Shares && (v.o.NoTokens || v.format.Value == "csv") {
				return errors.New("--shares counts tokens, and has no place in a row; leave --no-tokens and --format csv out")
			}
			return open.CheckStdin(args...)
		},
		ValidArgsFunction: open.CompleteSessions(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := (&open.SelectorFlags{Files: v.files}).Configuration(v.Run)
			if err != nil || cfg == nil {
				return err
			}
			v.o.Prices, v.o.Windows = cfg.Prices(), cfg.Windows()
			v.run(cmd.Context(), args)
			return nil
		},
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "the same as --format json")
	cmd.Flags().BoolVar(&v.o.NoTokens, "no-tokens", false, "do not count tokens, which saves most of the time")
	verb.AddEnum(cmd, &v.format, "format", []string{"table", "json", "csv"}, "how to print the rows (default table)")
	cmd.Flags().BoolVar(&v.o.Shares, "shares", false, "add what all calls together were sent: tokens and cost by role, tool and file")
	v.logs.AddMany(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

// statsRow is the result for a session.
type statsRow struct {
	stats.Session
	err error
}

func (v *statsVerb) run(ctx context.Context, args []string) {
	if v.json {
		v.format.Value = "json"
	}
	if len(args) == 0 {
		args = []string{recent.Last}
	}
	o := open.SessionOptions(v.Run, &v.logs) // several files at a time would mix their notes
	var rows []stats.Session
	var sum stats.Sum
	bar := verb.NewByteProgress(v.Run, nil)
	defer bar.Clear()
	work := func(ctx context.Context, s sessions.Session) statsRow {
		x, err := stats.Of(ctx, s, v.o)
		return statsRow{x, err}
	}
	for item := range search.Each(ctx, args, o, work) {
		bar.Show()
		if ctx.Err() != nil {
			break
		}
		if item.Err != nil {
			bar.Clear()
			open.FailSession(v.Run, item.Path, item.Err, &v.logs)
			continue
		}
		rows = append(rows, item.Value.Session)
		sum.Add(item.Value.Session)
	}
	bar.Clear()
	if ctx.Err() != nil {
		defer v.Interrupt("interrupted after %s", verb.Count(len(rows), "session"))
	}
	v.print(rows, sum.Total())
}

// statsJSON is what --json prints.
type statsJSON struct {
	Sessions []stats.Session `json:"sessions"`
	Total    stats.Session   `json:"total"`
}

func (v *statsVerb) print(rows []stats.Session, total stats.Session) {
	switch v.format.Value {
	case "json":
		v.PrintJSON(statsJSON{append([]stats.Session{}, rows...), total})
	case "csv":
		v.printCSV(rows)
	default:
		v.printStats(rows, total)
	}
}

// printCSV prints a row for each session.
func (v *statsVerb) printCSV(rows []stats.Session) {
	w := csv.NewWriter(v.Out)
	_ = w.Write([]string{ // the last flush reports errors
		"file", "session", "models", "calls", "side_calls", "turns", "nodes", "tokens_in", "tokens_out", "tokens_cached", "tokens_label", "tokens_out_label",
		"tools", "left", "cache_breaks", "cache_resent", "recorded", "failed", "missing", "from_cache",
		"cost", "cost_label", "cost_unknown", "cache_misses", "cache_missed", "cache_written", "cache_rewritten", "compactions",
	})
	for i := range rows {
		x := &rows[i]
		n := func(i int64) string { return strconv.FormatInt(i, 10) }
		cost, label, unknown := "", "", ""
		if k := x.Cost; k != nil {
			if label, unknown = string(k.Label), strings.Join(k.Unknown, " "); k.Sums != nil {
				cost = strconv.FormatFloat(k.Total, 'f', -1, 64)
			}
		}
		_ = w.Write([]string{
			x.File, x.Name, strings.Join(x.Models, " "), strconv.Itoa(x.Calls), strconv.Itoa(x.SideCalls), strconv.Itoa(x.Turns), strconv.Itoa(x.Nodes),
			n(x.Tokens.In), n(x.Tokens.Out), n(x.Tokens.Cached), string(x.Tokens.Label), string(x.Tokens.OutLabel), toolList(x.Tools, "="), leftList(x.Left, "="),
			strconv.Itoa(x.Cache.Breaks), n(x.Cache.Resent), strconv.Itoa(x.Recorded), strconv.Itoa(x.Failed), strings.Join(x.Missing, ", "), strconv.Itoa(x.FromCache),
			cost, label, unknown, strconv.Itoa(x.Cache.Misses), n(x.Cache.Missed), n(x.Cache.Written), n(x.Cache.Rewritten), strconv.Itoa(len(x.Compactions)),
		})
	}
	w.Flush()
}

// printStats prints the table.
func (v *statsVerb) printStats(rows []stats.Session, total stats.Session) {
	columns := []verb.Column{
		{Name: "SESSION"}, {Name: "CALLS", Right: true}, {Name: "TURNS", Right: true}, {Name: "TOKENS IN", Right: true}, {Name: "OUT", Right: true},
		{Name: "CACHED", Right: true}, {Name: "COST", Right: true}, {Name: "BROKE", Right: true}, {Name: "LEFT"}, {Name: "TOOLS"},
	}
	var cells [][]string
	for i := range rows {
		name := rows[i].File
		if rows[i].Name != "" {
			name = (&search.Outcome{Path: rows[i].File, Name: rows[i].Name}).Address()
		}
		cells = append(cells, v.statsCells(verb.Visible(name), &rows[i]))
	}
	cells = append(cells, v.statsCells(verb.Count(len(rows), "session"), &total))
	for _, line := range verb.ColumnLines(verb.NewReporter(v.Out, "", "", v.Paints), columns, cells, v.OutWidth) {
		fmt.Fprintln(v.Out, line)
	}
	if text := remarks(&total); text != "" {
		fmt.Fprintln(v.Out, text)
	}
	if text := priceRemarks(total.Cost); text != "" {
		fmt.Fprintln(v.Out, text)
	}
	if v.o.Shares {
		v.printSessionShares(rows, &total)
	}
}

// remarks says what the logs do not record, and which calls failed.
func remarks(x *stats.Session) string {
	var out []string
	if x.Failed > 0 {
		out = append(out, verb.Count(x.Failed, "call")+" failed, and their tokens are not summed")
	}
	if x.FromCache > 0 {
		out = append(out, verb.Count(x.FromCache, "call")+" "+fromCache+", and their tokens are not summed")
	}
	if len(x.Missing) > 0 {
		out = append(out, "not in these logs: "+verb.Visible(strings.Join(x.Missing, ", ")))
	}
	if d := x.Tokens.Session; d > 0 && x.Tokens.Label == calls.Exact && d != x.Tokens.In {
		out = append(out, fmt.Sprintf("the logs themselves sum %d tokens in", d))
	}
	return strings.Join(out, "; ")
}

func (v *statsVerb) statsCells(name string, x *stats.Session) []string {
	calledText := strconv.Itoa(x.Calls)
	if x.SideCalls > 0 {
		calledText += "+" + strconv.Itoa(x.SideCalls)
	}
	tokens := func(n int64, label calls.Label) string {
		switch {
		case v.o.NoTokens && label != calls.Exact && label != calls.AtLeast || n == 0:
			return ""
		}
		return tokenCell(&n, label)
	}
	cached, broke := "", ""
	if x.Tokens.Cached > 0 {
		cached = strconv.FormatInt(x.Tokens.Cached, 10)
		if x.Tokens.IsPart {
			cached = gradeMark(calls.AtLeast) + cached
		}
	}
	if x.Cache.Breaks > 0 {
		broke = strconv.Itoa(x.Cache.Breaks)
	}
	return []string{
		name, calledText, strconv.Itoa(x.Turns), tokens(x.Tokens.In, x.Tokens.Label), tokens(x.Tokens.Out, x.Tokens.OutLabel), cached, sessionCost(x.Cost), broke, leftList(x.Left, " "), toolList(x.Tools, " "),
	}
}

func toolList(list []stats.Tool, sign string) string {
	var out []string
	for _, t := range list {
		text := verb.Visible(t.Name) + sign + strconv.Itoa(t.Calls)
		if t.Errors > 0 {
			text += "/" + strconv.Itoa(t.Errors)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func leftList(list []stats.Left, sign string) string {
	var out []string
	for _, l := range list {
		out = append(out, l.Cause+sign+strconv.Itoa(l.Nodes))
	}
	return strings.Join(out, ", ")
}
