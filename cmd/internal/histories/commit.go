package histories

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/operation"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

const commitLong = `Replay mutations and commits on a history, or on an empty one.

What a run adds is appended to the journal of -f, or to the history of a store: all of it or, after an error or a crash,
nothing. With -o the resulting history is written to a new file, in the format of an import; if -f names a history in any
other format, the result is printed.

The script has one operation per line, as JSON; blank lines are skipped. SELECTOR must select exactly one node of the
working state; with a ? at its end it may also select none, and then nothing happens. POSITION is an insertion position.
NODE is written like a node of a snapshot, with its children.

  {"insert": POSITION, "node": NODE}      {"insert": "(d0,0, end)", "node": {"role": "user", "content": "Hello"}}
  {"replace": SELECTOR, "node": NODE}     {"replace": "#plan", "node": {"key": "plan", "content": "new"}}
  {"move": SELECTOR, "to": POSITION}      {"move": "#plan", "to": "(d0, end)"}
  {"delete": SELECTOR}                    {"delete": "#draft?"}
  {"attach": POSITION, "history": ID,     attaches the node of another history of the store that a selector selects: at a
   "of": SELECTOR, "at": "@cN"}           snapshot or, without "at", live; read-only
  {"refresh": true}                       brings live attachments up to date
  {"commit": true}                        {"commit": 3} commits three times
  {"step": true}                          ends a cycle without sealing the turn: a model call of several; {"step": 3}
  {"stop": KEY}                           ends the cadence of a key
  {"hold": ID}, {"release": ID}           keeps a node from expiry and pruning, until it is released

The last element of a position is the slot among the children of the container: end, nothing (first), +N (after child N), -N
(before child N).

The same script on the same history gives the same bytes, given --clock: the first node is made at that time, each further
one a nanosecond later. Ids that the script does not name continue after the highest number in the history, or with --seed
are random: the same seed gives the same ids on the same history. A history that one run writes and another continues is the
same as that of a single run.

With --policy, each commit and step applies the policy, and the journal records what it did and why. Steps that need a
summary do nothing, because commit asks no model.

The whole script is read before the first operation. If an operation fails, the run ends there and nothing is written,
unless --partial requests the operations before it.

Exit codes: 0 done; 1 an operation failed; 2 a file cannot be read or written, or the script has errors.`

const commitExample = `  pactkit commit --script all.jsonl -o new.jsonl                  begin a journal
  pactkit commit --script turn.jsonl -f agent.jsonl               append to it
  pactkit commit --script turn.jsonl -f 'file:agents#17'          append to a history of a store
  pactkit commit --script turn.jsonl -f agent.json -o new.jsonl   continue a history of another form`

// commitVerb replays mutations.
type commitVerb struct {
	*verb.Run
	history open.HistoryFlags
	script  string
	from    string
	out     string
	clock   timeFlag
	seed    uint64
	edition verb.EnumFlag
	system  bool
	partial bool
	policy  open.PolicyFlag
}

// Commit returns the verb commit.
func Commit(r *verb.Run) *cobra.Command {
	v := &commitVerb{Run: r, history: open.HistoryFlags{Stored: true}}
	cmd := &cobra.Command{
		Use:     "commit --script OPS.jsonl [-f IN] [-o OUT]",
		Short:   "Replay mutations and commits on a history",
		Long:    commitLong,
		Example: commitExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return fmt.Errorf("%s: the history is named with -f, the script with --script", verb.Shown(args[0]))
			case v.script == "":
				return errors.New("no script given; name it with --script")
			case v.from != "" && v.edition.Value != "":
				return errors.New("--edition is for an empty history; the history of -f has its own")
			}
			return open.CheckStdin(v.script, v.from)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              v.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&v.script, "script", "", "the `FILE` with the operations; - is standard input")
	_ = cmd.MarkFlagFilename("script", "jsonl")
	flags.StringVarP(&v.from, "file", "f", "", "the history to continue (`FILE`; default an empty one)")
	_ = cmd.MarkFlagFilename("file", "json", "jsonl", "gz", "zst")
	verb.AddOut(cmd, &v.out, "write the history to the file `OUT` (default standard output)")
	flags.Var(&v.clock, "clock", "the time at which the first node is made (default the machine's clock)")
	flags.Uint64Var(&v.seed, "seed", 0, "draw ids at random, beginning with seed `N` (default: ids are numbered)")
	verb.AddEnum(cmd, &v.edition, "edition", []string{ast.Edition10.String(), ast.Edition01.String()}, "the edition of an empty history (default 1.0)")
	flags.BoolVar(&v.system, "system", false, "allow operations below ^sys")
	flags.BoolVar(&v.partial, "partial", false, "write what came before an operation that failed")
	v.policy.Add(cmd, "apply the policy in `FILE` (TOML) to each commit and step")
	v.history.Add(cmd)
	return cmd
}

