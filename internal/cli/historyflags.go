package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/config"
)

// The limits of reading a history, which flags raise.
const (
	maxHistorySize  = 512 << 20
	maxHistoryDepth = 1000
)

// historyFlags are the flags of the verbs that read histories.
type historyFlags struct {
	logFlags
	from          []string // the files of the history to read
	argument      bool     // the argument after a selector named it
	stdinFilename string
	strict        bool
	verify        bool  // verify the checkpoints of journals
	maxBytes      int64 // 0 for a verb without the flag, and for the default of sessions
	maxDepth      int   // 0 for a verb without the flag
}

const historyForms = `A history is a journal of any name, a .json file with one snapshot or a list of them, a .jsonl file with one snapshot
per line, or a folder of snapshots; files compressed as .gz or .zst are read too. - is standard input. file:DIR#ID and
postgres://HOST/DATABASE#ID name a history of a store; ./file:x is a file.`

func (f *historyFlags) add(cmd *cobra.Command) {
	f.logFlags.add(cmd)
	f.addStrict(cmd)
	f.addStdin(cmd)
	f.addLimits(cmd)
}

func (f *historyFlags) addStrict(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "refuse histories that break an invariant, instead of warning")
}

// addLimits adds the flags that raise the limits of reading a history.
func (f *historyFlags) addLimits(cmd *cobra.Command) {
	f.addMaxBytes(cmd, "files", maxHistorySize)
	f.addMaxDepth(cmd)
}

func (f *historyFlags) addMaxDepth(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.maxDepth, "max-depth", maxHistoryDepth, "refuse nodes or content nested deeper than `N` levels")
}

func (f *historyFlags) addMaxBytes(cmd *cobra.Command, what string, size int64) {
	cmd.Flags().Int64Var(&f.maxBytes, "max-bytes", size, "refuse "+what+" larger than `N` bytes after decompression")
}

// addFrom adds the flag that names the history, for verbs that also take it as an argument.
func (f *historyFlags) addFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.from, "file", "f", nil, "the history to read (`FILE`); several make one")
	_ = cmd.MarkFlagFilename("file", "json", "jsonl", "gz", "zst")
}

// take returns the arguments without the name of the history, which is the one after the first n
// unless -f names it.
func (f *historyFlags) take(args []string, n int) ([]string, error) {
	if len(f.from) > 0 || len(args) <= n {
		return args, nil
	}
	if len(args) > n+1 {
		return nil, fmt.Errorf("%q and %q: name the history with -f to distinguish it from the other arguments", shown(args[n]), shown(args[n+1]))
	}
	f.from, f.argument = args[n:], n > 0
	return args[:n], nil
}

// orFixture takes the fixture of the configuration if no history is named.
func (f *historyFlags) orFixture(cfg *config.Config) error {
	if len(f.from) > 0 {
		return nil
	}
	switch names := cfg.Fixtures(); len(names) {
	case 0:
		return errors.New("no history given; name its file, or - for standard input, or a fixture in the configuration")
	case 1:
		f.from = names
		return nil
	default:
		return fmt.Errorf("the configuration has %d fixtures; choose one with -f", len(names))
	}
}

func (f *historyFlags) addStdin(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.stdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for; its ending decides the form")
	_ = cmd.MarkFlagFilename("stdin-filename")
}

// checkStdin refuses to read standard input twice.
func checkStdin(names ...string) error {
	used := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != "-" })
	if len(used) > 1 {
		return errors.New("standard input (-) can be read only once")
	}
	return nil
}

// completeHistories completes the names of histories in the first arguments, or in all of them if
// most is negative.
func completeHistories(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{"json", "jsonl", "gz", "zst"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeAfter completes the name of a history after the first n arguments, unless -f names it.
func (f *historyFlags) completeAfter(n int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < n || len(f.from) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeHistories(n+1)(cmd, args, word)
	}
}

// name is the name of the history in messages.
func (f *historyFlags) name() string {
	names := make([]string, len(f.from))
	for i, name := range f.from {
		names[i] = shown(name)
	}
	return strings.Join(names, ", ")
}
