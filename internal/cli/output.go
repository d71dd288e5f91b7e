package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/nearest"
)

// outputFlag names the forms of a report, and the files they go to: FORMAT[=FILE], repeatable.
type outputFlag struct {
	formats []string
	list    []output
}

// output is one form of a report.
type output struct{ format, file string }

// addOutput adds the flag to a command.
func addOutput(cmd *cobra.Command, f *outputFlag, formats ...string) {
	f.formats = formats
	cmd.Flags().Var(f, "output", fmt.Sprintf("the form of the report, and the file for it: %s; repeatable (default %s)", strings.Join(formats, ", "), formats[0]))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

func (f *outputFlag) String() string {
	words := make([]string, len(f.list))
	for i, o := range f.list {
		if words[i] = o.format; o.file != "" {
			words[i] += "=" + o.file
		}
	}
	return strings.Join(words, ",")
}

func (f *outputFlag) Type() string { return "FORMAT[=FILE]" }

func (f *outputFlag) Set(value string) error {
	format, file, named := strings.Cut(value, "=")
	switch {
	case !slices.Contains(f.formats, format):
		if near := nearest.Word(format, slices.Values(f.formats)); near != "" {
			return fmt.Errorf("it is one of %s; did you mean %q?", strings.Join(f.formats, ", "), near)
		}
		return fmt.Errorf("it is one of %s", strings.Join(f.formats, ", "))
	case named && file == "":
		return errors.New("a file should follow =")
	case slices.ContainsFunc(f.list, func(o output) bool { return o.file == file }):
		if file == "" {
			return errors.New("only one report can go to standard output; name a file, as in " + format + "=FILE")
		}
		return fmt.Errorf("two reports for the file %s", file)
	}
	f.list = append(f.list, output{format, file})
	return nil
}

// reports writes the report in every form that was asked for.
func (s *session) reports(f *outputFlag, write func(b *bytes.Buffer, format string, colour bool)) {
	list := f.list
	if len(list) == 0 {
		list = []output{{format: f.formats[0]}}
	}
	for _, o := range list {
		var b bytes.Buffer
		write(&b, o.format, o.file == "" && s.paints)
		s.put(o.file, b.Bytes())
	}
}
