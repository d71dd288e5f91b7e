package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/plainjson"
)

const extractLong = `List every selector of files, with its location and its canonical form.

` + lintFiles + `

Exit codes: 0 all selectors could be read; 1 some have errors; 2 the job could not be done.`

const extractExample = `  pactkit extract .                 path:line:column: canonical form
  pactkit extract --stdin-filename queries.go - < src/queries.go
  pactkit extract --json src        one JSON object per line (docs/schemas/extract.json)`

// extractVerb lists selectors.
type extractVerb struct {
	lintVerb
	json bool
}

func (s *session) extractCommand() *cobra.Command {
	v := &extractVerb{lintVerb: lintVerb{session: s}}
	cmd := &cobra.Command{
		Use:     "extract [flags] [PATH]...",
		Short:   "List the selectors of files",
		Long:    extractLong,
		Example: extractExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "print one JSON object per line")
	addSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.add(cmd)
	v.files.addConfig(cmd)
	return cmd
}

// extracted is one selector, as JSON.
type extracted struct {
	Path      string          `json:"path"`
	Host      string          `json:"host"`
	Start     extractPosition `json:"start"`
	End       extractPosition `json:"end"`
	Text      string          `json:"text"`
	Canonical string          `json:"canonical,omitempty"`
	Valid     bool            `json:"valid"`
}

type extractPosition struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // in characters, from 1
	Offset int `json:"offset"` // in bytes, from 0
}

func (v *extractVerb) run(cmd *cobra.Command, args []string) error {
	c, err := newCollector(v.session, &v.files)
	if err != nil {
		return err
	}
	if stdin, err := v.files.readsStdin(args); err != nil {
		return err
	} else if stdin {
		if o, ok := v.lintStdin(cmd.Context(), c); ok {
			v.listOrReport(&o)
		}
		return nil
	}
	targets, err := c.collect(cmd, &v.files, args)
	if err != nil {
		return err
	}
	done := 0
	for o := range v.lintAll(cmd.Context(), targets) {
		done++
		v.listOrReport(&o)
	}
	if left := len(targets) - done; left > 0 {
		v.interrupt("interrupted: %s not read", count(left, "file"))
	}
	return nil
}

// listOrReport lists the selectors of a file, or reports why it cannot be read.
func (v *extractVerb) listOrReport(o *linted) {
	switch {
	case o.err != nil:
		v.fail("%s: %s", visible(o.name), sanitize(atomicfile.Reason(o.err)))
	case o.skipped != "":
		v.note("%s is skipped: %s", visible(o.name), o.skipped)
	default:
		v.list(o)
	}
}

func (v *extractVerb) list(o *linted) {
	r := newReporter(v.out, o.name, o.before, false)
	position := func(at int) extractPosition {
		line, column := r.columns.Position(at)
		return extractPosition{line, column, at}
	}
	for _, s := range o.result.Selectors {
		if s.Bad {
			v.raise(exitFindings)
		}
		x := v.describe(o, &s)
		x.Start, x.End = position(s.Start), position(s.End)
		if v.json {
			_, _ = v.out.Write(append(plainjson.Line(x), '\n')) // the last flush reports errors
			continue
		}
		text := x.Canonical
		if s.Bad {
			text = "error: " + s.Text
		}
		fmt.Fprintf(v.out, "%s:%d:%d: %s\n", visible(o.name), x.Start.Line, x.Start.Column, visible(text))
	}
}

func (v *extractVerb) describe(o *linted, s *check.Selector) extracted {
	x := extracted{Path: filepath.ToSlash(o.name), Host: o.host.Name(), Text: s.Text, Valid: !s.Bad}
	if !s.Bad {
		x.Canonical = s.Canonical()
	}
	return x
}
