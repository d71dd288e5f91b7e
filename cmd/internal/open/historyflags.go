package open

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/config"
)

// The limits of reading a history, which flags raise.
const (
	MaxHistorySize  = 512 << 20
	maxHistoryDepth = 1000
)

// HistoryFlags are the flags of the verbs that read histories.
type HistoryFlags struct {
	LogFlags
	From          []string // the files of the history to read
	argument      bool     // the argument after a selector named it
	StdinFilename string
	Strict        bool
	Stored        bool  // attachments stay empty, as they are stored
	Verify        bool  // verify the checkpoints of journals
	MaxBytes      int64 // 0 for a verb without the flag, and for the default of sessions
	maxDepth      int   // 0 for a verb without the flag
}

const HistoryForms = `A history is a journal of any name, a .json file with one snapshot or a list of them, a .jsonl file with one snapshot
per line, or a folder of snapshots; files compressed as .gz or .zst are read too. - is standard input. file:DIR#ID and
postgres://HOST/DATABASE#ID name a history of a store; ./file:x is a file.`

func (f *HistoryFlags) Add(cmd *cobra.Command) {
	f.LogFlags.Add(cmd)
	f.addStrict(cmd)
	f.AddStdin(cmd)
	f.AddLimits(cmd)
}

func (f *HistoryFlags) addStrict(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.Strict, "strict", false, "refuse histories that break an invariant, instead of warning")
}

// AddLimits adds the flags that raise the limits of reading a history.
func (f *HistoryFlags) AddLimits(cmd *cobra.Command) {
	f.AddMaxBytes(cmd, "files", MaxHistorySize)
	f.addMaxDepth(cmd)
}

func (f *HistoryFlags) addMaxDepth(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.maxDepth, "max-depth", maxHistoryDepth, "refuse nodes or content nested deeper than `N` levels")
}

func (f *HistoryFlags) AddMaxBytes(cmd *cobra.Command, what string, size int64) {
	cmd.Flags().Int64Var(&f.MaxBytes, "max-bytes", size, "refuse "+what+" larger than `N` bytes after decompression")
}

// AddFrom adds the flag that names the history, for verbs that also take it as an argument.
func (f *HistoryFlags) AddFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.From, "file", "f", nil, "the history to read (`FILE`); several make one")
	_ = cmd.MarkFlagFilename("file", "json", "jsonl", "gz", "zst")
}

// Take returns the arguments without the name of the history, which is the one after the first n
// unless -f names it.
func (f *HistoryFlags) Take(args []string, n int) ([]string, error) {
	if len(f.From) > 0 || len(args) <= n {
		return args, nil
	}
	if len(args) > n+1 {
		return nil, fmt.Errorf("%q and %q: name the history with -f to distinguish it from the other arguments", verb.Shown(args[n]), verb.Shown(args[n+1]))
	}
	f.From, f.argument = args[n:], n > 0
	return args[:n], nil
}

// OrFixture takes the fixture of the configuration if no history is named.
func (f *HistoryFlags) OrFixture(cfg *config.Config) error {
	if len(f.From) > 0 {
		return nil
	}
	switch names := cfg.Fixtures(); len(names) {
	case 0:
		return errors.New("no history given; name its file, or - for standard input, or a fixture in the configuration")
	case 1:
		f.From = names
		return nil
	default:
		return fmt.Errorf("the configuration has %d fixtures; choose one with -f", len(names))
	}
}

func (f *HistoryFlags) AddStdin(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.StdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for; its ending decides the form")
	_ = cmd.MarkFlagFilename("stdin-filename")
}

// CheckStdin refuses to read standard input twice.
func CheckStdin(names ...string) error {
	used := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != "-" })
	if len(used) > 1 {
		return errors.New("standard input (-) can be read only once")
	}
	return nil
}

// CompleteHistories completes the names of histories in the first arguments, or in all of them if
// most is negative.
func CompleteHistories(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{"json", "jsonl", "gz", "zst"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// CompleteAfter completes the name of a history after the first n arguments, unless -f names it.
func (f *HistoryFlags) CompleteAfter(n int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < n || len(f.From) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return CompleteHistories(n+1)(cmd, args, word)
	}
}

// Name is the name of the history in messages.
func (f *HistoryFlags) Name() string {
	names := make([]string, len(f.From))
	for i, name := range f.From {
		names[i] = verb.Shown(name)
	}
	return strings.Join(names, ", ")
}
