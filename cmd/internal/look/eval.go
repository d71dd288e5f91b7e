package look

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/parser"
)

const evalLong = `Query a history: print what a selector selects.

The history is the second argument, or named with -f; then all arguments are selectors. Several -f make one history, in the
order of their cycles. By default the fixture of the configuration is used. On a terminal the answer is a table, elsewhere
one id per line; for a range of time it is the differences, as JSON. Several selectors are answered one after the other,
each under its text; as JSON, one value per line.

  ids    one id per line
  json   the array of ids, the differences of a range, or the ids of @mode=latest with their snapshots, in
         canonical bytes and a newline (docs/schemas/eval.json); --json is the same
  jsonl  one JSON value per line: each node with all its members but children, or each difference
  table  id, type, place, and what there is of role, kind, name and content; --columns chooses others
  tree   the nodes within their tree, marked with a star

A type, tag, attribute or control that neither the language nor the history knows is a warning; --quiet turns it off.

--batch answers many selectors, one JSON object per line with the members selector, edition and options, with one
JSON value a line (docs/schemas/batch.json): {"ids":[…]}, {"range":{…}}, {"latest":[…]} or {"error":{…}}. It continues
after an error.

` + open.HistoryForms + `

Exit codes: 0 done, also when nothing is selected; 1 a selector has errors, or no answer; 2 a history cannot be read.`

const evalExample = `  pactkit eval '^seq .block+tool' agent.json               all tool results
  pactkit eval '@t-1 .block[ttl<=1]' agent.json            what expires next, as of the turn before
  pactkit eval '@t0..@t-5 .block' agent.json --json        what changed in the last five turns
  pactkit eval -f agent.json '.block+user' '.block+tool'   two selectors
  pactkit eval -f agent.json --batch questions.jsonl       many at once`

// evalVerb evaluates selectors.
type evalVerb struct {
	*verb.Run
	history  open.HistoryFlags
	selector open.SelectorFlags
	texts    []string
	format   verb.EnumFlag
	json     bool
	batch    string
	columns  []string
	options  rangeFlags
	words    *fixtures.Facts
}

// rangeFlags are the options of ranges.
type rangeFlags struct {
	content     bool
	mode        verb.EnumFlag
	context     int
	materialize []string
	snapshots   int
	changes     int
}

func (f *rangeFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.content, "include-content", false, "of a range: show how content changed")
	verb.AddEnum(cmd, &f.mode, "content-mode", suite.ContentModes, "of a range: how to show it (default unified)")
	flags.IntVar(&f.context, "context-lines", 3, "of a range: unchanged lines around a change")
	flags.StringSliceVar(&f.materialize, "materialize", nil, "of a range: repeat members of changed nodes, a list of `MEMBER,…`: "+strings.Join(suite.Materialized, ", "))
	_ = cmd.RegisterFlagCompletionFunc("materialize", cobra.FixedCompletions(suite.Materialized, cobra.ShellCompDirectiveNoFileComp))
	flags.IntVar(&f.snapshots, "max-snapshots", 0, "of a range: refuse more snapshots than `N` (default no limit)")
	flags.IntVar(&f.changes, "max-changes", 0, "of a range: keep `N` changes of each difference (default all)")
}

// evalOptions checks the flags and returns them as options.
func (f *rangeFlags) evalOptions(cmd *cobra.Command) (eval.Options, error) {
	o := eval.Options{
		IncludeContent: f.content, ContentMode: engine.ContentMode(f.mode.Value), Materialize: f.materialize,
		MaxSnapshots: f.snapshots, MaxChanges: f.changes,
	}
	if cmd.Flags().Changed("context-lines") {
		o.ContextLines = &f.context
	}
	return o, suite.CheckOptions(o)
}

