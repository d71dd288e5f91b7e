package open

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/parser"
)

// InstantFlag is an address such as @t-1 or @c5. Its zero value is @t0.
type InstantFlag struct {
	Text string
	At   ast.Instant
}

func (f *InstantFlag) String() string { return f.Text }

func (f *InstantFlag) Type() string { return "@t-1" }

func (f *InstantFlag) Set(text string) error {
	at, err := parseInstant(text)
	if err == nil {
		*f = InstantFlag{text, at}
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

// Snapshot reads one snapshot of the history that the flags name. It reports an error and
// returns nil.
func Snapshot(ctx context.Context, r *verb.Run, at InstantFlag, f *HistoryFlags) *engine.Snapshot {
	t := From(ctx, r, f)
	if t == nil {
		return nil
	}
	snap, err := compiled.Instant(t, at.At)
	if err != nil {
		r.Fail("%s: %s", f.Name(), err)
	}
	return snap
}

// AddAt adds the flag that picks a snapshot of a history.
func AddAt(cmd *cobra.Command, at *InstantFlag) {
	cmd.Flags().Var(at, "at", "the snapshot to take, such as @t-1 or @c5 (default @t0, the newest state)")
	_ = cmd.RegisterFlagCompletionFunc("at", cobra.FixedCompletions(Instants, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// Instants complete an address.
var Instants = []cobra.Completion{"@t0", "@t-", "@c"}

// CycleName is the address of a call.
func CycleName(c *calls.Call) string { return fmt.Sprintf("@c%d", c.Cycle) }
