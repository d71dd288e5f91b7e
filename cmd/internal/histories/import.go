package histories

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

const importLong = `Make histories from the logs of agents and providers: a snapshot of what the model was sent at each call.

The kind of a log is recognized from its content, and reported on standard error; --from overrides it.
docs/reference/sources.md has a section for each source. In a log of messages each assistant message is the answer of a
call; with --snapshots turn such a log gives a snapshot for each turn instead, at its end.

The history goes to standard output or to the file of -o, as a journal; a file named .json is one document. For several logs,
or a file or folder that holds several, -o names a folder for the histories, or a store (file:DIR,
postgres://HOST/DATABASE); FILE#NAME is one of a file. If a file wraps its messages, --messages names the member that holds
them (history, or request.messages). If the file or a member on the path is a list, each element is a log
(samples.messages). A part of a log that does not fit into a tree is reported on standard error and kept in the history:
'pactkit render' restores the log. The same log gives the same bytes.

A log of messages that is a list or has lines is streamed, and may have any size.

Files may be compressed (.gz, .zst). - is standard input. In folders, files that .gitignore, .ignore and
.pactignore name are skipped.

` + open.Redacts + `

docs/reference/thread.md describes the mapping.

Exit codes: 0 done; 1 done, but a part of a log is broken; 2 a log cannot be read, or a history cannot be written.`

const importExample = `  pactkit import session.jsonl -o session.history.jsonl       the kind is recognized
  pactkit import logs run.eval -o histories                   all in a folder, and a file
  pactkit import --from openai --messages history agent.traj -o agent.jsonl
  pactkit import --from openai --snapshots turn chat.json -o chat.jsonl
  pactkit import --from claude-code session.jsonl | pactkit eval -f - .block+tool`

// maxLogSize is the size over which a log is refused. A file of many logs may be larger.
const maxLogSize = 256 << 20

// importVerb makes histories of logs.
type importVerb struct {
	*verb.Run
	history   open.HistoryFlags
	files     verb.FileFlags
	redact    open.RedactFlag
	snapshots verb.EnumFlag
	out       string
	clock     timeFlag
	edition   verb.EnumFlag
	noIgnore  bool
}

// What --snapshots can ask for.
const (
	byCall = "call"
	byTurn = "turn"
)

// Import returns the verb import.
func Import(r *verb.Run) *cobra.Command {
	v := &importVerb{Run: r, history: open.HistoryFlags{Stored: true}}
	cmd := &cobra.Command{
		Use:     "import [--from FORMAT] FILE... [-o OUT]",
		Short:   "Make histories of the logs of agents and providers",
		Long:    importLong,
		Example: importExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no log given; name files or folders, or - for standard input")
			}
			return open.CheckStdin(args...)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), args)
		},
	}
	v.history.LogFlags.Add(cmd)
	verb.AddEnum(cmd, &v.snapshots, "snapshots", []string{byCall, byTurn}, "make a snapshot for each call or each turn (default call)")
	verb.AddOut(cmd, &v.out, "write the history to the file `OUT`, or the histories to the folder")
	cmd.Flags().Var(&v.clock, "clock", "the time of the first message, for logs without times (default the first second of 1970)")
	verb.AddEnum(cmd, &v.edition, "edition", []string{ast.Edition10.String(), ast.Edition01.String()}, "the edition of the histories, for logs of messages (default 1.0)")
	cmd.Flags().BoolVar(&v.noIgnore, "no-ignore", false, "include files in folders that ignore files name")
	v.history.AddStdin(cmd)
	v.history.AddMaxBytes(cmd, "logs", maxLogSize)
	v.redact.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *importVerb) run(ctx context.Context, args []string) error {
	if ok, err := v.redact.Start(v.Run, &v.history.LogFlags, &v.files); !ok {
		return err
	}
	defer v.redact.Report(v.Run)
	o := open.HistoryOptions(ctx, v.Run, &v.history, args...)
	o.ByTurn, o.Start, o.NoIgnore = v.snapshots.Value == byTurn, v.clock.Time, v.noIgnore
	o.Edition, _ = ast.ParseEdition(v.edition.Value) // one of the flag's, or ""
	w := &importWriter{importVerb: v, args: args, names: names.Set{}, folder: len(args) > 1}
	o.Note = func(n thread.Note) { w.notes.Add([]thread.Note{n}) }
	var read atomic.Pointer[string]
	o.Progress = func(path string, done, size int64) {
		text := fmt.Sprintf("importing %s: %d %%", verb.Visible(path), 100*done/max(size, 1))
		read.Store(&text)
	}
	w.pause = v.Working(func() string { return *cmp.Or(read.Load(), new("importing")) })
	for _, arg := range args {
		if info, err := atomicfile.Stat(v.Abs(arg)); err == nil && info.IsDir() {
			w.folder = true
		}
	}
	for one, err := range sessions.All(ctx, args, o) {
		if err != nil && ctx.Err() == nil {
			w.pause()
			w.failed(one, err)
		} else if err != nil || !w.add(ctx, one) {
			break
		}
	}
	w.pause()
	w.end(ctx)
	return nil
}

