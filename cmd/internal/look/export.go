package look

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
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

` + open.Redacts + `

` + open.HistoryForms + `

Exit codes: 0 done; 2 the history cannot be read or written, or there is no such snapshot or node.`

const exportExample = `  pactkit export agent.json > now.json                  the newest state
  pactkit export agent.json --at @t-1 | sha256sum       the state before
  pactkit export agent.json --hash block:u1 block:a1    content hashes of two nodes
  pactkit export agent.json --history journal -o agent.jsonl    the whole history as a journal
  pactkit export agent.jsonl --history json > again.json        and as one document`

// exportVerb prints snapshots as bytes that do not depend on their storage.
type exportVerb struct {
	*verb.Run
	history open.HistoryFlags
	files   verb.FileFlags
	redact  open.RedactFlag
	at      open.InstantFlag
	form    verb.EnumFlag
	whole   verb.EnumFlag // --history
	file    string        // of -o
	hash    []string
	ids     []string // further ones, from arguments
}

// Export returns the verb export.
func Export(r *verb.Run) *cobra.Command {
	v := &exportVerb{Run: r, history: open.HistoryFlags{Stored: true}}
	cmd := &cobra.Command{
		Use:     "export [FILE] [--at @t-1] [--history FORM] [--hash ID...]",
		Short:   "Print a snapshot as canonical bytes",
		Long:    exportLong,
		Example: exportExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(v.history.From) == 0 && len(args) > 0 {
				v.history.From, args = args[:1], args[1:]
			}
			switch {
			case len(v.hash) > 0 && v.form.Value != "":
				return errors.New("--hash and --form cannot be combined")
			case v.whole.Value == "" && v.file != "":
				return errors.New("-o requires --history")
			case v.whole.Value != "" && (len(v.hash) > 0 || v.form.Value != "" || v.at.Text != ""):
				return errors.New("--history is about all snapshots; --at, --form and --hash are about one")
			}
			if v.ids = args; len(args) > 0 && len(v.hash) == 0 {
				return errors.New("name one history; several files make one history with -f")
			}
			return open.CheckStdin(v.history.From...)
		},
		ValidArgsFunction: v.history.CompleteAfter(0),
		RunE:              func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context()) },
	}
	v.history.AddFrom(cmd)
	open.AddAt(cmd, &v.at)
	verb.AddEnum(cmd, &v.form, "form", []string{"canonical", "reference"}, "the bytes to print (default canonical)")
	verb.AddEnum(cmd, &v.whole, "history", []string{string(open.FormJournal), string(open.FormDocument), string(open.FormLines)}, "print the whole history in this form")
	verb.AddOut(cmd, &v.file, "write the history to the file `OUT` (default standard output)")
	cmd.Flags().StringArrayVar(&v.hash, "hash", nil, "print the content hash of the node `ID`, and of those named by further arguments")
	v.history.Add(cmd)
	v.redact.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *exportVerb) run(ctx context.Context) error {
	if err := open.Source(v.Run, &v.history, &v.files); err != nil || len(v.history.From) == 0 {
		return err
	}
	if ok, err := v.redact.Start(v.Run, &v.history.LogFlags, &v.files); !ok {
		return err
	}
	defer v.redact.Report(v.Run)
	if v.whole.Value != "" {
		if t := open.From(ctx, v.Run, &v.history); t != nil {
			form := open.HistoryForm(v.whole.Value)
			if form != open.FormJournal && open.HasInfo(t) {
				v.Note(open.LeavesOut, v.history.Name(), form)
			}
			open.PutHistory(ctx, v.Run, v.file, open.Written{History: t, Form: form, Limit: v.history.MaxBytes})
		}
		return nil
	}
	snap := open.Snapshot(ctx, v.Run, v.at, &v.history)
	switch {
	case snap == nil:
	case len(v.hash) > 0:
		for _, id := range append(v.hash, v.ids...) {
			n, ok := snap.Find(id)
			if !ok {
				v.Fail("%s: no node has the id %q", v.history.Name(), id)
				continue
			}
			fmt.Fprintf(v.Out, "%s  %s\n", n.ComputedHash(), verb.Visible(id))
		}
	case v.form.Value == "reference":
		_, _ = v.Out.Write(snap.AppendReference(nil)) // the last flush reports errors
	default:
		_, _ = snap.WriteTo(v.Out)
	}
	return nil
}
