package verb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/names"
)

// EnumFlag is a flag that takes one of a few words. Without the flag it is "".
type EnumFlag struct {
	values []string
	Value  string
}

// AddEnum adds a flag to a command. If the usage has a name for the value in back quotes, because
// the words are too many for the column of the flags, they are listed at the end of the usage.
func AddEnum(cmd *cobra.Command, f *EnumFlag, name string, values []string, usage string) {
	f.values = values
	if strings.Contains(usage, "`") {
		usage += ": " + strings.Join(values, ", ")
	}
	cmd.Flags().Var(f, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// AddSetting adds a flag that overrides a setting of the configuration.
func AddSetting(cmd *cobra.Command, f *EnumFlag, name, key, usage string) {
	k := config.Lookup(key)
	AddEnum(cmd, f, name, k.Values, fmt.Sprintf("%s (default %v)", usage, k.Default))
}

func (f *EnumFlag) String() string { return f.Value }

func (f *EnumFlag) Type() string { return strings.Join(f.values, "|") }

func (f *EnumFlag) Set(value string) error {
	if slices.Contains(f.values, value) {
		f.Value = value
		return nil
	}
	if near := names.Nearest(value, slices.Values(f.values)); near != "" {
		return fmt.Errorf("must be one of %s; did you mean %q?", f.Type(), near)
	}
	return fmt.Errorf("must be one of %s", f.Type())
}
