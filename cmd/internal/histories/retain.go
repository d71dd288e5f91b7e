package histories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

const compactLong = `Remove the older snapshots of a journal, or of a history of a store.

The newest snapshots stay, as many as --keep says, and the one before them, which replaces everything older. The version of
the history and the digests of what is kept do not change: programs that are attached to it continue to work. What was
removed is printed, one line for each run of cycles. A history that would not become smaller is left as it is. Forks of the
history keep what they share with it.

It happens as a whole, or not at all. Backups keep what they have.

Exit codes: 0 done, or nothing to leave out; 2 not done.`

const compactExample = `  pactkit compact agent.jsonl --keep 100                  the newest hundred snapshots
  pactkit compact 'file:agents#17' --keep 100 --dry-run   what would be left out`

const eraseLong = `Erase the content of nodes from every snapshot of a journal, or of a history of a store, for good.

Content, content hash, provenance and custom members of the nodes are removed, and so are those of nodes that refer only to
one of them, such as overlays, or have the same content. The nodes stay where they were, with type, key, role and tags.
Longer texts of other nodes that quote them stay: search for them. What was erased is printed, one line for each node.

The nodes are erased from all forks of the history in its store, too, and from the history it was forked from. These are named.

What interrupted runs left in the folder of a journal is removed first; if that cannot be, or if the journal has further
hard links, nothing is erased. Then the folder is searched, and the files that still have an erased text are named.

The result is a new history of the same name: all digests change, and the header lists the nodes. Programs that are attached
to it must reload it. It happens as a whole, or not at all. Backups keep what they have.

Exit codes: 0 done; 2 not done.`

const eraseExample = `  pactkit erase agent.jsonl block:u1                     one node
  pactkit erase 'file:agents#17' block:policy block:u1   two nodes of a history of a store
  pactkit erase agent.jsonl block:u1 --dry-run           what would be erased`

// retainVerb removes or erases parts of a history.
type retainVerb struct {
	*verb.Run
	keep int
	dry  bool
}

// Compact returns the verb compact.
func Compact(r *verb.Run) *cobra.Command {
	v := &retainVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "compact JOURNAL --keep N",
		Short:   "Leave out the older snapshots of a journal",
		Long:    compactLong,
		Example: compactExample,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return errors.New("name one journal, or the address of one history")
			case !cmd.Flags().Changed("keep"):
				return errors.New("--keep is required: the number of snapshots to keep")
			case v.keep < 0:
				return errors.New("--keep must not be negative")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0], v.compact)
			return nil
		},
	}
	cmd.Flags().IntVar(&v.keep, "keep", 0, "keep the newest `N` snapshots, and the one before them")
	v.addDry(cmd)
	return cmd
}

// Erase returns the verb erase.
func Erase(r *verb.Run) *cobra.Command {
	v := &retainVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "erase JOURNAL NODE...",
		Short:   "Erase the content of nodes from a journal",
		Long:    eraseLong,
		Example: eraseExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("name a journal, or the address of a history, and the ids of nodes")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0], func(ctx context.Context, st store.Store, id string) (string, error) {
				return v.erase(ctx, st, id, args[1:])
			})
			return nil
		},
	}
	v.addDry(cmd)
	return cmd
}

func (v *retainVerb) addDry(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&v.dry, "dry-run", "n", false, "print what would be removed, and change nothing")
}

// run opens the history and lets change do its work, which returns what it removed.
func (v *retainVerb) run(ctx context.Context, name string, change func(context.Context, store.Store, string) (string, error)) {
	defer v.Working(func() string { return "rewriting " + verb.Shown(name) })()
	st, id, err := v.openToRewrite(ctx, name)
	if err == nil {
		var report string
		if report, err = change(ctx, st, id); err == nil {
			fmt.Fprintf(v.Out, "%s%s\n", report, v.ending())
		}
		err = errors.Join(err, st.Close())
	}
	switch e, isEngine := errors.AsType[*engine.Error](err); {
	case err == nil:
	case ctx.Err() != nil:
		v.Interrupt("interrupted: %s is as it was", verb.Shown(name))
	case isEngine:
		if e.File == "" {
			e.File = verb.Shown(name)
		}
		open.FailHistory(v.Run, name, e, &open.HistoryFlags{})
	default:
		open.FailHistory(v.Run, name, err, &open.HistoryFlags{})
	}
}

