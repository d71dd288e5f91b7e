package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/sessions"
)

// diffRuns compares two runs whose nodes were numbered independently.
func (v *diffVerb) diffRuns(ctx context.Context, a, b *sessions.Session) {
	var bare unrecorded
	if !bare.check(v.session, a.Address(), a.Timeline) || !bare.check(v.session, b.Address(), b.Timeline) {
		return
	}
	bare.report(v.session)
	runs, err := calls.CompareRuns(ctx, a.Timeline, b.Timeline, a.Address(), b.Address())
	if err != nil {
		v.interrupt("interrupted")
		return
	}
	if v.format.value == "text" || v.format.value == "" && v.outTerm {
		v.printRuns(runs)
	} else {
		v.printJSON(runs)
	}
}

// parts says what two runs differ in first.
var parts = map[string]string{
	"answer": "then the model answers differently", "result": "then the results of a tool differ", "message": "then the messages differ",
	"system": "then the system prompts differ", "left": "then other nodes leave", "changed": "then other nodes change", "end": "then one of them ends",
}

func (v *diffVerb) printRuns(runs *calls.Runs) {
	r := newReporter(v.out, "", "", v.paints)
	var rows [][]string
	for _, x := range [...]struct {
		name string
		run  calls.Run
	}{{"a", runs.A}, {"b", runs.B}} {
		rows = append(rows, []string{x.name, count(x.run.Calls, "call"), count(x.run.Nodes, "node"), shown(x.run.History)})
	}
	columns := []column{{style: bold}, {right: true}, {right: true}, {}}
	for _, line := range columnLines(r, columns, rows, v.outWidth)[1:] {
		fmt.Fprintln(v.out, line)
	}
	if len(runs.Settings) > 0 {
		fmt.Fprintln(v.out, "settings differ: "+visible(strings.Join(runs.Settings, ", ")))
	}
	same := count(runs.SameCalls, "call")
	if p := runs.Parted; p == nil {
		fmt.Fprintf(v.out, "the same: %s, %s\n", same, count(runs.SameNodes, "node"))
	} else {
		fmt.Fprintf(v.out, "%s sent the same; %s\n", same, parts[p.What])
		v.printPart("a", p.A, p.NodeA)
		v.printPart("b", p.B, p.NodeB)
	}
	v.printSteps(r, runs)
}

func (v *diffVerb) printPart(name string, at *calls.CallRef, node string) {
	line := "  " + name
	if at == nil {
		fmt.Fprintln(v.out, strings.TrimRight(line+"  after the last call  "+visible(node), " "))
		return
	}
	line += fmt.Sprintf("  @c%d", at.Cycle)
	for _, part := range []string{sourceText(at.Source), visible(node)} {
		if part != "" {
			line += "  " + part
		}
	}
	fmt.Fprintln(v.out, line)
}

// printSteps prints the nodes of which the runs differ; the others are counted.
func (v *diffVerb) printSteps(r *reporter, runs *calls.Runs) {
	same := 0
	skip := func() {
		if same > 0 {
			fmt.Fprintf(v.out, "    %s the same\n", count(same, "node"))
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
			fmt.Fprintln(v.out, removedLine(r, s.A.Node)+fmt.Sprintf("  (a @c%d)", s.A.Entered))
		case s.A == nil:
			onlyB++
			fmt.Fprintln(v.out, addedLine(r, s.B.Node)+fmt.Sprintf("  (b @c%d)", s.B.Entered))
		default:
			rest := summaryOf(s.A.Node) + "  " + stayText("a", s.A) + "; " + stayText("b", s.B)
			fmt.Fprintln(v.out, changeLine(r, "33", "~", s.A.Node, rest))
		}
	}
	skip()
	fmt.Fprintf(v.out, "%s in both, %d in a alone, %d in b alone\n", count(runs.SameNodes, "node"), onlyA, onlyB)
}

// stayText says how the stay of a node in a run ended.
func stayText(name string, s *calls.Stay) string {
	if s.Left == 0 {
		return name + " kept it"
	}
	return fmt.Sprintf("%s lost it at @c%d (%s)", name, s.Left, becauseOf(calls.Departure{Cause: s.Cause, By: s.By}))
}
