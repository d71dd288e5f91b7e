package verb

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/output"
	"github.com/pactkit/pactkit/internal/names"
)

// AddOutputs adds the flag that chooses the formats of the report.
func AddOutputs(cmd *cobra.Command, outputs *[]string) {
	names := []string{TextForm}
	for name := range output.Forms() {
		names = append(names, name)
	}
	cmd.Flags().StringArrayVar(outputs, "output-format", nil, "print the report as `FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable (default text)")
	_ = cmd.RegisterFlagCompletionFunc("output-format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// TextForm is the form for people.
const TextForm = "text"

// Sink is where the report goes in one form.
type Sink struct {
	Form, File string // file: "" for standard output
}

// ParseSinks reads the --output-format flags.
func ParseSinks(outputs []string) ([]Sink, error) {
	if len(outputs) == 0 {
		return []Sink{{Form: TextForm}}, nil
	}
	var sinks []Sink
	known := []string{TextForm}
	for name := range output.Forms() {
		known = append(known, name)
	}
	for _, o := range outputs {
		form, file, named := strings.Cut(o, "=")
		if !slices.Contains(known, form) {
			if near := names.Nearest(form, slices.Values(known)); near != "" {
				return nil, fmt.Errorf("--output-format: there is no format %q; did you mean %q?", form, near)
			}
			return nil, fmt.Errorf("--output-format: there is no format %q; the formats are %s", form, strings.Join(known, ", "))
		}
		if named && file == "" {
			return nil, fmt.Errorf("--output-format %s: the file after = is missing", o)
		}
		if file == StdinName {
			file = ""
		}
		if slices.ContainsFunc(sinks, func(s Sink) bool { return s.File == file }) {
			return nil, errors.New("--output-format: two reports go to the same file; name a file for one, as in --output-format json=report.json")
		}
		sinks = append(sinks, Sink{form, file})
	}
	return sinks, nil
}
