package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/parser"
)

// instantFlag is an address such as @t-1 or @c5. Its zero value is @t0.
type instantFlag struct {
	text string
	at   ast.Instant
}

func (f *instantFlag) String() string { return f.text }

func (f *instantFlag) Type() string { return "@t-1" }

func (f *instantFlag) Set(text string) error {
	at, err := parseInstant(text)
	if err == nil {
		*f = instantFlag{text, at}
	}
	return err
}

// parseInstant reads an address.
func parseInstant(text string) (ast.Instant, error) {
	at, found := parser.ParseInstant(strings.TrimSpace(text))
	if len(found) > 0 && found[0].Hint != "" {
		return at, fmt.Errorf("%s; %s", found[0].Message, found[0].Hint)
	}
	if len(found) > 0 {
		return at, errors.New(found[0].Message)
	}
	return at, nil
}

// openSnapshot reads one snapshot of the history that the flags name. It reports an error and
// returns nil.
func (s *session) openSnapshot(ctx context.Context, at instantFlag, f *historyFlags) *engine.Snapshot {
	t := s.openFrom(ctx, f)
	if t == nil {
		return nil
	}
	snap, err := prepare.Instant(t, at.at)
	if err != nil {
		s.fail("%s: %s", f.name(), err)
	}
	return snap
}

// addAt adds the flag that picks a snapshot of a history.
func addAt(cmd *cobra.Command, at *instantFlag) {
	cmd.Flags().Var(at, "at", "the snapshot to take, such as @t-1 or @c5 (default @t0, the newest state)")
	_ = cmd.RegisterFlagCompletionFunc("at", cobra.FixedCompletions(instants, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// instants complete an address.
var instants = []cobra.Completion{"@t0", "@t-", "@c"}
