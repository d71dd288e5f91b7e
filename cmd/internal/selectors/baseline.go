package selectors

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

const baselineLong = `Keep a list of known findings. Only new ones are reported.

The configuration names the file (lint.baseline). It counts findings by path, rule and selector, not by line: it stays
valid when other lines change.`

const baselineWriteLong = `Write the current findings into a baseline. It replaces the old content.

` + lintFiles + `

Exit codes: 0 written; 2 the job could not be done.`

const baselinePruneLong = `Remove findings from a baseline that no longer occur. Prune adds nothing.

` + lintFiles + `

Exit codes: 0 nothing to remove, or done; 2 the job could not be done.`

// BaselineName is the file that is written when none is named.
const BaselineName = ".pactkit-baseline.json"

// Baseline returns the verb baseline.
func Baseline(r *verb.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Keep a list of known findings",
		Long:  baselineLong,
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("name a command: write or prune") },
	}
	cmd.AddCommand(
		baselineVerb(r, "write", "Write the current findings into a baseline", baselineWriteLong, "  pactkit baseline write .\n  pactkit baseline write -o known.json src", false),
		baselineVerb(r, "prune", "Remove from a baseline what is no longer found", baselinePruneLong, "  pactkit baseline prune .", true),
	)
	return cmd
}

func baselineVerb(r *verb.Run, name, short, long, example string, prune bool) *cobra.Command {
	v := &lintVerb{Run: r, unformatted: true, lintReport: lintReport{noBaseline: true}}
	out := ""
	cmd := v.command(name, short, long, example)
	cmd.Flags().StringVarP(&out, "output", "o", BaselineName, "the `FILE` of the baseline")
	_ = cmd.Flags().MarkHidden("no-baseline")
	_ = cmd.Flags().MarkHidden("fail-level")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return v.writeBaseline(cmd, args, out, prune) }
	return cmd
}

func (v *lintVerb) writeBaseline(cmd *cobra.Command, args []string, out string, prune bool) error {
	if err := v.prepare(); err != nil {
		return err
	}
	c, err := verb.NewCollector(v.Run, &v.files)
	if err != nil {
		return err
	}
	targets, err := c.Collect(cmd, &v.files, args)
	if err != nil {
		return err
	}
	path := v.Abs(out)
	targets = slices.DeleteFunc(targets, func(t verb.Target) bool { return t.Path == path })
	held := map[known]int{}
	if prune {
		if held, err = readBaseline(path); err != nil {
			v.FailFile(out, err)
			return nil
		}
	}
	counts := map[known]int{}
	looked := map[string]bool{}
	for o := range v.lintAll(cmd.Context(), targets) {
		if o.err != nil {
			v.FailFile(o.Name, o.err)
			continue
		}
		name := baselinePath(path, o.Path)
		looked[name] = true
		for i := range o.result.Findings {
			counts[knownOf(name, &o.result.Findings[i])]++
		}
	}
	if cmd.Context().Err() != nil {
		v.Interrupt("interrupted: no baseline is written")
	}
	if v.Code >= verb.ExitFailed {
		return nil // an incomplete baseline would not hide the findings of the other files
	}
	if prune {
		counts = pruned(held, counts, looked)
	}
	v.Put(out, baselineBytes(counts))
	return nil
}

// pruned returns the entries of a baseline that still occur, and those of files that were not read.
func pruned(held, found map[known]int, looked map[string]bool) map[known]int {
	out := map[known]int{}
	for k, n := range held {
		if looked[k.Path] {
			n = min(n, found[k])
		}
		if n > 0 {
			out[k] = n
		}
	}
	return out
}
