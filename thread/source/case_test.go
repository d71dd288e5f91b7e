package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// TestCases runs testdata/source/*.txtar, archives in the form of package testkit. The files in an
// archive are put into groups. want.calls has a line for each call, with its number, line, side
// call or conversation, and its messages by node, followed by a line for each difference from the
// previous call.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../../testdata/source/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			var notes []string
			o := source.Options{Note: func(n thread.Note) { notes = append(notes, n.String()+"\n") }}
			groups, err := source.Group(t.Context(), filesOf(c), o)
			if err != nil {
				t.Fatal(err)
			}
			var want []txtar.File
			show := func(name, text string) {
				if text != "" {
					want = append(want, testkit.Want(name, text))
				}
			}
			var b strings.Builder
			for _, files := range groups {
				var calls []*series.Step
				calls, err = trackFiles(t, files, o)
				if len(groups) > 1 {
					b.WriteString("group:")
					for _, f := range files {
						b.WriteString(" " + f.Name)
					}
					b.WriteByte('\n')
				}
				for i, items := range replay(t, calls) {
					describe(&b, files[0].Name, calls[i], items)
				}
			}
			show("calls", b.String())
			show("notes", strings.Join(notes, ""))
			if err != nil {
				show("error", err.Error()+"\n")
			}
			c.Golden(t, want...)
		})
	}
}

// filesOf returns the files of a case.
func filesOf(c *testkit.Case) []source.File {
	var out []source.File
	for _, f := range c.Archive.Files {
		if f.Name != "want" && !strings.HasPrefix(f.Name, "want.") {
			out = append(out, source.Bytes(f.Name, f.Data))
		}
	}
	return out
}

// describe writes the lines for a step. first is the name of the first file of its group.
func describe(b *strings.Builder, first string, c *series.Step, items []series.Item) {
	if c.Origin.Sample != "" {
		b.WriteString(c.Origin.Sample + " ")
	}
	if e := c.Event; e != nil {
		b.WriteString(strings.TrimSpace(e.Kind + " " + e.Trigger))
		if e.Before > 0 {
			fmt.Fprintf(b, " %d tokens before", e.Before)
		}
		if e.After > 0 {
			fmt.Fprintf(b, " %d after", e.After)
		}
	} else {
		fmt.Fprintf(b, "call %d", c.Number)
	}
	if c.Event != nil || c.Cycle != int64(c.Number+1) {
		fmt.Fprintf(b, " @c%d", c.Cycle)
	}
	if c.Origin.File != first && c.Event == nil {
		fmt.Fprintf(b, " %s call %d", c.Origin.File, c.Origin.Call)
	}
	if c.Origin.Line > 0 {
		fmt.Fprintf(b, " line %d", c.Origin.Line)
	}
	if name := c.Request.ConversationID; name != "" {
		fmt.Fprintf(b, " %s", name)
	} else if c.Conversation > 0 {
		fmt.Fprintf(b, " conversation %d", c.Conversation)
	}
	if c.Side != nil {
		fmt.Fprintf(b, " %s side of @c%d", c.Side.Kind, c.Side.Of)
	}
	if c.Model != "" {
		fmt.Fprintf(b, " %s", c.Model)
	}
	if !c.Time.IsZero() {
		fmt.Fprintf(b, " %s", c.Time.Format("15:04:05.999"))
	}
	if c.Failed != "" {
		fmt.Fprintf(b, " failed %q", c.Failed)
	}
	if c.FromCache {
		b.WriteString(" from a cache")
	}
	if c.Window > 0 {
		fmt.Fprintf(b, " window %d", c.Window)
	}
	b.WriteString(":")
	for _, item := range items { // a + joins the parts of a message
		b.WriteString(map[bool]string{false: " ", true: "+"}[item.Index() > 0] + item.ID)
	}
	b.WriteByte('\n')
	why := func(d series.Departure) string {
		out := string(d.Reason)
		if d.By != nil {
			out += " into " + d.By.ID
		}
		if d.Inferred {
			out += " (inferred)"
		}
		return out
	}
	value := func(at int) string {
		if x := items[at]; x.Index() == 0 && (at+1 == len(items) || items[at+1].Index() == 0) {
			return x.Message().Value
		}
		return items[at].Part.Value
	}
	for _, e := range c.Entered {
		fmt.Fprintf(b, "  + %s %s\n", e.ID, value(e.At))
	}
	for _, d := range c.Left {
		fmt.Fprintf(b, "  - %s %s\n", d.ID, why(d))
	}
	for _, m := range c.Moved {
		fmt.Fprintf(b, "  > %s from %d to %d\n", m.ID, m.From, m.To)
	}
	for _, ch := range c.Changed {
		fmt.Fprintf(b, "  ~ %s %s %s\n", ch.ID, why(series.Departure{Reason: ch.Reason, Inferred: ch.Inferred}), value(ch.At))
	}
	for _, r := range c.Reformed {
		fmt.Fprintf(b, "  = %s %s\n", r.ID, value(r.At))
	}
	for _, s := range c.Starts {
		fmt.Fprintf(b, "  * %s starts %s\n", s.Call, s.ConversationID)
	}
	if by := c.By; by != nil {
		fmt.Fprintf(b, "  * started by @c%d of %s, %s\n", c.Caller, by.ConversationID, by.Call)
	}
	for _, s := range c.ChangedSettings {
		fmt.Fprintf(b, "  %s: %s -> %s\n", s.Name, s.Before, s.After)
	}
}
