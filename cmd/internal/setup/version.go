package setup

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// Version returns the verb version.
func Version(r *verb.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version of the program, of Go, and of the source if it is known.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !asJSON {
				fmt.Fprintf(r.Out, "%s %s\n", r.Program, verb.BuildVersion())
				return nil
			}
			b := verb.ReadBuild()
			b.Program = string(verb.Pactkit) // whatever it is called: programs compare it
			r.PrintJSON(b)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the version as JSON")
	return cmd
}
