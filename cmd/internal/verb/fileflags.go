package verb

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/config"
)

// FileFlags are the flags of the verbs that work on files.
type FileFlags struct {
	config        []string
	isolated      bool
	NoIgnore      bool
	FilesFrom     string
	Staged        bool
	Since         string
	StdinFilename string
}

func (f *FileFlags) AddConfig(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.config, "config", nil, "a configuration file to read instead of those found, or one setting: `FILE|KEY=VALUE`; repeatable")
	flags.BoolVar(&f.isolated, "isolated", false, "read no configuration files")
}

func (f *FileFlags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.NoIgnore, "no-ignore", false, "include files that an ignore file or the configuration excludes")
	flags.StringVar(&f.FilesFrom, "files-from", "", "read paths, each ended by a NUL byte, from `FILE`; - is standard input")
	flags.BoolVar(&f.Staged, "staged", false, "process the files that git has staged, as they are in the working tree")
	flags.StringVar(&f.Since, "since", "", "process the files that changed since the branch left revision `REV`, and untracked ones")
	flags.StringVar(&f.StdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for: it decides the kind of file, the configuration and what is ignored")
	_ = cmd.MarkFlagFilename("files-from")
	_ = cmd.MarkFlagFilename("stdin-filename")
}

// resolver returns the configuration that the flags ask for.
func (f *FileFlags) resolver(r *Run) (*config.Resolver, error) {
	o := config.Options{Folder: r.Folder, Isolated: f.isolated, Args: f.config}
	if f.isolated && slices.ContainsFunc(f.config, config.IsFile) {
		return nil, errors.New("--isolated and --config FILE cannot be combined")
	}
	return config.NewResolver(o), nil
}

// ReadsStdin reports whether the arguments name standard input, which stands alone.
func (f *FileFlags) ReadsStdin(args []string) (bool, error) {
	switch {
	case !slices.Contains(args, StdinName):
		if f.StdinFilename != "" {
			return false, errors.New("--stdin-filename requires -")
		}
		return false, nil
	case len(args) > 1 || f.FilesFrom != "" || f.Staged || f.Since != "":
		return false, errors.New("- stands for standard input and cannot be combined with files")
	}
	return true, nil
}