// importWriter writes histories as logs are read. The first waits for the second, which makes the
// output a folder.
type importWriter struct {
	*importVerb
	args    []string
	pause   func() // ends the progress display
	file    string // of the latest session
	first   *sessions.Session
	folder  bool // of several histories
	made    bool // the folder is there
	names   names.Set
	store   store.Store // of -o, opened once for all logs
	written int
	notes   open.NoteGroups
}

// failed reports that a file cannot be read.
func (w *importWriter) failed(one sessions.Session, err error) {
	w.failLog(one.Path, err)
	if f := w.first; f != nil && f.Path == one.Path && f.Name == "" { // the logs of a list that were read before the error are kept
		w.first = nil
	}
}

// add takes the next session. It returns false if no more can be written.
func (w *importWriter) add(ctx context.Context, s sessions.Session) bool {
	if s.Path != w.file {
		w.file = s.Path
		if w.history.IsAuto() {
			w.pause()
			w.Note("%s: recognized as %s", verb.Visible(s.Path), s.Kind)
		}
	}
	if w.first == nil && !w.folder && (s.Name == "" || w.history.Messages == "") {
		w.first = &s
		return true
	}
	w.folder = true
	if !w.made && !w.makeFolder(ctx) {
		w.first = nil // one of several is not written
		return false
	}
	w.made = true
	if first := w.first; first != nil {
		w.first = nil
		w.putInFolder(ctx, *first)
	}
	w.putInFolder(ctx, s)
	return ctx.Err() == nil
}

// source names what is imported.
func (w *importWriter) source() string {
	names := make([]string, len(w.args))
	for i, arg := range w.args {
		names[i] = verb.Shown(arg)
	}
	return strings.Join(names, ", ")
}

// makeFolder makes the folder of -o.
func (w *importWriter) makeFolder(ctx context.Context) bool {
	w.pause()
	switch {
	case w.out == "" || w.out == verb.StdinName:
		w.Fail("%s holds a list of logs: name a folder for the histories with -o", w.source())
		return false
	case store.IsAddress(w.out):
		if _, id, err := store.SplitAddress(w.out); err == nil && id != "" {
			w.Fail("%s holds a list of logs, and %s names one history: leave out what follows the #", w.source(), verb.Shown(w.out))
			return false
		}
		var err error
		if w.store, _, err = sessions.OpenStore(ctx, w.out, w.Run.Folder); err != nil {
			w.FailOutput(w.out, err)
		}
		return err == nil
	}
	if info, err := atomicfile.Stat(w.Abs(w.out)); namesFile(w.out) && (err != nil || !info.IsDir()) {
		holds := "holds"
		if len(w.args) > 1 {
			holds = "hold"
		}
		w.Fail("%s %s several histories, and %s names a file", w.source(), holds, verb.Shown(w.out))
		w.Hint("-o names a folder for them, or a store; FILE#NAME is one of them")
		return false
	}
	if err := atomicfile.MakeFolder(w.Abs(w.out)); err != nil {
		w.Fail("%s: %s", verb.Shown(w.out), verb.Sanitize(atomicfile.Reason(err)))
		return false
	}
	return true
}

