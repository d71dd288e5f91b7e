package look

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// diffFidelity compares the log of a session with a recording of it.
func (v *diffVerb) diffFidelity(ctx context.Context) error {
	logs := v.sources(ctx, v.files[0], false)
	recorded := v.sources(ctx, v.files[1], true)
	if logs == nil || recorded == nil {
		return nil
	}
	var notes open.NoteGroups
	o := open.SessionOptions(v.Run, &v.history)
	both, err := source.ReadBoth(ctx, logs, recorded, source.Options{MaxBytes: o.MaxBytes, Note: func(n thread.Note) { notes.Add([]thread.Note{n}) }})
	open.ReportGroups(v.Run, v.files[0], &notes)
	switch {
	case errors.Is(err, context.Canceled):
		v.Interrupt("interrupted")
		return nil
	case err != nil:
		open.FailSession(v.Run, v.files[0], err, &v.history)
		return nil
	}
	r := fidelityOf(both)
	r.Session, r.Recording = v.files[0], v.files[1]
	if v.format.Value == "text" || v.format.Value == "" && v.OutTerm {
		v.printFidelity(r)
	} else {
		v.PrintJSON(r)
	}
	if text := r.found(); text != "" {
		v.Find("%s", text)
	}
	return nil
}

// sources returns the logs of model calls that an argument names, or the recordings if it has any.
// It reports what is wrong, and then returns nil.
func (v *diffVerb) sources(ctx context.Context, arg string, records bool) (out [][]source.File) {
	o := open.SessionOptions(v.Run, &v.history)
	var others [][]source.File
	for f, err := range sessions.Files(ctx, []string{arg}, o) {
		var files []source.File
		if err == nil {
			files, _, err = f.Sources(ctx)
		}
		switch {
		case ctx.Err() != nil:
			v.Interrupt("interrupted")
			return nil
		case err != nil && sessions.IsUnknown(err) && !f.IsNamed():
			continue
		case err != nil:
			open.FailSession(v.Run, f.Path, err, &v.history)
			return nil
		}
		wanted := slices.DeleteFunc(slices.Clone(files), func(f source.File) bool { return f.Kind.Records() != records })
		rest := slices.DeleteFunc(files, func(f source.File) bool { return f.Kind.Records() == records })
		if len(wanted) > 0 {
			out = append(out, wanted)
		}
		if len(rest) > 0 {
			others = append(others, rest)
		}
	}
	if len(out) == 0 {
		out = others
	}
	if len(out) == 0 {
		v.Fail("%s: %s", verb.Shown(arg), sessions.NoCalls)
	}
	return out
}

// found describes the differences. It returns "" if the two are equal.
func (r *fidelityReport) found() string {
	var out []string
	if n := len(r.Calls) - r.Equal; n > 0 {
		out = append(out, verb.Count(n, "call")+" not equal")
	}
	for _, x := range [...]struct {
		where string
		list  []fidelityPlace
	}{{"session", r.OnlySession}, {"recording", r.OnlyRecording}} {
		answered := slices.DeleteFunc(slices.Clone(x.list), func(p fidelityPlace) bool { return p.Failed != "" })
		if len(answered) > 0 {
			out = append(out, verb.Count(len(answered), "call")+" only in the "+x.where)
		}
	}
	return strings.Join(out, ", ")
}

// printFidelity prints a line for each call, the differences in its messages and its system prompt,
// and sums.
func (v *diffVerb) printFidelity(r *fidelityReport) {
	paint := verb.NewReporter(v.Out, "", "", v.Paints)
	columns := []verb.Column{{Name: "SESSION", Style: verb.Bold}, {Name: "RECORDING"}, {Name: "PARTS", Right: true}, {Name: "MESSAGES"}, {Name: "SYSTEM"}, {Name: "TOOLS"}, {Name: "SETTINGS"}}
	var rows [][]string
	for _, c := range r.Calls {
		equal := "equal"
		if !c.Equal {
			equal = "differ"
		}
		rows = append(rows, []string{c.Session.short(), c.Recording.short(), fmt.Sprint(c.Parts), equal, string(c.System), string(c.Tools), string(c.Settings)})
	}
	lines := verb.ColumnLines(paint, columns, rows, v.OutWidth)
	if len(rows) > 0 {
		fmt.Fprintln(v.Out, lines[0])
		lines = lines[1:]
	}
	before := ""
	for i, c := range r.Calls {
		fmt.Fprintln(v.Out, lines[i])
		var members []string
		for _, d := range c.Differences {
			if d.What == lacks && !strings.Contains(d.At, ".parts[") {
				members = append(members, d.At)
				continue
			}
			fmt.Fprintln(v.Out, "    "+d.line())
		}
		if text := strings.Join(members, ", "); text != "" && text != before { // most calls lack the same
			before = text
			fmt.Fprintln(v.Out, "    lacks "+verb.Visible(text))
		}
	}
	for _, x := range [...]struct {
		where string
		list  []fidelityPlace
	}{{"session", r.OnlySession}, {"recording", r.OnlyRecording}} {
		for _, p := range x.list {
			fmt.Fprintln(v.Out, strings.TrimRight("only in the "+x.where+": "+p.short()+"  "+verb.Visible(strings.TrimSpace(p.Side+" "+p.failure())), " "))
		}
	}
	fmt.Fprintf(v.Out, "%d of %s equal", r.Equal, verb.Count(len(r.Calls), "call"))
	redacted := 0
	for _, c := range r.Calls {
		redacted += c.Redacted
	}
	if redacted > 0 {
		fmt.Fprintf(v.Out, ", %s except for placeholders", verb.Count(redacted, "part"))
	}
	for _, x := range [...]struct {
		name string
		fidelityCount
	}{{"system prompt", r.System}, {"tools", r.Tools}, {"settings", r.Settings}} {
		fmt.Fprintf(v.Out, "; %s in %d, wrong in %d, missing in %d", x.name, x.Has, x.Wrong, x.Lacks)
	}
	fmt.Fprintf(v.Out, "; %d only in the session, %d only in the recording\n", len(r.OnlySession), len(r.OnlyRecording))
	if len(r.NotRecorded) > 0 {
		fmt.Fprintln(v.Out, "the session does not record: "+verb.Visible(strings.Join(r.NotRecorded, ", ")))
	}
}

func (p fidelityPlace) failure() string {
	if p.Failed == "" {
		return ""
	}
	return "failed: " + p.Failed
}

// short returns the name of a file without its folder, with the line.
func (p fidelityPlace) short() string {
	name := p.File[strings.LastIndexAny(p.File, `/\`)+1:]
	if p.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, p.Line)
	}
	return verb.Visible(name)
}

// line describes a difference in one line.
func (d difference) line() string {
	shown := func(text string) string {
		if r := []rune(text); len(r) > 60 {
			text = string(r[:60]) + "…"
		}
		return verb.Visible(text)
	}
	switch {
	case d.What == lacks:
		return fmt.Sprintf("lacks %s  %s", d.At, shown(d.Sent))
	case d.Sent == "":
		return fmt.Sprintf("never sent: %s  %s", d.At, shown(d.Read))
	}
	return fmt.Sprintf("wrong %s  %s, not %s", d.At, shown(d.Read), shown(d.Sent))
}
