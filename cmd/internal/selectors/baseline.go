package selectors

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/members"
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

// maxBaselineSize is the size over which a baseline is refused.
const maxBaselineSize = 64 << 20

// known is an entry of a baseline: one kind of finding.
type known struct {
	Path     string `json:"path"` // with slashes, from the folder of the baseline
	Rule     string `json:"rule"`
	Selector string `json:"selector"` // SHA-256 of the canonical text, hex
}

// baselineFile is the form of a baseline on disk.
type baselineFile struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"` // sorted
}

type baselineEntry struct {
	known
	Count int `json:"count"`
}

func knownOf(path string, f *check.Finding) known {
	sum := sha256.Sum256([]byte(f.Selector))
	return known{path, f.Rule.ID, hex.EncodeToString(sum[:])}
}

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

// baselinePath is the name of a file in a baseline.
func baselinePath(baseline, path string) string {
	if rel, err := filepath.Rel(filepath.Dir(baseline), path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

func baselineBytes(counts map[known]int) []byte {
	file := baselineFile{Version: 1, Findings: []baselineEntry{}}
	for k, n := range counts {
		file.Findings = append(file.Findings, baselineEntry{k, n})
	}
	slices.SortFunc(file.Findings, func(a, b baselineEntry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Selector, b.Selector))
	})
	return canonjson.EncodeIndented(file)
}

func readBaseline(path string) (map[known]int, error) {
	data, err := atomicfile.Read(path, maxBaselineSize)
	if err != nil {
		return nil, err
	}
	counts := map[known]int{}
	version := 0
	finding := func(s *canonjson.Scanner) error {
		var e baselineEntry
		err := members.Object{
			"path": members.String(&e.Path), "rule": members.String(&e.Rule), "selector": members.String(&e.Selector),
			"count": members.Count(&e.Count),
		}.Value()(s)
		counts[e.known] += e.Count
		return err
	}
	if _, err := engine.JSON(data); err != nil { // its errors have the codes of JSON
		return nil, fmt.Errorf("it is not a baseline: line %w", err)
	}
	err = members.Read(string(data), members.Object{"version": members.Count(&version), "findings": members.List(finding)})
	if e, ok := errors.AsType[*members.Error](err); ok {
		err = &engine.Error{Code: engine.ErrFileShape, Path: e.Path, Line: e.Line, Msg: e.Msg}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is not a baseline: line %w", err)
	case version != 1:
		return nil, fmt.Errorf("it is a baseline of version %d, and this program reads version 1", version)
	}
	return counts, nil
}

// baselines are the known findings of configurations, each file read once.
type baselines struct {
	*verb.Run
	files map[string]map[known]int // by path; the findings not yet matched
}

func newBaselines(r *verb.Run) *baselines {
	return &baselines{Run: r, files: map[string]map[known]int{}}
}

// baseline holds the known findings of one file.
type baseline struct {
	paths  []string
	counts []map[known]int
	folder string
}

// of returns what the configuration of a file names. A baseline that cannot be read is reported
// once; one that is not there yet is empty.
func (b *baselines) of(cfg *config.Config) *baseline {
	out := &baseline{folder: b.Folder}
	for _, path := range cfg.Baseline() {
		counts, ok := b.files[path]
		if !ok {
			var err error
			if counts, err = readBaseline(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				b.FailFile(b.Name(path), err)
			}
			b.files[path] = counts
		}
		out.paths, out.counts = append(out.paths, path), append(out.counts, counts)
	}
	return out
}

// unknown returns the findings that no baseline holds. Each use of an entry uses it up.
func (b *baseline) unknown(path string, found []check.Finding) []check.Finding {
	if len(b.paths) == 0 {
		return found
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.folder, filepath.FromSlash(path))
	}
	return slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool {
		for i, file := range b.paths {
			k := knownOf(baselinePath(file, path), &f)
			if b.counts[i][k] > 0 {
				b.counts[i][k]--
				return true
			}
		}
		return false
	})
}
