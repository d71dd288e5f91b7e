package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version of the program, of Go, and of the source if it is known.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.out, "%s %s\n", s.program, buildVersion())
			return nil
		},
	}
}

// buildVersion returns the version that the linker recorded.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return describeBuild(info)
}

func describeBuild(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	var revision, dirty string
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = ", revision " + setting.Value[:min(len(setting.Value), 12)]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			dirty = " with changes"
		}
	}
	return fmt.Sprintf("%s (%s %s/%s%s%s)", version, info.GoVersion, runtime.GOOS, runtime.GOARCH, revision, dirty)
}
