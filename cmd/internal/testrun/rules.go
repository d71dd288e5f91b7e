package testrun

import (
	"context"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// runRules runs the examples of the rules that a configuration file declares.
func runRules(ctx context.Context, t verb.Target) Report {
	data, err := ReadFile(t)
	if err != nil {
		return Report{Name: t.Name, Err: err}
	}
	report := Report{Name: t.Name, Title: "the rules of the project", Text: string(data)}
	answer := func(lines []string) suite.Answer { return suite.Answer{Kind: suite.Found, Found: lines} }
	for _, x := range t.Config.RunExamples(ctx, t.Path) {
		report.Cases = append(report.Cases, Case{Outcome: suite.Outcome{
			Case:   &suite.Case{Name: x.Name, Line: x.Line, Selector: x.Selector, Want: answer(x.Want)},
			Passed: x.Passed, Answer: answer(x.Got), Err: x.Err,
		}})
	}
	return report
}
