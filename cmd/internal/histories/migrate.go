package histories

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/engine/migrate"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

const migrateLong = `Bring a history of edition 0.1 to edition 1.0.

Node types are spelled as in 1.0 (mt, mc, cb become seg, cont, block; cb:summary becomes summary), the role of a node
becomes one of its tags, and spec_version becomes 1.0. A stored content hash that was right is recomputed, because it
covers the role. Everything else stays unchanged, including white space.

The result goes to standard output, to the file of -o, or with -w into the files themselves. Before writing, migrate
reads the result back and compares it with the original, node by node.

` + open.HistoryForms + ` With -w, each file in a folder is migrated.

Exit codes: 0 done, also when there was nothing to do; 2 a file cannot be read or written.`

const migrateExample = `  pactkit migrate old.json -o new.json     write another file
  pactkit migrate -w fixtures/*.json       change files in place
  pactkit migrate - < old.json             read standard input`

// migrateVerb brings histories to edition 1.0.
type migrateVerb struct {
	*verb.Run
	history open.HistoryFlags
	out     string
	write   bool
}

// Migrate returns the verb migrate.
func Migrate(r *verb.Run) *cobra.Command {
	v := &migrateVerb{Run: r, history: open.HistoryFlags{Stored: true}}
	cmd := &cobra.Command{
		Use:     "migrate FILE... [-o OUT | -w]",
		Short:   "Bring a history from edition 0.1 to edition 1.0",
		Long:    migrateLong,
		Example: migrateExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("no history given; name a file, or - for standard input")
			case v.write && v.out != "":
				return errors.New("-w and -o cannot be combined")
			case !v.write && len(args) > 1:
				return errors.New("several files are migrated in place only, with -w")
			}
			return open.CheckStdin(args...)
		},
		ValidArgsFunction: open.CompleteHistories(-1),
		RunE:              v.run,
	}
	verb.AddOut(cmd, &v.out, "write the result to the file `OUT`")
	cmd.Flags().BoolVarP(&v.write, "write", "w", false, "write the result into the files themselves")
	v.history.AddStdin(cmd)
	v.history.AddMaxBytes(cmd, "files", open.MaxHistorySize)
	return cmd
}

func (v *migrateVerb) run(cmd *cobra.Command, args []string) error {
	for _, name := range args {
		if cmd.Context().Err() != nil {
			v.Interrupt("interrupted: %s is not looked at", verb.Visible(name))
			break
		}
		if err := v.migrate(cmd.Context(), name); err != nil {
			open.FailHistory(v.Run, name, err, &v.history)
		}
	}
	return nil
}

// migrate migrates a file, a folder or standard input.
func (v *migrateVerb) migrate(ctx context.Context, name string) error {
	if name == verb.StdinName {
		if v.write {
			return errors.New("-w has no file to write to")
		}
		data, err := v.ReadStdin(ctx, v.history.MaxBytes)
		if err != nil {
			return err
		}
		shown := name
		if v.history.StdinFilename != "" {
			shown = v.history.StdinFilename
		}
		out, err := v.text(shown, data)
		if err == nil {
			v.Put(v.out, out)
		}
		return err
	}
	path := v.Abs(name)
	info, err := atomicfile.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return v.folder(name, path)
	}
	return v.file(name, path)
}

// folder migrates the snapshots of a folder, each by itself.
func (v *migrateVerb) folder(name, path string) error {
	if !v.write {
		return errors.New("a folder is migrated in place only, with -w")
	}
	entries, err := atomicfile.List(path)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(strings.TrimSuffix(e.Name(), verb.PackEnding(e.Name())), ".json") {
			continue
		}
		found = true
		if err := v.file(filepath.Join(name, e.Name()), filepath.Join(path, e.Name())); err != nil {
			open.FailHistory(v.Run, filepath.Join(name, e.Name()), err, &v.history)
		}
	}
	if !found {
		return &engine.Error{Code: engine.ErrFileShape, File: name, Msg: "no snapshots in this folder"}
	}
	return nil
}