// Eval returns the verb eval.
func Eval(r *verb.Run) *cobra.Command {
	v := &evalVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "eval SELECTOR [FILE] | eval -f FILE SELECTOR...",
		Short:   "Print what a selector selects",
		Long:    evalLong,
		Example: evalExample,
		Args: func(_ *cobra.Command, args []string) (err error) {
			selectors := 1
			if v.batch != "" {
				selectors = 0
			}
			if v.texts, err = v.history.Take(args, selectors); err != nil {
				return err
			}
			switch {
			case v.batch == "" && len(args) == 0:
				return errors.New("nothing to evaluate: name a selector, or a file of them with --batch")
			case v.batch != "" && len(v.texts) > 0:
				return errors.New("a selector and --batch cannot be combined")
			case len(v.texts) > 1 && v.format.Value == "jsonl":
				return errors.New("--format jsonl answers one selector; put it in quotes, or answer many with --batch")
			case v.batch != "" && (v.format.Value != "" || v.json):
				return errors.New("--batch has its own format: --format and --json do not change it")
			case v.json && v.format.Value != "" && v.format.Value != "json":
				return errors.New("--json and --format cannot be combined")
			}
			if err := v.checkColumns(); err != nil {
				return err
			}
			return open.CheckStdin(append(v.history.From, v.batch)...)
		},
		ValidArgsFunction: v.history.CompleteAfter(1),
		RunE:              v.run,
	}
	v.history.AddFrom(cmd)
	verb.AddEnum(cmd, &v.format, "format", []string{"ids", "json", "jsonl", "table", "tree"}, "how to print the answer (default table on a terminal, else ids; json for a range)")
	cmd.Flags().BoolVar(&v.json, "json", false, "the same as --format json")
	cmd.Flags().StringSliceVar(&v.columns, "columns", nil, "the columns of a table, a list of `COLUMN,…`: "+strings.Join(tableColumns, ", ")+", or any attribute")
	_ = cmd.RegisterFlagCompletionFunc("columns", completeColumns)
	cmd.Flags().StringVar(&v.batch, "batch", "", "answer the selectors in `FILE.jsonl`; - is standard input")
	_ = cmd.MarkFlagFilename("batch", "jsonl")
	v.options.add(cmd)
	v.selector.Add(cmd)
	v.history.Add(cmd)
	return cmd
}

func (v *evalVerb) run(cmd *cobra.Command, _ []string) error {
	ctx := cmd.Context()
	if v.json {
		v.format.Value = "json"
	}
	options, err := v.options.evalOptions(cmd)
	if err != nil {
		return err
	}
	cfg, err := v.selector.Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	if err := v.history.OrFixture(cfg); err != nil {
		return err
	}
	t := open.From(ctx, v.Run, &v.history)
	if t == nil {
		return nil
	}
	read := parser.Options{Edition: open.EditionOf(v.selector.Edition.Value, cfg, t), NoLegacy: v.selector.NoLegacy}
	v.words = open.WordFacts(cfg, t)
	if v.batch != "" {
		v.runBatch(ctx, t, read, options)
		return nil
	}
	for i, text := range v.texts {
		if len(v.texts) > 1 && v.format.Value != "json" {
			if i > 0 {
				fmt.Fprintln(v.Out)
			}
			fmt.Fprintf(v.Out, "# %s\n", verb.Visible(text))
		}
		if err := v.evaluate(ctx, t, text, read, options); err != nil {
			return err
		}
	}
	return nil
}

// evaluate prints the answer to one selector, or reports why it has no answer.
func (v *evalVerb) evaluate(ctx context.Context, t *engine.Timeline, text string, read parser.Options, o eval.Options) error {
	_, plan := open.PlanOf(v.Run, text, read)
	if plan == nil {
		return nil
	}
	open.ReportSelector(v.Run, "", text, v.words.Unknown(ctx, text, read.Edition))
	o.Text = text
	result, err := plan.Select(ctx, t, o)
	if err != nil {
		open.FailEval(v.Run, text, err)
		if result != nil && v.formatOf(result) == "json" { // it holds the error
			return v.print(t, result)
		}
		return nil
	}
	open.ReportSelector(v.Run, "", text, result.Warnings)
	return v.print(t, result)
}