// namesFile reports whether a path ends as the files of histories do.
func namesFile(path string) bool {
	if verb.PackEnding(path) != "" {
		return true
	}
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".ndjson")
}

// id returns the name of a history among others: that of its log in the file, or of the file where
// there are several of these, or both.
func (w *importWriter) id(s sessions.Session) string {
	path := s.Path
	if len(s.Files) > 0 {
		path = s.Files[0]
	}
	file, isArgument := filepath.Base(path), false
	for _, arg := range w.args {
		if rel, err := filepath.Rel(arg, path); err == nil && filepath.IsLocal(rel) {
			if isArgument = rel == "."; !isArgument {
				file = filepath.ToSlash(rel)
			}
			break
		}
	}
	file = strings.TrimSuffix(file, verb.PackEnding(file))
	file = strings.TrimSuffix(file, filepath.Ext(file))
	id := s.Name
	if r := w.redact.Using; r != nil {
		file, id = r.Text(file), r.Text(id)
	}
	switch {
	case id == "":
		id = file
	case !isArgument || len(w.args) > 1:
		id = file + "/" + id
	}
	return w.names.Add(id)
}

func (w *importWriter) putInFolder(ctx context.Context, s sessions.Session) {
	id := w.id(s)
	out := filepath.Join(w.out, store.FileName(id))
	if store.IsAddress(w.out) {
		out = store.JoinAddress(w.out, id)
	}
	if w.put(ctx, out, id, s) {
		w.written++
	}
}

func (w *importWriter) put(ctx context.Context, out, id string, s sessions.Session) bool {
	open.NoteEdition(w.importVerb.Run, s.Timeline.Warnings())
	form := open.FormOf(out)
	if form == open.FormDocument && open.HasInfo(s.Timeline) {
		w.Note(open.LeavesOut, verb.Shown(out), form)
	}
	isHistory := s.Kind == sessions.Journal || s.Kind == sessions.Document
	return open.PutHistory(ctx, w.importVerb.Run, out, open.Written{
		History: s.Timeline, Form: form, Limit: w.history.MaxBytes, Snapshots: !isHistory, Store: w.store, About: journal.About{ID: id, Source: string(s.Kind)},
	})
}

// end reports what was done.
func (w *importWriter) end(ctx context.Context) {
	if w.store != nil {
		defer w.store.Close()
	}
	name := w.source()
	if ctx.Err() != nil {
		done := name + " is not imported"
		if w.made {
			done = fmt.Sprintf("%s of %s imported", verb.Count(w.written, "log"), name)
		}
		w.Interrupt("interrupted: %s", done)
		return
	}
	open.ReportGroups(w.importVerb.Run, name, &w.notes)
	if w.notes.Broken {
		w.Find("%s: a part of the log is broken", name)
	}
	switch {
	case w.first != nil:
		w.put(ctx, w.out, w.first.Name, *w.first)
	case w.written == 1:
		w.Note("%s holds 1 history", verb.Shown(w.out))
	case w.made:
		w.Note("%s holds %d histories", verb.Shown(w.out), w.written)
	}
}

// failLog reports that a log cannot be read.
func (v *importVerb) failLog(name string, err error) {
	v.FailAbout(name, err, func(e *failure.Failure) string {
		switch {
		case e.Code == engine.ErrFileShape && v.history.IsAuto():
			return "the kind of log is not recognized, or it records no calls: name the kind with --from, and the member that holds the messages with --messages"
		case e.Code == engine.ErrFileShape && v.history.Messages == "":
			return "does the file wrap its messages? --messages names the member they are in"
		case e.Code == engine.ErrFileLimit:
			return "--max-bytes raises the limit; or split the log into several files"
		case open.IsTruncated(e):
			return open.HistoryHint(e, &v.history)
		}
		return ""
	})
}
