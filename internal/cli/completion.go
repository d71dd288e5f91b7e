package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const completionLong = `Print a script for completion in a shell.

  bash        source <(pactkit completion bash)
  zsh         pactkit completion zsh > "${fpath[1]}/_pactkit"
  fish        pactkit completion fish > ~/.config/fish/completions/pactkit.fish
  powershell  pactkit completion powershell | Out-String | Invoke-Expression`

// completions write the script of each shell.
var completions = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	"zsh":        (*cobra.Command).GenZshCompletion,
}

// completionCommand returns the verb; command returns the tree of a program.
func (s *session) completionCommand(command func(Program) *cobra.Command) *cobra.Command {
	var program enumFlag
	shells := slices.Sorted(maps.Keys(completions))
	cmd := &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script for a shell",
		Long:      strings.ReplaceAll(completionLong, string(Pactkit), string(s.program)), // also in the names of files
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if program.value == string(Pactfmt) {
				root = command(Pactfmt)
			}
			return completions[args[0]](root, s.out)
		},
	}
	addEnum(cmd, &program, "for", []string{string(s.program), string(Pactfmt)}, fmt.Sprintf("the program to complete (default %s)", s.program))
	return cmd
}
