package histories

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// salvageReport describes what was salvaged from a damaged journal.
type salvageReport struct {
	File      string        `json:"file"`
	Out       string        `json:"out"`
	Snapshots int           `json:"snapshots"`
	Cycles    []cycleRun    `json:"cycles"`
	Lost      []salvageSpan `json:"lost"`
	Repaired  []salvageSpan `json:"repaired"`
}

// salvageSpan is a part of a file.
type salvageSpan struct {
	File   string    `json:"file"`
	Line   int       `json:"line,omitempty"`
	Lines  int       `json:"lines,omitempty"`
	From   int64     `json:"from"`
	Bytes  int64     `json:"bytes"`
	Cycles *cycleRun `json:"cycles,omitempty"`
	Why    string    `json:"why"`
}

// cycleRun is the cycles from First to Last.
type cycleRun struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

func (c cycleRun) String() string {
	if c.First == c.Last {
		return fmt.Sprintf("cycle %d", c.First)
	}
	return fmt.Sprintf("cycles %d to %d", c.First, c.Last)
}

// salvage writes the intact part of a damaged journal. If it reports an error, it returns nil.
func (v *validateVerb) salvage(name string) *salvageReport {
	path := sessions.FileOf(sessions.Rooted(name, v.Folder))
	if path == "" {
		v.Fail("%s: --salvage reads the file of a journal", verb.Shown(name))
		return nil
	}
	if _, err := atomicfile.Lstat(v.Abs(v.out)); !errors.Is(err, fs.ErrNotExist) {
		v.failExists()
		return nil
	}
	done := v.Working(func() string { return "reading " + verb.Shown(name) })
	s, err := store.Salvage(path, v.history.MaxBytes)
	done()
	report := v.salvaged(name, s)
	if err == nil {
		err = atomicfile.CreateFrom(v.Abs(v.out), func(w io.Writer) error { return writeFrames(verb.PackTo(v.out, w), s.Frames) })
		if errors.Is(err, fs.ErrExist) {
			v.failExists()
			return nil
		}
		if err != nil {
			v.FailFile(v.out, err)
			return nil
		}
	}
	if err != nil {
		if e, ok := errors.AsType[*engine.Error](err); ok {
			e.File = verb.Shown(name)
		}
		open.FailHistory(v.Run, name, err, &v.history)
		if verb.PackEnding(name) != "" {
			v.Hint("decompress it first; 'gzip -dc' and 'zstd -dc' write what can be read of a damaged file")
		}
		if !errors.Is(err, journal.ErrLost) {
			return nil
		}
		report.Out = ""
	}
	if len(report.Lost) > 0 {
		v.Find("%s: %s lost", verb.Shown(name), verb.Count(len(report.Lost), "part"))
	}
	return report
}

// writeFrames writes the lines of a journal, and closes w.
func writeFrames(w io.WriteCloser, frames []journal.Frame) error {
	for _, f := range frames {
		if _, err := w.Write(f.AppendLine(nil)); err != nil {
			return err
		}
	}
	return w.Close()
}

func (v *validateVerb) failExists() {
	v.Fail("%s: it exists, and --salvage overwrites nothing", verb.Shown(v.out))
}

// salvaged returns the report on a journal.
func (v *validateVerb) salvaged(name string, s store.Salvaged) *salvageReport {
	report := &salvageReport{File: name, Out: v.out, Snapshots: len(s.Cycles), Cycles: runsOf(s.Cycles), Lost: []salvageSpan{}, Repaired: []salvageSpan{}}
	for _, path := range s.Gone {
		report.Lost = append(report.Lost, salvageSpan{File: v.Name(path), Why: "the file does not exist, and the fork begins in it"})
	}
	list := func(spans []journal.Span) (out []salvageSpan) {
		for _, p := range spans {
			one := salvageSpan{File: v.Name(s.Files[p.Part]), Line: p.Line, Lines: p.Lines, From: p.From, Bytes: p.Bytes, Why: p.Why}
			if p.First >= 0 {
				one.Cycles = &cycleRun{p.First, p.Last}
			}
			out = append(out, one)
		}
		return out
	}
	report.Lost = append(report.Lost, list(s.Lost)...)
	report.Repaired = append(report.Repaired, list(s.Repaired)...)
	return report
}

// print prints the report as text.
func (r *salvageReport) print(w io.Writer) {
	for _, p := range r.Repaired {
		fmt.Fprintf(w, "%s:%d: repaired: %s\n", verb.Visible(p.File), p.Line, p.Why)
	}
	for _, p := range r.Lost {
		where := verb.Visible(p.File)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		fmt.Fprintf(w, "%s: lost: ", where)
		if p.Bytes > 0 {
			fmt.Fprintf(w, "%s from byte %d", verb.Count(int(p.Bytes), "byte"), p.From)
			if p.Lines > 1 {
				fmt.Fprintf(w, " in %d lines", p.Lines)
			}
			if p.Cycles != nil {
				fmt.Fprintf(w, ", %v", p.Cycles)
			}
			fmt.Fprint(w, ": ")
		}
		fmt.Fprintln(w, p.Why)
	}
	if r.Out == "" {
		return
	}
	fmt.Fprintf(w, "%s: salvaged as %s: %s", verb.Visible(r.File), verb.Shown(r.Out), verb.Count(r.Snapshots, "snapshot"))
	for _, c := range r.Cycles {
		fmt.Fprintf(w, ", %v", c)
	}
	fmt.Fprintln(w)
}
