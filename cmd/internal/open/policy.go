package open

import (
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/policy"
)

// PolicyFlag is the flag --policy.
type PolicyFlag struct{ File string }

// Add adds the flag to a verb.
func (f *PolicyFlag) Add(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&f.File, "policy", "", usage)
	_ = cmd.MarkFlagFilename("policy", "toml")
}

// maxPolicy limits the size of the file of a policy, in bytes.
const maxPolicy = 1 << 20

// Read reads the policy in the file of the flag. If it reports an error, it returns nil.
func (f *PolicyFlag) Read(r *verb.Run) *policy.Policy {
	data, err := atomicfile.Read(r.Abs(f.File), maxPolicy)
	if err != nil {
		r.FailFile(f.File, err)
		return nil
	}
	p, found := config.ReadPolicy(string(data))
	if len(found) > 0 {
		r.Reporter(r.Err, verb.Shown(f.File), string(data), r.Color).ReportAll(found)
		r.Raise(verb.ExitFailed)
		return nil
	}
	return p
}
