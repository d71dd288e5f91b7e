package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

const importLong = `Make a history of the log of a provider: every turn of the conversation is a snapshot.

The history goes to standard output or to the file of -o, as a journal; a file named .json is one document. If a file
wraps its messages, --messages names the member that holds them (history, or request.messages). If the file or a member
on the way is a list, each element is a log (samples.messages), and -o names a folder for the histories, or a store
(file:DIR, postgres://HOST/DATABASE). A part of the log that does not fit into a tree is reported on standard error and
kept in the history: 'pactkit render' gives the log again. The same log gives the same bytes.

A file that is a list or has lines is read as a stream, and may be of any size.

Files may be compressed (.gz, .zst). - is standard input. docs/reference/thread.md describes the mapping.

Exit codes: 0 done; 1 done, but a part of the log is broken; 2 the log cannot be read, or a history cannot be written.`

const importExample = `  pactkit import --from openai chat.json -o chat.jsonl
  pactkit import --from openai --messages history agent.traj -o agent.jsonl
  pactkit import --from openai --messages samples.messages eval.json -o histories
  pactkit import --from claude-code session.jsonl | pactkit eval -f - .block+tool`

// maxLogSize is the size over which a log is refused. A file of many logs may be larger.
const maxLogSize = 256 << 20

// importVerb makes histories of logs.
type importVerb struct {
	*session
	history  historyFlags
	from     enumFlag
	messages string
	out      string
	clock    timeFlag
	edition  enumFlag
}

func (s *session) importCommand() *cobra.Command {
	v := &importVerb{session: s}
	cmd := &cobra.Command{
		Use:     "import --from FORMAT FILE [-o OUT]",
		Short:   "Make a history of the log of a provider",
		Long:    importLong,
		Example: importExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case v.from.value == "":
				return fmt.Errorf("no format given; --from is one of %s", v.from.Type())
			case len(args) == 0:
				return errors.New("no log given; name a file, or - for standard input")
			case len(args) > 1:
				return errors.New("one log at a time")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			v.run(cmd.Context(), args[0])
			return nil
		},
	}
	addEnum(cmd, &v.from, "from", threadFormats(thread.Format.Imports), "the format of the log")
	addOut(cmd, &v.out, "write the history to the file `OUT`, or the histories to the folder")
	cmd.Flags().StringVar(&v.messages, "messages", "", "the `PATH` of the member with the messages, such as history or samples.messages")
	cmd.Flags().Var(&v.clock, "clock", "the time of the first message, for logs without times (default the first second of 1970)")
	addEnum(cmd, &v.edition, "edition", []string{ast.Edition10.String(), ast.Edition01.String()}, "the edition of the history (default 1.0)")
	v.history.addStdin(cmd)
	v.history.addMaxBytes(cmd, "logs", maxLogSize)
	return cmd
}

func (v *importVerb) run(ctx context.Context, name string) {
	format, err := thread.ParseFormat(v.from.value)
	if err != nil {
		v.fail("%v", err)
		return
	}
	in, err := v.openStream(ctx, name, v.history.stdinFilename)
	if err != nil {
		v.failLog(name, err)
		return
	}
	defer in.Close()
	o := thread.ImportOptions{Messages: v.messages, Start: v.clock.Time, MaxBytes: v.history.maxBytes}
	o.Edition, _ = ast.ParseEdition(v.edition.value) // one of the flag's, or ""
	var read atomic.Int64
	o.Progress = read.Store
	w := &importWriter{importVerb: v, name: name}
	w.pause = v.working(func() string {
		if in.size > 0 {
			return fmt.Sprintf("importing %s: %d %%", visible(name), 100*read.Load()/in.size)
		}
		return fmt.Sprintf("importing %s: %d MB", visible(name), read.Load()>>20)
	})
	for l, bad := range thread.ImportSeq(ctx, in.name, in, format, o) {
		if err = bad; err == nil && !w.add(ctx, l) {
			break
		}
	}
	w.pause()
	w.end(ctx, err)
}

