package setup

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
)

const configLong = `Print the configuration of a file in the form of a configuration file, with the origin of each setting. The default is
the configuration of files in the working folder; that of a folder is the configuration of the files in it. The path need
not exist.`

// Config returns the verb config.
func Config(r *verb.Run) *cobra.Command {
	var files verb.FileFlags
	cmd := &cobra.Command{
		Use:   "config [PATH]",
		Short: "Show the configuration of a file",
		Long:  configLong,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := verb.NewCollector(r, &files)
			if err != nil {
				return err
			}
			path := filepath.Join(r.Folder, "any.pactsel")
			if len(args) == 1 {
				path = c.Abs(args[0])
				if info, err := atomicfile.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(filepath.ToSlash(args[0]), "/") {
					path = filepath.Join(path, "any.pactsel")
				}
			}
			if cfg, ok := c.ConfigFor(path); ok {
				printConfig(r, cfg)
			}
			return nil
		},
	}
	files.AddConfig(cmd)
	return cmd
}

func printConfig(r *verb.Run, cfg *config.Config) {
	table := ""
	for k := range config.Keys() {
		if k.FileOnly {
			continue
		}
		name := k.Name
		if t, rest, ok := strings.Cut(name, "."); ok {
			if t != table {
				fmt.Fprintf(r.Out, "\n[%s]\n", t)
				table = t
			}
			name = rest
		}
		value, origin := cfg.Literal(k)
		fmt.Fprintf(r.Out, "%s = %s # %s\n", name, value, originText(r, origin))
	}
}

func originText(r *verb.Run, o config.Origin) string {
	switch {
	case o.Path == "":
		return "default"
	case o.Line == 0:
		return o.Path
	}
	return fmt.Sprintf("%s:%d", verb.Visible(r.Name(o.Path)), o.Line)
}
