package verb

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pactkit/pactkit/internal/names"
)

// SuggestFlag adds a suggestion to an error about an unknown flag, and says in plain words which
// values a flag takes.
func SuggestFlag(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && isNumError(err) {
		takes := "a whole number"
		switch wrong.GetFlag().Value.Type() {
		case "bool":
			takes = "no value"
		case "uint64":
			takes = "a whole number that is not negative"
		}
		return fmt.Errorf("--%s takes %s, and not %q", wrong.GetFlag().Name, takes, wrong.GetValue())
	}
	e, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	written := e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" { // a long name after a single dash
		written, _, _ = strings.Cut(short, "=")
	}
	if near := nearestFlag(cmd, written); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// isNumError reports whether the cause of an error is that package strconv cannot read a value.
func isNumError(err error) bool {
	_, ok := errors.AsType[*strconv.NumError](err)
	return ok
}

// nearestFlag returns the flag of a command with a similar name, or with that prefix, or "".
func nearestFlag(cmd *cobra.Command, written string) string {
	if near := names.Nearest(written, flagNames(cmd)); near != "" {
		return near
	}
	for name := range flagNames(cmd) {
		if len(written) > 2 && strings.HasPrefix(name, written) {
			return name
		}
	}
	return ""
}

// flagNames yields the visible flags of a command, sorted.
func flagNames(cmd *cobra.Command) iter.Seq[string] {
	return func(yield func(string) bool) {
		more := true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if more && !f.Hidden {
				more = yield(f.Name)
			}
		})
	}
}
