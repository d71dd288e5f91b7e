package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
)

const configLong = `Print the configuration of a file in the form of a configuration file, with the origin of each setting. The default is
the configuration of files in the working folder; that of a folder is the configuration of the files in it. The path need
not exist.`

func (s *session) configCommand() *cobra.Command {
	var files fileFlags
	cmd := &cobra.Command{
		Use:   "config [PATH]",
		Short: "Show the configuration of a file",
		Long:  configLong,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := newCollector(s, &files)
			if err != nil {
				return err
			}
			path := filepath.Join(s.folder, "any.pactsel")
			if len(args) == 1 {
				path = c.abs(args[0])
				if info, err := atomicfile.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(filepath.ToSlash(args[0]), "/") {
					path = filepath.Join(path, "any.pactsel")
				}
			}
			if cfg, ok := c.configFor(path); ok {
				s.printConfig(cfg)
			}
			return nil
		},
	}
	files.addConfig(cmd)
	return cmd
}

func (s *session) printConfig(cfg *config.Config) {
	table := ""
	for k := range config.Keys() {
		if k.FileOnly {
			continue
		}
		name := k.Name
		if t, rest, ok := strings.Cut(name, "."); ok {
			if t != table {
				fmt.Fprintf(s.out, "\n[%s]\n", t)
				table = t
			}
			name = rest
		}
		value, origin := cfg.Literal(k)
		fmt.Fprintf(s.out, "%s = %s # %s\n", name, value, s.originText(origin))
	}
}

func (s *session) originText(o config.Origin) string {
	switch {
	case o.Path == "":
		return "default"
	case o.Line == 0:
		return o.Path
	}
	return fmt.Sprintf("%s:%d", visible(s.name(o.Path)), o.Line)
}
