package setup

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
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

// Completion returns the verb; command returns the tree of a program.
func Completion(r *verb.Run, command func(verb.Program) *cobra.Command) *cobra.Command {
	var program verb.EnumFlag
	shells := slices.Sorted(maps.Keys(completions))
	cmd := &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script for a shell",
		Long:      strings.ReplaceAll(completionLong, string(verb.Pactkit), string(r.Program)), // also in the names of files
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if program.Value == string(verb.Pactfmt) {
				root = command(verb.Pactfmt)
			}
			return completions[args[0]](root, r.Out)
		},
	}
	verb.AddEnum(cmd, &program, "for", []string{string(r.Program), string(verb.Pactfmt)}, fmt.Sprintf("the program to complete (default %s)", r.Program))
	return cmd
}
