package histories

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/store"
)

const forkLong = `Begin a history of a store at a state of another one.

The fork NEW has everything that the history has up to the snapshot of cycle N, or now, without @cN. From there on they
change independently of each other. A fork stores only what is new in it, whatever the history holds: it takes as long for a
turn as for a thousand. 'pactkit log' and 'pactkit validate' say where a history was forked.

A fork is a history like any other: when its base is deleted, compacted or rewound, it keeps everything. Erasing a node
erases it from all forks of the store. A history is written STORE#NAME, or as the path of its journal in the folder of a
store; in NEW, %23 stands for # and %25 for %.

Exit codes: 0 done; 2 not done, also if NEW exists.`

const forkExample = `  pactkit fork 'file:agents#17' 17-b          all of it
  pactkit fork 'file:agents#17@c1' 17-c       up to the snapshot of cycle 1
  pactkit fork agents/17.jsonl@c1 17-d        the same`

const rewindLong = `Let a history of a store go on from an earlier snapshot.

The history has what it had up to the snapshot of cycle N, and its next turn follows that. Everything that it had is kept in
another history of the store: NAME~cM, where M is the cycle of its newest snapshot, or the one that --keep names. It is a fork, and the
history goes on as a fork of it. Programs that are attached to the history get a conflict when they commit, and go on after a
reload.

A history is written STORE#NAME, or as the path of its journal in the folder of a store.

Exit codes: 0 done; 2 not done.`

const rewindExample = `  pactkit rewind 'file:agents#17@c1'                 keep what it had as 17~cM
  pactkit rewind agents/17.jsonl@c1 --keep 17-old    keep it under another name`

// forkVerb forks or rewinds a history.
type forkVerb struct {
	*verb.Run
	keep string
}

// Fork returns the verb fork.
func Fork(r *verb.Run) *cobra.Command {
	v := &forkVerb{Run: r}
	return &cobra.Command{
		Use:     "fork HISTORY[@cN] NEW",
		Short:   "Begin a history at a state of another",
		Long:    forkLong,
		Example: forkExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name a history of a store, and the fork")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0], args[1], func(ctx context.Context, s store.Store, id string, cycle int64, to string) (string, error) {
				_, err := s.Fork(ctx, id, cycle, to)
				what := "all"
				if cycle != store.Newest {
					what = fmt.Sprintf("the snapshots up to @c%d", cycle)
				}
				return fmt.Sprintf("%s begins with %s of %s", verb.Shown(store.JoinAddress("", to)), what, verb.Shown(store.JoinAddress("", id))), err
			})
			return nil
		},
	}
}

// Rewind returns the verb rewind.
func Rewind(r *verb.Run) *cobra.Command {
	v := &forkVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "rewind HISTORY@cN",
		Short:   "Let a history go on from an earlier snapshot",
		Long:    rewindLong,
		Example: rewindExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name a history of a store, and the cycle")
			}
			return nil
		},
		ValidArgsFunction: open.CompleteHistories(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0], v.keep, v.rewind)
			return nil
		},
	}
	cmd.Flags().StringVar(&v.keep, "keep", "", "keep what the history had as `NAME`, instead of NAME~cM")
	return cmd
}

func (v *forkVerb) rewind(ctx context.Context, s store.Store, id string, cycle int64, keep string) (string, error) {
	if cycle == store.Newest {
		return "", errors.New("say to which cycle: write @cN after the name")
	}
	if keep == "" {
		newest := int64(0)
		for f, err := range s.Read(ctx, id, math.MaxInt64, math.MaxInt64) {
			if err != nil {
				return "", err
			}
			if f.IsSealed() {
				newest = f.Cycle
			}
		}
		keep = store.KeptName(id, newest)
	}
	_, err := s.Rewind(ctx, id, cycle, keep)
	return fmt.Sprintf("%s goes on from @c%d; what it had is %s", verb.Shown(store.JoinAddress("", id)), cycle, verb.Shown(store.JoinAddress("", keep))), err
}

// atCycle matches what follows a name.
var atCycle = regexp.MustCompile(`@c(\d+)$`)

// run opens the store, and prints what do did.
func (v *forkVerb) run(ctx context.Context, name, to string, do func(context.Context, store.Store, string, int64, string) (string, error)) {
	defer v.Working(func() string { return "opening " + verb.Shown(name) })()
	cycle, base := store.Newest, name
	if m := atCycle.FindStringSubmatch(name); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			v.Fail("%s: the cycle is too large", verb.Shown(name))
			return
		}
		cycle, base = n, name[:len(name)-len(m[0])]
	}
	id, err := url.PathUnescape(to)
	if err != nil {
		v.Fail("%s: a name has %%25 for %%, and %%23 for #", verb.Shown(to))
		return
	}
	if store.IsHistory(to) {
		v.Fail("%s is an address, but a fork is in the store of its base", verb.Shown(to))
		v.Hint("write only its name, which is what follows #")
		return
	}
	if !store.IsAddress(base) {
		folder, of, ok := store.SplitFile(base)
		if !ok {
			v.Fail("%s is not the journal of a history of a store", verb.Shown(base))
			v.Hint("forks are kept in stores: write STORE#NAME, such as 'file:DIR#NAME'")
			return
		}
		base = store.JoinAddress("file:"+folder, of)
	}
	s, of, err := open.Store(ctx, v.Run, base)
	if err == nil {
		var done string
		if done, err = do(ctx, s, of, cycle, id); err == nil {
			fmt.Fprintln(v.Out, done)
		}
		err = errors.Join(err, s.Close())
	}
	switch e, ok := errors.AsType[*store.Error](err); {
	case ok && e.Code == store.ErrConflict && e.ID != of:
		v.Fail("%s: the history exists; choose another name [%s]", verb.Shown(store.JoinAddress("", e.ID)), e.Code)
	case err != nil:
		open.FailHistory(v.Run, base, err, &open.HistoryFlags{})
	}
}
