package selectors

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/check"
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

// Extract returns the verb extract.
func Extract(r *verb.Run) *cobra.Command {
	v := &extractVerb{lintVerb: lintVerb{Run: r}}
	cmd := &cobra.Command{
		Use:     "extract [flags] [PATH]...",
		Short:   "List the selectors of files",
		Long:    extractLong,
		Example: extractExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "print one JSON object per line")
	verb.AddSetting(cmd, &v.edition, "edition", "edition", "the revision of the language that selectors are written in")
	v.files.Add(cmd)
	v.files.AddConfig(cmd)
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
	c, err := verb.NewCollector(v.Run, &v.files)
	if err != nil {
		return err
	}
	if stdin, err := v.files.ReadsStdin(args); err != nil {
		return err
	} else if stdin {
		if o, ok := v.lintStdin(cmd.Context(), c); ok {
			v.listOrReport(&o)
		}
		return nil
	}
	targets, err := c.Collect(cmd, &v.files, args)
	if err != nil {
		return err
	}
	done := 0
	for o := range v.lintAll(cmd.Context(), targets) {
		done++
		v.listOrReport(&o)
	}
	if left := len(targets) - done; left > 0 {
		v.Interrupt("interrupted: %s not read", verb.Count(left, "file"))
	}
	return nil
}

// listOrReport lists the selectors of a file, or reports why it cannot be read.
func (v *extractVerb) listOrReport(o *linted) {
	switch {
	case o.err != nil:
		v.FailFile(o.Name, o.err)
	case o.skipped != "":
		v.Note("%s is skipped: %s", verb.Visible(o.Name), o.skipped)
	default:
		v.list(o)
	}
}

func (v *extractVerb) list(o *linted) {
	r := verb.NewReporter(v.Out, o.Name, o.before, false)
	position := func(at int) extractPosition {
		line, column := r.Columns.Position(at)
		return extractPosition{line, column, at}
	}
	for _, s := range o.result.Selectors {
		if s.Bad {
			v.Raise(verb.ExitFindings)
		}
		x := v.describe(o, &s)
		x.Start, x.End = position(s.Start), position(s.End)
		if v.json {
			_, _ = v.Out.Write(append(canonjson.EncodeLine(x), '\n')) // the last flush reports errors
			continue
		}
		text := x.Canonical
		if s.Bad {
			text = "error: " + s.Text
		}
		fmt.Fprintf(v.Out, "%s:%d:%d: %s\n", verb.Visible(o.Name), x.Start.Line, x.Start.Column, verb.Visible(text))
	}
}

func (v *extractVerb) describe(o *linted, s *check.Selector) extracted {
	x := extracted{Path: filepath.ToSlash(o.Name), Host: o.Host.Name(), Text: s.Text, Valid: !s.Bad}
	if !s.Bad {
		x.Canonical = s.Canonical()
	}
	return x
}