func (v *commitVerb) run(cmd *cobra.Command, _ []string) error {
	ctx := cmd.Context()
	ops, ok := v.readScript(ctx)
	if !ok {
		return nil
	}
	c, info := v.context(ctx, cmd.Flags().Changed("seed"))
	if c == nil {
		return nil
	}
	if store.IsAddress(v.from) {
		st, _, err := sessions.OpenStore(ctx, v.from, v.Folder)
		if err != nil {
			open.FailHistory(v.Run, v.from, err, &v.history)
			return nil
		}
		defer st.Close()
		c.SetSource(store.Source(st))
	}
	bar := verb.NewProgress(v.Run, len(ops), "operation")
	warned := map[string]bool{}
	for i, op := range ops {
		bar.Show(i)
		for _, w := range op.Node.Warnings() { // only insertions and replacements have warnings
			if !warned[w.Msg] && !v.Quiet {
				warned[w.Msg] = true
				bar.Clear()
				v.warnOp(op, w)
			}
		}
		if _, _, err := op.Run(ctx, operation.In(c)); err != nil {
			bar.Clear()
			if ctx.Err() != nil {
				v.Interrupt("interrupted at %s", op.location)
				return nil
			}
			v.failOp(op, err)
			if !v.partial {
				return nil
			}
			break
		}
	}
	bar.Clear()
	if v.appends(info) {
		open.AppendHistory(ctx, v.Run, v.from, info, c.Engine().History())
	} else {
		open.PutHistory(ctx, v.Run, v.out, open.Written{History: c.Engine().History(), Form: open.FormOf(v.out), Limit: v.history.MaxBytes, About: journal.About{Rules: v.policy.File != ""}})
	}
	return nil
}

// appends reports whether the run appends to the history of -f: it does for a store or a journal,
// unless -o names another file.
func (v *commitVerb) appends(info *journal.Info) bool {
	return info != nil && info.Journal && v.from != verb.StdinName && (v.out == "" || v.out == v.from)
}

// context returns the context that the operations change, and what is known about the file of -f.
// It reports an error and returns nil.
func (v *commitVerb) context(ctx context.Context, seeded bool) (*pactkit.Tree, *journal.Info) {
	o := engine.Options{System: v.system}
	o.Edition, _ = ast.ParseEdition(v.edition.Value) // the flag checked it; "" is 1.0
	if !v.clock.IsZero() {
		o.Clock = func() time.Time { return v.clock.Time } // the engine advances a clock that does not move
	}
	if seeded {
		o.Seed = &v.seed
	}
	if v.from == "" {
		if !v.addPolicy(&o) {
			return nil, nil
		}
		c, err := pactkit.New(o)
		if err != nil {
			v.Fail("%s", verb.Visible(err.Error()))
		}
		return c, nil
	}
	t, info := open.Journal(ctx, v.Run, v.from, &v.history)
	if t == nil {
		return nil, nil
	}
	if v.appends(info) && verb.PackEnding(v.from) != "" {
		v.Fail("%s: a compressed journal cannot grow; name a file for the new history with -o", verb.Shown(v.from))
		return nil, nil
	}
	if o.Edition = t.Edition(); !v.addPolicy(&o) {
		return nil, nil
	}
	c, err := pactkit.FromTimeline(t).Resume(o)
	if err != nil {
		v.Fail("%s: cannot go on with this history: %s", verb.Shown(v.from), verb.Visible(err.Error()))
		return nil, nil
	}
	return c, info
}

// addPolicy adds the policy of the flag to the options. If it reports an error, it returns false.
func (v *commitVerb) addPolicy(o *engine.Options) bool {
	if v.policy.File == "" {
		return true
	}
	p := v.policy.Read(v.Run)
	if p == nil {
		return false
	}
	var err error
	if o.Policy, err = p.Compile(policy.Options{Edition: o.Edition}); err != nil {
		v.Fail("%s: %s", verb.Shown(v.policy.File), verb.Visible(err.Error()))
	}
	return err == nil
}

// line is one line of a script.
type line struct {
	*operation.Operation
	location string // name:line
}

func (v *commitVerb) readScript(ctx context.Context) ([]line, bool) {
	var data []byte
	var err error
	if v.script == verb.StdinName {
		data, err = v.ReadStdin(ctx, v.history.MaxBytes)
	} else {
		data, err = atomicfile.Read(v.Abs(v.script), v.history.MaxBytes)
	}
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		v.Fail("%s: larger than %d bytes [%s]", verb.Visible(v.script), v.history.MaxBytes, engine.ErrFileLimit)
		v.Hint("--max-bytes raises the limit; or split the script, and go on with the history of its first part")
		return nil, false
	case err != nil:
		v.FailFile(v.script, err)
		return nil, false
	}
	var ops []line
	ok, n := true, 0
	for text := range bytes.Lines(bytes.TrimPrefix(data, []byte(verb.ByteOrderMark))) {
		n++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		location := fmt.Sprintf("%s:%d", verb.Visible(v.script), n)
		op, err := operation.Parse(text, operation.Script())
		if err != nil {
			v.Fail("%s: %s", location, verb.Visible(failure.Of(err).Below()))
			if ok = false; len(v.Reasons) >= verb.MaxReported {
				break
			}
			continue
		}
		ops = append(ops, line{op, location})
	}
	return ops, ok
}

// failOp reports an operation that failed.
func (v *commitVerb) failOp(op line, err error) {
	v.Find("%s: %s failed", op.location, op.Name)
	if e, ok := errors.AsType[*pactkit.SelectorError](err); ok {
		open.ReportSelector(v.Run, op.location, e.Text, e.Diagnostics)
		return
	}
	fmt.Fprintf(v.Err, "%s: %s: %s\n", op.location, verb.NewReporter(v.Err, "", "", v.Color).Paint(verb.SeverityStyle[diag.Error], "error"), verb.Visible(failure.Of(err).Below()))
}

// warnOp reports a warning about an operation.
func (v *commitVerb) warnOp(op line, w *engine.Error) {
	fmt.Fprintf(v.Err, "%s: %s: %s\n", op.location, verb.NewReporter(v.Err, "", "", v.Color).Paint(verb.SeverityStyle[diag.Warning], "warning"), verb.Visible(failure.Of(w).Below()))
}
