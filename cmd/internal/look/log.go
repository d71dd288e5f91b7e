package look

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

const logLong = `List the model calls of histories and logs: what each was sent, and what happened since the previous call.

Each line is a call: the cycle of its snapshot (@cN, as 'pactkit show' and selectors take it), its time, the model, the
number of messages it was sent, the tokens sent, answered and read from the cache, and how much of the window of the model
that is, as far as the log, the configuration or a table of models says how large the window is. Numbers after ~ are estimates: if the
log does not record them, texts are counted, with the vocabulary of the model or another one, and added to the last number
that the log has. A number after ≥ is that of a part of an answer, and the log has more of it. +3 -41 ~1 means that 3 nodes
are new, 41 left and 1 changed. Then come the reasons: the cause of what left (with a question mark if it is inferred from
the requests, and not stated in the log), changed settings, and where the prefix that the call shares with the previous one
ends, if it does not contain all of that: "cache broke at".

A line without a model is a state that no call was sent: after an answer that the next call lacks a part of, after something
that the log states, such as a compaction, a rewind or an interrupt, and at the end of the log. Cycles count states, too, and
the changes of a line are those since the line before it.

A side call, such as that of a summarizer, is compared with the call before it, and so is the call after it. In a history
that records no calls each snapshot counts as one.

The last line says what of the calls is not in the log, such as the system prompt and the tools of Claude Code, and how many
tokens of each call that is: what the provider counted in addition to the texts of the first call. Calls that failed are
listed, and not summed.

--stat adds what fills the window of each call, as a tree: tokens by role, tool and file, as 'pactkit show' has it. -p adds
the nodes that entered, left or changed. --cache shows instead how much of each call a provider's cache could reuse, how
much was read from it according to the log, what ended the prefix or was not read though it was there, and the cost, at the
prices in the configuration or in a dated table of models. The cost of other models is ?.
--compactions shows instead how many tokens were there before and after each compaction, how much of the window was free, what
left, and which results were fetched again later: the same tool with the same arguments, or for the same file.
--json prints one object per line for each call and state (docs/schemas/log.json).

--follow goes on with the calls that are added to the session, those of agents that it starts, too, each file as a log of
its own. A line comes when its call is answered and nothing was written for a second, or the next call was sent; it comes
again if it changes later. A file that was replaced begins anew. A file that grows is read again as a whole, in at most a
fifth of the time.

` + open.SessionForms + ` Without a FILE it is last.

Exit codes: 0 done, also if Ctrl-C ended --follow; 2 a file cannot be read, or has no calls.`

const logExample = `  pactkit log session.jsonl                     the calls of a session of Claude Code
  pactkit log -f                                the newest session of this folder, as it goes on
  pactkit log logs --cache                      of all logs below a folder, and what the cache could use
  pactkit log run.eval#1 -p                     with the nodes that entered and left
  pactkit log session.jsonl --json | jq .tokens.in`

// logVerb lists model calls.
type logVerb struct {
	*verb.Run
	logs        open.SessionFlags
	files       verb.FileFlags
	stat        bool
	patch       bool
	cache       bool
	compactions bool // list these, and nothing else
	json        bool
	follow      bool
	prices      prices.Table
	windows     prices.Windows
	shown       int // sessions
	bare        open.Unrecorded
}

// Log returns the verb log.
func Log(r *verb.Run) *cobra.Command {
	v := &logVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "log [FILE]…",
		Short:   "List the model calls: tokens, what entered, what left and why",
		Long:    logLong,
		Example: logExample,
		Args: func(_ *cobra.Command, args []string) error {
			if v.json && (v.patch || v.cache) {
				return errors.New("--json has all that --cache and -p show; leave them out")
			}
			if v.compactions && (v.json || v.patch || v.stat || v.cache) {
				return errors.New("--compactions is a table of its own; leave the other flags out ('pactkit stats --json' has it as JSON)")
			}
			if v.cache && (v.patch || v.stat) {
				return errors.New("--cache is a table of its own; leave -p and --stat out")
			}
			if v.follow && (v.cache || v.compactions || len(args) > 1) {
				return errors.New("--follow prints the calls of one session as they come; leave --cache, --compactions and the other files out")
			}
			return open.CheckStdin(args...)
		},
		ValidArgsFunction: open.CompleteSessions(-1),
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	cmd.Flags().BoolVar(&v.stat, "stat", false, "add what fills the window: tokens by role, tool and file")
	cmd.Flags().BoolVarP(&v.patch, "patch", "p", false, "add the nodes that entered, left or changed")
	cmd.Flags().BoolVar(&v.cache, "cache", false, "show what a provider's cache could use again, and what that cost")
	cmd.Flags().BoolVar(&v.compactions, "compactions", false, "show what each compaction took away, and what was fetched again later")
	cmd.Flags().BoolVar(&v.json, "json", false, "print one object per line for each call and state (docs/schemas/log.json)")
	cmd.Flags().BoolVarP(&v.follow, "follow", "f", false, "go on with the calls that are added, until Ctrl-C")
	v.logs.AddMany(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *logVerb) run(ctx context.Context, args []string) error {
	cfg, err := (&open.SelectorFlags{Files: v.files}).Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	v.prices, v.windows = cfg.Prices(), cfg.Windows()
	if len(args) == 0 {
		if args = cfg.Fixtures(); len(args) == 0 {
			args = []string{recent.Last}
		}
	}
	if v.follow {
		v.followSession(ctx, args[0])
		return nil
	}
	open.EachSession(ctx, v.Run, args, &v.logs, func(x sessions.Session) bool {
		isOnly := len(args) == 1 && x.Path == args[0] && x.Name == ""
		return v.printSession(ctx, x, isOnly)
	})
	v.bare.Report(v.Run)
	return nil
}

// options returns the options for the calls of a session.
func (v *logVerb) options(x sessions.Session) calls.Options {
	return calls.Options{History: x.Address(), Prices: v.prices, Windows: v.windows, Shares: v.stat, Cache: v.cache || v.json, States: true}
}

// printSession prints the calls of one session. It returns false if the run is over.
func (v *logVerb) printSession(ctx context.Context, x sessions.Session, isOnly bool) bool {
	if !v.bare.Check(v.Run, x.Address(), x.Timeline) {
		return true
	}
	var list []*calls.Call
	done := v.Working(func() string { return fmt.Sprintf("counting tokens: %s", verb.Count(len(list), "call")) })
	for c, err := range calls.Of(ctx, x.Timeline, v.options(x)) {
		if err != nil {
			done()
			v.Interrupt("interrupted")
			return false
		}
		if v.json {
			_, _ = v.Out.Write(append(c.AppendJSON(nil), '\n')) // the last flush reports errors
			continue
		}
		list = append(list, c)
	}
	done()
	if v.json {
		return true
	}
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	if v.shown++; v.shown > 1 {
		fmt.Fprintln(v.Out)
	}
	if !isOnly {
		v.printHeading(r, x)
	}
	if text := open.ForkText(x.Timeline); text != "" {
		fmt.Fprintln(v.Out, text)
	}
	if v.cache {
		v.printCache(r, list)
	} else if v.compactions {
		v.printCompactions(r, list)
	} else {
		v.printLog(r, list)
	}
	return true
}

// printHeading names a session.
func (v *logVerb) printHeading(r *verb.Reporter, x sessions.Session) {
	title := ""
	if x.Title != "" && x.Title != x.Name {
		title = "  " + verb.Clip(verb.Visible(x.Title), verb.MaxCell)
	}
	fmt.Fprintln(v.Out, r.Paint(verb.Bold, verb.Shown(x.Address()))+title)
}