func (v *migrateVerb) file(name, path string) error {
	data, err := atomicfile.Read(path, v.history.MaxBytes)
	if errors.Is(err, atomicfile.ErrTooLarge) {
		return largerThan(name, v.history.MaxBytes)
	}
	if err != nil {
		return err
	}
	out, err := v.text(name, data)
	switch {
	case err != nil:
		return err
	case !v.write:
		v.Put(v.out, out)
	case !bytes.Equal(out, data):
		if err := atomicfile.Replace(path, data, out); err != nil {
			return fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
		}
	}
	return nil
}

// text migrates the bytes of a file. It keeps their format, or compresses them according to the
// name of -o.
func (v *migrateVerb) text(name string, data []byte) ([]byte, error) {
	inner, text := name, data
	if verb.PackEnding(name) != "" {
		unpacked, s, err := engine.Unpack(name, bytes.NewReader(data), engine.ReadOptions{MaxBytes: v.history.MaxBytes})
		if err != nil {
			return nil, err
		}
		inner, text = unpacked, []byte(s)
	}
	if journal.IsJournal(string(text)) {
		return v.journal(name, data, text)
	}
	out := name
	if v.out != "" && v.out != verb.StdinName {
		out = v.out
		if isLines(out) != isLines(inner) {
			return nil, fmt.Errorf("a migrated file keeps its form: %s cannot become %s", filepath.Ext(inner), verb.Visible(filepath.Base(out)))
		}
	}
	migrated, report, err := migrate.To10(inner, text)
	if err != nil {
		return nil, err
	}
	if report.Versions > 0 {
		v.warnVersion(inner, text)
	}
	v.Note("%s: %s", verb.Visible(name), report)
	if out == name && bytes.Equal(migrated, text) {
		return data, nil
	}
	return verb.Pack(out, migrated)
}

// journal migrates a journal. The result is a journal too, unless -o names a document.
func (v *migrateVerb) journal(name string, data, text []byte) ([]byte, error) {
	limit := engine.ReadOptions{MaxBytes: math.MaxInt64}
	t, info, err := journal.Read(name, bytes.NewReader(text), limit)
	if err != nil {
		return nil, err
	}
	if torn := open.TornAppend(name, info); torn != nil {
		v.Warn("%s", verb.Visible(torn.Error()))
	}
	migrated, report, err := migrate.Timeline(t)
	if err != nil {
		return nil, err
	}
	out, form := name, open.FormJournal
	if v.out != "" && v.out != verb.StdinName {
		out, form = v.out, open.FormOf(v.out)
	}
	v.Note("%s: %s", verb.Visible(name), report)
	switch {
	case form == open.FormDocument:
		if open.HasInfo(t) {
			v.Note(open.LeavesOut, verb.Visible(name), form)
		}
		return verb.Pack(out, append(migrated.AppendJSON(nil), '\n'))
	case !report.Changed() && out == name:
		return data, nil
	case !report.Changed():
		return verb.Pack(out, text)
	}
	written, _, err := journal.Append(nil, migrated, info.About)
	if err != nil {
		return nil, err
	}
	if _, _, err := journal.Verify(name, bytes.NewReader(written), limit); err != nil {
		return nil, verb.InternalError(err)
	}
	return verb.Pack(out, written)
}

// warnVersion warns that a text had an unknown spec_version before it was migrated.
func (v *migrateVerb) warnVersion(name string, text []byte) {
	t, err := engine.Read(name, bytes.NewReader(text), engine.ReadOptions{MaxBytes: 1 << 62})
	if err != nil {
		return // not reached: it was migrated
	}
	for _, w := range t.Warnings() {
		if w.Code == engine.ErrFileVersion {
			v.Warn("%s", verb.Visible(w.Error()))
		}
	}
}

// isLines reports whether a file of that name has one snapshot per line.
func isLines(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, verb.PackEnding(name)), ".jsonl")
}

// largerThan returns the error of a file over a limit.
func largerThan(name string, limit int64) error {
	return &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes", limit)}
}
