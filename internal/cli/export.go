package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

const exportLong = `Print a snapshot of a history as canonical bytes. No newline follows.

  canonical  every member, with missing headers filled in; exporting the result again gives the same bytes
  reference  the bytes of the reference implementation (PACT 0.1, 08 §6): the members it knows, as they were

With --history, print instead the whole history, ending in a newline, or write it to the file of -o:

  json     one document, with the working state and everything needed to continue
  jsonl    one snapshot per line; a history with more than snapshots is refused
  journal  what is new in each snapshot, which is how an import writes histories

The first two are the forms of the specification. They hold every snapshot whole, so a long history gets large.

With --hash, print instead the content hash of each named node, one line each: hash and id. The hash is computed from the
content, whatever hash the node stores.

` + historyForms + `

Exit codes: 0 done; 2 the history cannot be read or written, or there is no such snapshot or node.`

const exportExample = `  pactkit export agent.json > now.json                  the newest state
  pactkit export agent.json --at @t-1 | sha256sum       the state before
  pactkit export agent.json --hash block:u1 block:a1    content hashes of two nodes
  pactkit export agent.json --history journal -o agent.jsonl    the whole history as a journal
  pactkit export agent.jsonl --history json > again.json        and as one document`

// leavesOut says what a format cannot express.
const leavesOut = "%s: the form %s cannot hold the records of model calls or why nodes left; a journal can"

// exportVerb prints snapshots as bytes that do not depend on their storage.
type exportVerb struct {
	*session
	history historyFlags
	files   fileFlags
	at      instantFlag
	form    enumFlag
	whole   enumFlag // --history
	file    string   // of -o
	hash    []string
	ids     []string // further ones, from arguments
}

func (s *session) exportCommand() *cobra.Command {
	v := &exportVerb{session: s}
	cmd := &cobra.Command{
		Use:     "export [FILE] [--at @t-1] [--history FORM] [--hash ID...]",
		Short:   "Print a snapshot as canonical bytes",
		Long:    exportLong,
		Example: exportExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(v.history.from) == 0 && len(args) > 0 {
				v.history.from, args = args[:1], args[1:]
			}
			switch {
			case len(v.hash) > 0 && v.form.value != "":
				return errors.New("--hash and --form cannot be combined")
			case v.whole.value == "" && v.file != "":
				return errors.New("-o requires --history")
			case v.whole.value != "" && (len(v.hash) > 0 || v.form.value != "" || v.at.text != ""):
				return errors.New("--history is about all snapshots; --at, --form and --hash are about one")
			}
			if v.ids = args; len(args) > 0 && len(v.hash) == 0 {
				return errors.New("name one history; several files make one history with -f")
			}
			return checkStdin(v.history.from...)
		},
		ValidArgsFunction: v.history.completeAfter(0),
		RunE:              func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context()) },
	}
	v.history.addFrom(cmd)
	addAt(cmd, &v.at)
	addEnum(cmd, &v.form, "form", []string{"canonical", "reference"}, "the bytes to print (default canonical)")
	addEnum(cmd, &v.whole, "history", []string{string(formJournal), string(formDocument), string(formLines)}, "print the whole history in this form")
	addOut(cmd, &v.file, "write the history to the file `OUT` (default standard output)")
	cmd.Flags().StringArrayVar(&v.hash, "hash", nil, "print the content hash of the node `ID`, and of those named by further arguments")
	v.history.add(cmd)
	v.files.addConfig(cmd)
	return cmd
}

func (v *exportVerb) run(ctx context.Context) error {
	if err := v.source(&v.history, &v.files); err != nil || len(v.history.from) == 0 {
		return err
	}
	if v.whole.value != "" {
		if t := v.openFrom(ctx, &v.history); t != nil {
			form := historyForm(v.whole.value)
			if form != formJournal && hasInfo(t) {
				v.note(leavesOut, v.history.name(), form)
			}
			v.putHistory(ctx, v.file, written{history: t, form: form, limit: v.history.maxBytes})
		}
		return nil
	}
	snap := v.openSnapshot(ctx, v.at, &v.history)
	switch {
	case snap == nil:
	case len(v.hash) > 0:
		for _, id := range append(v.hash, v.ids...) {
			n, ok := snap.Find(id)
			if !ok {
				v.fail("%s: no node has the id %q", v.history.name(), id)
				continue
			}
			fmt.Fprintf(v.out, "%s  %s\n", n.ComputedHash(), visible(id))
		}
	case v.form.value == "reference":
		_, _ = v.out.Write(snap.AppendReference(nil)) // the last flush reports errors
	default:
		_, _ = snap.WriteTo(v.out)
	}
	return nil
}
