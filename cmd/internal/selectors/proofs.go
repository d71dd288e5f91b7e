package selectors

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/host"
)

// selectorsOf counts the regions of a file that may be selectors of PACT.
func selectorsOf(f *host.File) int {
	n := 0
	for i := range f.Regions {
		if f.Regions[i].Grade() != host.Unproven {
			n++
		}
	}
	return n
}

// noteNone says on a terminal that nothing was recognized in files, lest that be taken for a clean
// result.
func noteNone(r *verb.Run, selectors, files int) {
	if r.ErrTerm && !r.Quiet && selectors == 0 {
		fmt.Fprintf(r.Err, "0 selectors in %s\n", verb.Count(files, "file"))
	}
}

// explainFiles prints what proof each candidate of files has, or lacks.
func (v *lintVerb) explainFiles(ctx context.Context, targets []verb.Target) {
	candidates := 0
	for _, t := range targets {
		if ctx.Err() != nil {
			v.Interrupt("interrupted")
			return
		}
		o := outcome{Target: t}
		if src, ok := o.read(); ok {
			candidates += v.explainText(&o, src)
		} else if o.err != nil {
			v.FailFile(o.Name, o.err)
		} else {
			v.Note("%s is skipped: %s", verb.Visible(o.Name), o.skipped)
		}
	}
	if candidates == 0 {
		fmt.Fprintf(v.Err, "0 candidates in %s\n", verb.Count(len(targets), "file"))
		v.Hint("calls and keys count only in a file with a word of extract.only-with, by default one that begins with pact, such as an import or a comment")
	}
}

// explainText explains the candidates of a source, and returns their number.
func (v *lintVerb) explainText(o *outcome, src string) int {
	f := o.Host.Find(src, o.Config.Markers())
	r := verb.NewReporter(v.Out, o.Name, src, false)
	for i := range f.Regions {
		at := &f.Regions[i]
		line, column := r.Columns.Position(at.Start)
		text := at.Text
		if runes := []rune(text); len(runes) > 60 {
			text = string(runes[:59]) + "…"
		}
		fmt.Fprintf(v.Out, "%s:%d:%d: %s %s: %s", verb.Visible(filepath.ToSlash(o.Name)), line, column, at.Grade(), verb.Visible(strconv.Quote(text)), at.Proof)
		if at.Because != "" {
			fmt.Fprintf(v.Out, "; %s", verb.Visible(at.Because))
			if at.Evidence.Len() > 0 {
				line, column := r.Columns.Position(at.Evidence.Start)
				fmt.Fprintf(v.Out, " (%d:%d)", line, column)
			}
		}
		fmt.Fprintln(v.Out)
	}
	return len(f.Regions)
}
