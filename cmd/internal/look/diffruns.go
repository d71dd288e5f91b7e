package look

import (
	"context"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/sessions"
)

// diffRuns compares two runs whose nodes were numbered independently.
func (v *diffVerb) diffRuns(ctx context.Context, a, b *sessions.Session) {
	var bare open.Unrecorded
	if !bare.Check(v.Run, a.Address(), a.Timeline) || !bare.Check(v.Run, b.Address(), b.Timeline) {
		return
	}
	bare.Report(v.Run)
	runs, err := calls.CompareRuns(ctx, a.Timeline, b.Timeline, a.Address(), b.Address())
	if err != nil {
		v.Interrupt("interrupted")
		return
	}
	if v.format.Value == "text" || v.format.Value == "" && v.OutTerm {
		v.printRuns(runs)
	} else {
		v.PrintJSON(runs)
	}
}

// parts says what two runs differ in first.
var parts = map[string]string{
	"answer": "then the model answers differently", "result": "then the results of a tool differ", "message": "then the messages differ",
	"system": "then the system prompts differ", "left": "then other nodes leave", "changed": "then other nodes change", "end": "then one of them ends",
}

func (v *diffVerb) printRuns(runs *calls.Runs) {
	r := verb.NewReporter(v.Out, "", "", v.Paints)
	var rows [][]string
	for _, x := range [...]struct {
		name string
		run  calls.Run
	}{{"a", runs.A}, {"b", runs.B}} {
		rows = append(rows, []string{x.name, verb.Count(x.run.Calls, "call"), verb.Count(x.run.Nodes, "node"), verb.Shown(x.run.History)})
	}
	columns := []verb.Column{{Style: verb.Bold}, {Right: true}, {Right: true}, {}}
	for _, line := range verb.ColumnLines(r, columns, rows, v.OutWidth)[1:] {
		fmt.Fprintln(v.Out, line)
	}
	if len(runs.Settings) > 0 {
		fmt.Fprintln(v.Out, "settings differ: "+verb.Visible(strings.Join(runs.Settings, ", ")))
	}
	same := verb.Count(runs.SameCalls, "call")
	if p := runs.Parted; p == nil {
		fmt.Fprintf(v.Out, "the same: %s, %s\n", same, verb.Count(runs.SameNodes, "node"))
	} else {
		fmt.Fprintf(v.Out, "%s sent the same; %s\n", same, parts[p.What])
		v.printPart("a", p.A, p.NodeA)
		v.printPart("b", p.B, p.NodeB)
	}
	v.printSteps(r, runs)
}

func (v *diffVerb) printPart(name string, at *calls.CallRef, node string) {
	line := "  " + name
	if at == nil {
		fmt.Fprintln(v.Out, strings.TrimRight(line+"  after the last call  "+verb.Visible(node), " "))
		return
	}
	line += fmt.Sprintf("  @c%d", at.Cycle)
	for _, part := range []string{sourceText(at.Source), verb.Visible(node)} {
		if part != "" {
			line += "  " + part
		}
	}
	fmt.Fprintln(v.Out, line)
}

// printSteps prints the nodes of which the runs differ; the others are counted.
func (v *diffVerb) printSteps(r *verb.Reporter, runs *calls.Runs) {
	same := 0
	skip := func() {
		if same > 0 {
			fmt.Fprintf(v.Out, "    %s the same\n", verb.Count(same, "node"))
		}
		same = 0
	}
	onlyA, onlyB := 0, 0
	for _, s := range runs.Nodes {
		if !s.Differs() {
			same++
			continue
		}
		skip()
		switch {
		case s.B == nil:
			onlyA++
			fmt.Fprintln(v.Out, open.RemovedLine(r, s.A.Node)+fmt.Sprintf("  (a @c%d)", s.A.Entered))
		case s.A == nil:
			onlyB++
			fmt.Fprintln(v.Out, open.AddedLine(r, s.B.Node)+fmt.Sprintf("  (b @c%d)", s.B.Entered))
		default:
			rest := open.SummaryOf(s.A.Node) + "  " + stayText("a", s.A) + "; " + stayText("b", s.B)
			fmt.Fprintln(v.Out, open.ChangeLine(r, "33", "~", s.A.Node, rest))
		}
	}
	skip()
	fmt.Fprintf(v.Out, "%s in both, %d in a alone, %d in b alone\n", verb.Count(runs.SameNodes, "node"), onlyA, onlyB)
}

// stayText says how the stay of a node in a run ended.
func stayText(name string, s *calls.Stay) string {
	if s.Left == 0 {
		return name + " kept it"
	}
	return fmt.Sprintf("%s lost it at @c%d (%s)", name, s.Left, open.BecauseOf(calls.Departure{Cause: s.Cause, By: s.By}))
}
