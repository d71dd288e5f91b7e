package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage prints the usage of a command and wraps the descriptions of flags. It does not use cobra's
// template, because the linker keeps every method of every type in a program that executes
// templates, which adds 6 MB.
func usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	for _, group := range c.Groups() {
		b.WriteString("\n\n" + group.Title)
		list(&b, c, group.ID)
	}
	if c.HasAvailableSubCommands() && len(c.Groups()) == 0 {
		b.WriteString("\n\nAvailable Commands:")
		list(&b, c, "")
	}
	for _, flags := range []struct {
		title string
		set   *pflag.FlagSet
	}{{"Flags", c.LocalFlags()}, {"Global Flags", c.InheritedFlags()}} {
		if flags.set.HasAvailableFlags() {
			b.WriteString("\n\n" + flags.title + ":\n" + strings.TrimRight(flags.set.FlagUsagesWrapped(120), " \n"))
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), b.String())
	return err
}

// list prints the commands of a group below c.
func list(b *strings.Builder, c *cobra.Command, group string) {
	for _, sub := range c.Commands() {
		if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
			fmt.Fprintf(b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
}
