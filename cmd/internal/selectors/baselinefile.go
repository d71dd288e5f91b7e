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

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/members"
)

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
