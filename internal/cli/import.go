package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/thread"
)

const importLong = `Make a history of the log of a provider: every turn of the conversation is a snapshot.

The history goes to standard output or to the file of -o. If a file wraps its messages, --messages names the member
that holds them (history, or request.messages). If the file or a member on the way is a list, each element is a log
(samples.messages), and -o names a folder for the histories. A part of the log that does not fit into a tree is reported
on standard error and kept in the history: 'pactkit render' gives the log again. The same log gives the same bytes.

Files may be compressed (.gz, .zst). - is standard input. docs/reference/thread.md describes the mapping.

Exit codes: 0 done; 1 done, but a part of the log is broken; 2 the log cannot be read, or a history cannot be written.`

const importExample = `  pactkit import --from openai chat.json -o chat.history.json
  pactkit import --from openai --messages history agent.traj -o agent.json
  pactkit import --from openai --messages samples.messages eval.json -o histories
  pactkit import --from claude-code session.jsonl | pactkit eval -f - .block+tool`

// maxLogSize is the size over which a log is refused, after decompression.
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
	v.history.addMaxBytes(cmd, maxLogSize)
	return cmd
}

func (v *importVerb) run(ctx context.Context, name string) {
	format, err := thread.ParseFormat(v.from.value)
	if err != nil {
		v.fail("%v", err)
		return
	}
	o := thread.ImportOptions{Messages: v.messages, Start: v.clock.Time, MaxBytes: v.history.maxBytes}
	o.Edition, _ = ast.ParseEdition(v.edition.value) // one of the flag's, or ""
	logs, err := v.readWatched(ctx, name, format, o)
	if ctx.Err() != nil {
		v.interrupt("interrupted: %s is not imported", visible(name))
		return
	}
	if err != nil {
		v.failLog(name, err)
		logs = slices.DeleteFunc(logs, isOnly) // of many logs, those that were read are good
		if len(logs) == 0 {
			return
		}
	}
	var notes []thread.Note
	for _, l := range logs {
		notes = append(notes, l.Notes...)
	}
	v.tellNotes(name, notes)
	if slices.ContainsFunc(notes, func(n thread.Note) bool { return n.Kind == thread.Malformed }) {
		v.find("%s: a part of the log is broken", name)
	}
	switch {
	case len(logs) == 1 && (isOnly(logs[0]) || v.messages == ""):
		v.putHistory(v.out, logs[0].Timeline(), v.history.maxBytes)
	case len(logs) > 0:
		v.putAll(ctx, name, logs)
	}
}

// isOnly tells a log that is a whole file from one of a list.
func isOnly(l thread.Log) bool { return l.Name == "" }

// readWatched reads the logs of a file and shows how far it has come.
func (v *importVerb) readWatched(ctx context.Context, name string, f thread.Format, o thread.ImportOptions) ([]thread.Log, error) {
	var done, total atomic.Int64
	o.Progress = func(d, t int) { done.Store(int64(d)); total.Store(int64(t)) }
	defer v.working(func() string {
		what := "importing " + visible(name)
		if t := total.Load(); t > 0 {
			what += fmt.Sprintf(": %d %%", 100*done.Load()/t)
		}
		return what
	})()
	return v.read(ctx, name, f, o)
}

// read reads the logs of a file.
func (v *importVerb) read(ctx context.Context, name string, f thread.Format, o thread.ImportOptions) ([]thread.Log, error) {
	var in io.Reader
	path := name
	switch {
	case name == "":
		return nil, errors.New("an empty path names nothing")
	case name == stdinName:
		data, err := v.readStdin(ctx, o.MaxBytes+1)
		if err != nil && !errors.Is(err, atomicfile.ErrTooLarge) {
			return nil, err
		}
		in = bytes.NewReader(data)
		if v.history.stdinFilename != "" {
			path = v.history.stdinFilename
		}
	default:
		file, err := atomicfile.Open(v.abs(name))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		in = &sizedFile{file, info.Size()}
	}
	if packEnding(path) != "" {
		inner, text, err := engine.Unpack(path, in, engine.ReadOptions{MaxBytes: o.MaxBytes})
		if err != nil {
			return nil, err
		}
		return thread.ImportFrom(ctx, inner, strings.NewReader(text), f, o)
	}
	return thread.ImportFrom(ctx, path, in, f, o)
}

// failLog reports that a log cannot be read.
func (v *importVerb) failLog(name string, err error) {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		if name == "" {
			v.fail("%s", err)
			return
		}
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

// putAll writes each log to a file of its own in the folder of -o.
func (v *importVerb) putAll(ctx context.Context, name string, logs []thread.Log) {
	if v.out == "" || v.out == stdinName {
		v.fail("%s holds %s: name a folder for the histories with -o", visible(name), count(len(logs), "log"))
		return
	}
	if err := os.MkdirAll(v.abs(v.out), 0o755); err != nil {
		v.fail("%s: %s", visible(v.out), sanitize(reason(err)))
		return
	}
	taken := map[string]bool{}
	written := 0
	for _, l := range logs {
		if ctx.Err() != nil {
			v.interrupt("interrupted: %s not written", count(len(logs)-written, "log"))
			return
		}
		if v.putHistory(filepath.Join(v.out, fileName(l.Name, taken)+".json"), l.Timeline(), v.history.maxBytes) {
			written++
		}
	}
	if written == 1 {
		v.note("%s holds 1 history", visible(v.out))
	} else {
		v.note("%s holds %d histories", visible(v.out), written)
	}
}

// maxFileName is the length of a file name that every system takes, with room for a number and the ending.
const maxFileName = 100

// fileName turns the name of a log into one for a file, different from those that are taken.
func fileName(name string, taken map[string]bool) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, name)
	safe = strings.TrimLeft(safe[:min(len(safe), maxFileName)], ".")
	if safe == "" {
		safe = "log"
	}
	// Some file systems do not tell upper case from lower.
	unique := safe
	for n := 2; taken[strings.ToLower(unique)]; n++ {
		unique = fmt.Sprintf("%s-%d", safe, n)
	}
	taken[strings.ToLower(unique)] = true
	return unique
}