func (v *retainVerb) ending() string {
	if v.dry {
		return "; nothing is changed (--dry-run)"
	}
	return ""
}

// openToRewrite opens a journal, or a store.
func (v *retainVerb) openToRewrite(ctx context.Context, name string) (store.Store, string, error) {
	if store.IsAddress(name) {
		return open.Store(ctx, v.Run, name)
	}
	path := v.Abs(name)
	info, err := atomicfile.Stat(path)
	if err != nil {
		return nil, "", err
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	if info.Mode().Perm()&0o222 == 0 {
		return nil, "", &store.Error{Code: store.ErrReadOnly, Msg: "the file is read-only"}
	}
	begins := make([]byte, 64)
	n, err := io.ReadFull(file, begins)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "", err
	}
	if how := sessions.Packed(name, begins[:n]); how != "" {
		return nil, "", &engine.Error{Code: journal.ErrLine, File: name, Path: "$", Line: 1,
			Msg: "the file is compressed (" + how + "), and a compressed journal cannot be changed: decompress it, change it, and compress it again"}
	}
	if !journal.IsJournal(string(begins[:n])) {
		return nil, "", &engine.Error{Code: journal.ErrLine, File: name, Path: "$", Line: 1,
			Msg: "this is not a journal; 'pactkit export --history journal' writes one of any history"}
	}
	return store.OpenFile(path), "journal", nil
}

func (v *retainVerb) compact(ctx context.Context, st store.Store, id string) (string, error) {
	c, err := store.PlanCompact(ctx, st, id, v.keep)
	switch {
	case err != nil:
		return "", err
	case len(c.Cycles) == 0:
		return fmt.Sprintf("nothing to leave out; the history is at cycle %d", c.Head.Cycle), nil
	case c.Removed <= 0:
		return fmt.Sprintf("the history is left as it is: without %s it would be %s larger, because the snapshot that stands for them is whole",
			verb.Count(len(c.Cycles), "snapshot"), verb.Count(int(-c.Removed), "byte")), nil
	}
	if !v.dry {
		if err := c.Do(ctx, st, id); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for _, run := range runsOf(c.Cycles) {
		fmt.Fprintf(&b, "- %s\n", run)
	}
	fmt.Fprintf(&b, "%s left out; the one of cycle %d stands for them; the history is %s smaller", verb.Count(len(c.Cycles), "snapshot"),
		c.Stands, verb.Count(int(c.Removed), "byte"))
	return b.String(), nil
}

// runsOf returns the runs of consecutive cycles in an increasing list.
func runsOf(cycles []int64) []cycleRun {
	list := []cycleRun{}
	for _, c := range cycles {
		if n := len(list); n > 0 && list[n-1].Last == c-1 {
			list[n-1].Last = c
		} else {
			list = append(list, cycleRun{c, c})
		}
	}
	return list
}

func (v *retainVerb) erase(ctx context.Context, st store.Store, id string, nodes []string) (string, error) {
	do := store.Erase
	if v.dry {
		do = store.PlanErase
	}
	e, err := do(ctx, st, id, nodes...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, n := range e.Nodes {
		fmt.Fprintf(&b, "- %s\n", verb.Visible(n))
	}
	for _, n := range e.Others {
		fmt.Fprintf(&b, "- %s (the same content, or refers to it alone)\n", verb.Visible(n))
	}
	for _, of := range e.Related {
		fmt.Fprintf(&b, "also in %s\n", verb.Visible(store.JoinAddress("", of)))
	}
	fmt.Fprintf(&b, "%s erased; the digest of cycle %d is now %.12s", verb.Count(len(e.Nodes)+len(e.Others), "node"), e.Head.Cycle, e.Head.Digest)
	for _, path := range e.Found {
		v.Note("%s still has the text of an erased node: search for it there", verb.Visible(v.Name(path)))
	}
	for _, path := range e.Unsearched {
		v.Note("%s was not searched for what was erased", verb.Visible(v.Name(path)))
	}
	return b.String(), nil
}