// isOnly tells a log that is a whole file from one of a list.
func isOnly(l thread.Log) bool { return l.Name == "" }

// importWriter writes logs as they are read. The first waits for the second, which makes the output a folder.
type importWriter struct {
	*importVerb
	name    string // of the file of logs
	pause   func() // ends what shows the progress
	first   *thread.Log
	folder  bool
	written int
	notes   noteGroups
}

// add takes the next log. It returns false if no more can be written.
func (w *importWriter) add(ctx context.Context, l thread.Log) bool {
	if w.first == nil && !w.folder && (isOnly(l) || w.messages == "") {
		w.first = &l
		return true
	}
	if !w.folder {
		if !w.makeFolder() {
			return false
		}
		w.folder = true
	}
	if first := w.first; first != nil {
		w.first = nil
		w.putInFolder(ctx, *first)
	}
	w.putInFolder(ctx, l)
	return ctx.Err() == nil
}

// makeFolder makes the folder of -o.
func (w *importWriter) makeFolder() bool {
	w.pause()
	switch {
	case w.out == "" || w.out == stdinName:
		w.fail("%s holds a list of logs: name a folder for the histories with -o", visible(w.name))
		return false
	case store.IsAddress(w.out):
		if strings.Contains(w.out, "#") {
			w.fail("%s holds a list of logs, and %s names one history: leave out what follows the #", visible(w.name), shown(w.out))
			return false
		}
		return true
	}
	if err := os.MkdirAll(w.abs(w.out), 0o755); err != nil {
		w.fail("%s: %s", shown(w.out), sanitize(reason(err)))
		return false
	}
	return true
}

func (w *importWriter) putInFolder(ctx context.Context, l thread.Log) {
	w.notes.add(l.Notes)
	out := filepath.Join(w.out, store.FileName(l.Name))
	if store.IsAddress(w.out) {
		out = store.JoinAddress(w.out, l.Name)
	}
	if w.put(ctx, out, l) {
		w.written++
	}
}

func (w *importWriter) put(ctx context.Context, out string, l thread.Log) bool {
	return w.putHistory(ctx, out, written{
		history: l.Timeline(), form: formOf(out), limit: w.history.maxBytes, snapshots: true, about: journal.About{ID: l.Name, Source: w.from.value},
	})
}

// end reports what was done; err is what ended the file early.
func (w *importWriter) end(ctx context.Context, err error) {
	if ctx.Err() != nil {
		done := visible(w.name) + " is not imported"
		if w.folder {
			done = fmt.Sprintf("%s of %s imported", count(w.written, "log"), visible(w.name))
		}
		w.interrupt("interrupted: %s", done)
		return
	}
	if err != nil {
		w.failLog(w.name, err)
		if w.first != nil && isOnly(*w.first) { // of many logs, those that were read are good
			w.first = nil
		}
	}
	if w.first != nil {
		w.notes.add(w.first.Notes)
	}
	w.tellGroups(w.name, &w.notes)
	if w.notes.broken {
		w.find("%s: a part of the log is broken", w.name)
	}
	switch {
	case w.first != nil:
		w.put(ctx, w.out, *w.first)
	case w.written == 1:
		w.note("%s holds 1 history", shown(w.out))
	case w.folder:
		w.note("%s holds %d histories", shown(w.out), w.written)
	}
}

// failLog reports that a log cannot be read.
func (v *importVerb) failLog(name string, err error) {
	if name == "" {
		v.fail("an empty path names nothing")
		return
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		v.fail("%s: %s", visible(name), sanitize(reason(err)))
		return
	}
	v.fail("%s", visible(e.Error()))
	hint := ""
	switch {
	case e.Code == engine.ErrFileShape && v.messages == "":
		hint = "does the file wrap its messages? --messages names the member they are in"
	case e.Code == engine.ErrFileLimit:
		hint = "--max-bytes raises the limit; or split the log into several files"
	case isCutOff(e):
		hint = historyHint(e, &v.history)
	}
	if hint != "" {
		fmt.Fprintf(v.err, "  hint: %s\n", hint)
	}
}
