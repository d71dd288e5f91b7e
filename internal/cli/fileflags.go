package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/config"
)

// fileFlags are the flags of the verbs that work on files.
type fileFlags struct {
	config        []string
	isolated      bool
	noIgnore      bool
	filesFrom     string
	staged        bool
	since         string
	stdinFilename string
}

func (f *fileFlags) addConfig(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.config, "config", nil, "a configuration file to read instead of those found, or one setting: `FILE|KEY=VALUE`; repeatable")
	flags.BoolVar(&f.isolated, "isolated", false, "read no configuration files")
}

func (f *fileFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.noIgnore, "no-ignore", false, "include files that an ignore file or the configuration excludes")
	flags.StringVar(&f.filesFrom, "files-from", "", "read paths, each ended by a NUL byte, from `FILE`; - is standard input")
	flags.BoolVar(&f.staged, "staged", false, "process the files that git has staged, as they are in the working tree")
	flags.StringVar(&f.since, "since", "", "process the files that changed since the branch left revision `REV`, and untracked ones")
	flags.StringVar(&f.stdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for: it decides the kind of file, the configuration and what is ignored")
	_ = cmd.MarkFlagFilename("files-from")
	_ = cmd.MarkFlagFilename("stdin-filename")
}

// resolver returns the configuration that the flags ask for.
func (f *fileFlags) resolver(s *session) (*config.Resolver, error) {
	o := config.Options{Folder: s.folder, Isolated: f.isolated, Args: f.config}
	if f.isolated && slices.ContainsFunc(f.config, config.IsFile) {
		return nil, errors.New("--isolated and --config FILE cannot be combined")
	}
	return config.NewResolver(o), nil
}

// readsStdin reports whether the arguments name standard input, which stands alone.
func (f *fileFlags) readsStdin(args []string) (bool, error) {
	switch {
	case !slices.Contains(args, stdinName):
		if f.stdinFilename != "" {
			return false, errors.New("--stdin-filename requires -")
		}
		return false, nil
	case len(args) > 1 || f.filesFrom != "" || f.staged || f.since != "":
		return false, errors.New("- stands for standard input and cannot be combined with files")
	}
	return true, nil
}
