package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/atomicfile"
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
func (s *session) noteNone(selectors, files int) {
	if s.errTerm && !s.quiet && selectors == 0 {
		fmt.Fprintf(s.err, "0 selectors in %s\n", count(files, "file"))
	}
}

// explainFiles prints what proof each candidate of files has, or lacks.
func (v *lintVerb) explainFiles(ctx context.Context, targets []target) {
	candidates := 0
	for _, t := range targets {
		if ctx.Err() != nil {
			v.interrupt("interrupted")
			return
		}
		o := outcome{target: t}
		if src, ok := o.read(); ok {
			candidates += v.explainText(&o, src)
		} else if o.err != nil {
			v.fail("%s: %s", visible(o.name), sanitize(atomicfile.Reason(o.err)))
		} else {
			v.note("%s is skipped: %s", visible(o.name), o.skipped)
		}
	}
	if candidates == 0 {
		fmt.Fprintf(v.err, "0 candidates in %s\n", count(len(targets), "file"))
	}
}

// explainText explains the candidates of a source, and returns their number.
func (v *lintVerb) explainText(o *outcome, src string) int {
	f := o.host.Find(src, o.config.Markers())
	r := newReporter(v.out, o.name, src, false)
	for i := range f.Regions {
		at := &f.Regions[i]
		line, column := r.columns.Position(at.Start)
		text := at.Text
		if runes := []rune(text); len(runes) > 60 {
			text = string(runes[:59]) + "…"
		}
		fmt.Fprintf(v.out, "%s:%d:%d: %s %s: %s", visible(filepath.ToSlash(o.name)), line, column, at.Grade(), visible(strconv.Quote(text)), at.Proof)
		if at.Because != "" {
			fmt.Fprintf(v.out, "; %s", visible(at.Because))
			if at.Evidence.Len() > 0 {
				line, column := r.columns.Position(at.Evidence.Start)
				fmt.Fprintf(v.out, " (%d:%d)", line, column)
			}
		}
		fmt.Fprintln(v.out)
	}
	return len(f.Regions)
}
