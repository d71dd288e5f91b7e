package cli

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/parser"
)

// The limits of reading a history, which flags raise.
const (
	maxHistorySize  = 512 << 20
	maxHistoryDepth = 1000
)

// historyFlags are the flags of the verbs that read histories.
type historyFlags struct {
	from          []string // the files of the history to look at
	argument      bool     // it was named by the argument after a selector
	stdinFilename string
	strict        bool
	maxBytes      int64 // 0 for a verb without the flag; the same for maxDepth
	maxDepth      int
}

const historyForms = `A history is a .json file with one snapshot or a list of them, a .jsonl file with a snapshot a line, or a folder
of snapshots; .gz and .zst of the files are read as well. - is standard input.`

func (f *historyFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "refuse histories that break an invariant, instead of warning")
	f.addStdin(cmd)
	f.addLimits(cmd)
}

// addLimits adds the flags that raise the limits of reading a history.
func (f *historyFlags) addLimits(cmd *cobra.Command) {
	f.addMaxBytes(cmd, maxHistorySize)
	cmd.Flags().IntVar(&f.maxDepth, "max-depth", maxHistoryDepth, "refuse nodes or content nested deeper than `N` levels")
}

func (f *historyFlags) addMaxBytes(cmd *cobra.Command, size int64) {
	cmd.Flags().Int64Var(&f.maxBytes, "max-bytes", size, "refuse files larger than `N` bytes after decompression")
}

// addFrom adds the flag that names the history to look at, for verbs that take it as an argument, too.
func (f *historyFlags) addFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.from, "file", "f", nil, "the history to look at (`FILE`); several make one")
	_ = cmd.MarkFlagFilename("file", "json", "jsonl", "gz", "zst")
}

// take returns the arguments without that which names the history: without -f, the one behind the first n.
func (f *historyFlags) take(args []string, n int) ([]string, error) {
	if len(f.from) > 0 || len(args) <= n {
		return args, nil
	}
	if len(args) > n+1 {
		return nil, fmt.Errorf("%q and %q: name the history with -f, so that it is told from other arguments", visible(args[n]), visible(args[n+1]))
	}
	f.from, f.argument = args[n:], n > 0
	return args[:n], nil
}

// orFixture takes the fixture of the configuration where no history is named.
func (f *historyFlags) orFixture(cfg *config.Config) error {
	if len(f.from) > 0 {
		return nil
	}
	switch names := cfg.Fixtures(); len(names) {
	case 0:
		return errors.New("no history given; name its file, or - for standard input, or a fixture in the configuration")
	case 1:
		f.from = names
		return nil
	default:
		return fmt.Errorf("the configuration has %d fixtures; choose one with -f", len(names))
	}
}

func (f *historyFlags) addStdin(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.stdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for: its ending decides the form")
	_ = cmd.MarkFlagFilename("stdin-filename")
}

// checkStdin refuses a second use of standard input.
func checkStdin(names ...string) error {
	used := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != "-" })
	if len(used) > 1 {
		return errors.New("standard input (-) can be read only once")
	}
	return nil
}

// completeHistories offers the files a history may be in, for the arguments from the first on.
func completeHistories(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{"json", "jsonl", "gz", "zst"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeAfter offers the same files behind the first n arguments, unless -f names one.
func (f *historyFlags) completeAfter(n int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < n || len(f.from) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeHistories(n+1)(cmd, args, word)
	}
}

// openHistory reads a history and warns of what lenient reading let pass. What goes wrong is reported; then it
// returns nil.
func (s *session) openHistory(ctx context.Context, name string, f *historyFlags) *engine.Timeline {
	t, err := s.readHistory(ctx, name, f, engine.ReadOptions{Strict: f.strict})
	if err != nil {
		s.failHistory(name, err, f)
		return nil
	}
	s.warnInvariants(name, t.Warnings())
	return t
}

// openFrom reads the files that the flags name as one history. What goes wrong is reported; then it returns nil.
func (s *session) openFrom(ctx context.Context, f *historyFlags) *engine.Timeline {
	var list []*engine.Timeline
	for _, name := range f.from {
		t := s.openHistory(ctx, name, f)
		if t == nil {
			if _, err := os.Stat(s.abs(name)); f.argument && errors.Is(err, fs.ErrNotExist) {
				s.hint("the argument after the selector is the history: put a selector in quotes, or name the history with -f")
			}
			return nil
		}
		list = append(list, t)
	}
	t, err := engine.Join(list...)
	if err != nil {
		s.fail("%s: %s", f.name(), visible(err.Error()))
		fmt.Fprintf(s.err, "  hint: several files make one history by the %q of their snapshots\n", "cycle")
		return nil
	}
	return t
}

// readHistory reads what a name stands for: a file, a folder, or standard input.
func (s *session) readHistory(ctx context.Context, name string, f *historyFlags, o engine.ReadOptions) (*engine.Timeline, error) {
	o.MaxBytes, o.MaxDepth = cmp.Or(f.maxBytes, maxHistorySize), cmp.Or(f.maxDepth, maxHistoryDepth)
	defer s.working(func() string { return "reading " + visible(name) })()
	switch {
	case name == "":
		return nil, fs.ErrInvalid
	case name == stdinName:
		data, err := s.readStdin(ctx, o.MaxBytes)
		if errors.Is(err, atomicfile.ErrTooLarge) {
			return nil, largerThan(name, o.MaxBytes)
		}
		if err != nil {
			return nil, err
		}
		if f.stdinFilename != "" {
			name = f.stdinFilename
		}
		return engine.Read(name, bytes.NewReader(data), o)
	}
	path := s.abs(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return engine.LoadDir(folder(path), name, o)
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return engine.Read(name, &sizedFile{file, info.Size()}, o)
}

// largerThan returns the error of a file over a limit.
func largerThan(name string, limit int64) error {
	return &engine.Error{Code: engine.ErrFileLimit, File: name, Msg: fmt.Sprintf("larger than %d bytes", limit)}
}

// sizedFile tells the engine how much there is to read.
type sizedFile struct {
	io.Reader
	size int64
}

func (f *sizedFile) Len() int { return int(f.size) }

// folder opens regular files only, so that no named pipe in it can hold up a program.
type folder string

func (f folder) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(string(f))
	}
	file, err := atomicfile.Open(filepath.Join(string(f), name))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, reason(err))
	}
	return file, nil
}

// readStdin reads standard input until it ends or the program is interrupted.
func (s *session) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	type input struct {
		data []byte
		err  error
	}
	got := make(chan input, 1)
	go func() {
		data, err := readAll(s.in, limit)
		got <- input{data, err}
	}()
	select {
	case i := <-got:
		return i.data, i.err
	case <-ctx.Done():
		return nil, errors.New("interrupted")
	}
}

// historyHints say what to do about failures of reading.
var historyHints = map[engine.Code]string{
	engine.ErrFileShape:     `a snapshot is {"root": …}, a history {"snapshots": […]}; 'pactkit import' makes one of the log of a provider`,
	engine.ErrFileLimit:     "cut the history into several files, oldest first",
	engine.ErrNodeIDMissing: `every node but the root and the regions needs an "id"`,
	engine.ErrFileVersion:   "the editions are PACT/1.0 and PACT/0.1; without --strict this is a warning",
	engine.ErrInvariant:     "without --strict this is a warning; 'pactkit validate' lists everything of the kind",
}

// historyHint says what to do about a failure of reading, or returns "".
func historyHint(e *engine.Error, f *historyFlags) string {
	switch {
	case e.Code == engine.ErrFileLimit && f.maxBytes > 0:
		return "--max-bytes raises the limit; or " + historyHints[e.Code]
	case e.Code == engine.ErrTreeDepth && f.maxDepth > 0:
		return "--max-depth raises the limit"
	case isCutOff(e):
		return "the file may be cut off: it ends in the middle of a value"
	case e.Code == engine.ErrFileShape && strings.HasPrefix(e.Msg, "a folder holds"):
		return "in a folder of histories each file is one by itself: give the verb a single file, or several with -f to make them one history"
	case e.Code == engine.ErrFileSyntax && e.Path == "$":
		return "a history is one JSON document or, in a file named .jsonl, one snapshot a line"
	}
	return historyHints[e.Code]
}

// isCutOff tells whether a text ends in the middle of a value.
func isCutOff(e *engine.Error) bool {
	return e.Code == engine.ErrFileSyntax && (strings.HasPrefix(e.Msg, "the text ends") || e.Msg == "a string without an end")
}

// failHistory reports that a history cannot be read.
func (s *session) failHistory(name string, err error, f *historyFlags) {
	if name == "" {
		s.fail("an empty path names nothing")
		return
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		s.fail("%s: %s", visible(name), sanitize(reason(err)))
		return
	}
	s.fail("%s", visible(e.Error()))
	if hint := historyHint(e, f); hint != "" {
		fmt.Fprintf(s.err, "  hint: %s\n", hint)
	}
}

// warnInvariants warns of what lenient reading let pass. The name is that of a file that 'pactkit validate' can read,
// "" when there is none.
func (s *session) warnInvariants(name string, w []*engine.Error) {
	switch {
	case len(w) == 0:
	case len(w) == 1:
		s.warn("%s", visible(w[0].Error()))
	case name == "":
		s.warn("%s (and %d more)", visible(w[0].Error()), len(w)-1)
	default:
		s.warn("%s (and %d more: 'pactkit validate %s' lists them)", visible(w[0].Error()), len(w)-1, visible(name))
	}
}

// warn reports something that is probably wrong and hinders nothing.
func (s *session) warn(format string, args ...any) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.err, "%s: warning: %s\n", s.program, fmt.Sprintf(format, args...))
}

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
	const want = "it is one instant, such as @t0, @t-1 or @c5"
	q, found := parser.ParseSelector(text+" *", parser.Options{})
	if strings.HasPrefix(text, "@") && len(found) > 0 && found[0].Span.Start < len(text) {
		if found[0].Hint != "" {
			return ast.Instant{}, fmt.Errorf("%s; %s", found[0].Message, found[0].Hint)
		}
		return ast.Instant{}, errors.New(found[0].Message)
	}
	if len(found) > 0 || q.Time == nil || q.Time.Kind != ast.TimeAt || q.Time.End() < len(strings.TrimSpace(text)) {
		return ast.Instant{}, errors.New(want)
	}
	return q.Time.From, nil
}

// snapshotAt returns the snapshot of an address.
func snapshotAt(t *engine.Timeline, f instantFlag) (*engine.Snapshot, error) {
	if f.at.Kind != ast.Cycle {
		return t.Address(int(-f.at.N))
	}
	if snap, _ := t.OfCycle(f.at.N); snap != nil {
		return snap, nil
	}
	return nil, &engine.Error{Code: engine.ErrSnapshotUnknown, Msg: fmt.Sprintf("there is no snapshot @c%d: the timeline has %s", f.at.N, cycleRange(t))}
}

// cycleRange says which cycles have a sealed snapshot.
func cycleRange(t *engine.Timeline) string {
	sealed := slices.Collect(t.Sealed())
	switch len(sealed) {
	case 0:
		return "no sealed snapshot"
	case 1:
		return fmt.Sprintf("only that of cycle %d", sealed[0].Cycle())
	}
	return fmt.Sprintf("those of cycles %d to %d", sealed[0].Cycle(), sealed[len(sealed)-1].Cycle())
}

// openSnapshot reads one snapshot of the history that the flags name, reporting what goes wrong; then it returns nil.
func (s *session) openSnapshot(ctx context.Context, at instantFlag, f *historyFlags) *engine.Snapshot {
	t := s.openFrom(ctx, f)
	if t == nil {
		return nil
	}
	snap, err := snapshotAt(t, at)
	if err != nil {
		s.fail("%s: %s", f.name(), err)
	}
	return snap
}

// name is what messages call the history.
func (f *historyFlags) name() string { return visible(strings.Join(f.from, ", ")) }

// addAt adds the flag that picks a snapshot of a history.
func addAt(cmd *cobra.Command, at *instantFlag) {
	cmd.Flags().Var(at, "at", "the snapshot to take, such as @t-1 or @c5 (default @t0, the newest state)")
	_ = cmd.RegisterFlagCompletionFunc("at", cobra.FixedCompletions(instants, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// instants are offered where an address is completed.
var instants = []cobra.Completion{"@t0", "@t-", "@c"}

// packForms are the endings of compressed files.
var packForms = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // the options are sound
		return z
	},
}

// pack compresses data as the ending of a name asks for.
func pack(name string, data []byte) ([]byte, error) {
	form := packForms[filepath.Ext(name)]
	if form == nil {
		return data, nil
	}
	var b bytes.Buffer
	w := form(&b)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// historyBytes writes a history in the form that a name asks for: a document, or one snapshot a line.
func historyBytes(name string, t *engine.Timeline) ([]byte, error) {
	var data []byte
	if isLines(name) {
		if t.Working() != nil {
			return nil, errors.New("a .jsonl file has no place for the working state; name the file .json")
		}
		data = t.AppendJSONL(nil)
	} else {
		data = append(t.AppendJSON(nil), '\n')
	}
	return pack(name, data)
}

// packEnding returns the ending of a compressed file, or "".
func packEnding(name string) string {
	if ext := filepath.Ext(name); packForms[ext] != nil {
		return ext
	}
	return ""
}

// putHistory writes a history to a file, or to standard output when no file is named. It proves by reading the
// bytes back that nothing is lost. What goes wrong is reported.
func (s *session) putHistory(out string, t *engine.Timeline) bool {
	name := out
	if out == "" || out == stdinName {
		name = "history.json"
	}
	done := s.working(func() string { return "writing " + visible(name) })
	defer done()
	err := checkSize(t)
	var data []byte
	if err == nil {
		data, err = historyBytes(name, t)
	}
	if err == nil {
		err = checkReread(name, data, t)
	}
	done()
	if err != nil {
		s.fail("%s: %s", visible(name), sanitize(reason(err)))
		return false
	}
	return s.put(out, data)
}

// checkSize refuses a history that is too large to be read again, before memory is spent on all of it.
func checkSize(t *engine.Timeline) error {
	if t.Len() == 0 {
		return nil
	}
	newest := t.At(0).AppendJSON(nil)
	if len(newest)*t.Len() <= maxHistorySize {
		return nil
	}
	total := 0
	for s := range t.Sealed() {
		newest = s.AppendJSON(newest[:0])
		if total += len(newest); total > maxHistorySize {
			return fmt.Errorf("the history would be too large to be read again: more than %d bytes [%s]", maxHistorySize, engine.ErrFileLimit)
		}
	}
	return nil
}

// checkReread proves that written bytes hold all of a history.
func checkReread(name string, data []byte, t *engine.Timeline) error {
	again, err := engine.Read(name, bytes.NewReader(data), engine.ReadOptions{})
	if errors.Is(err, engine.ErrFileLimit) {
		return fmt.Errorf("the history would be too large to be read again [%s]", engine.ErrFileLimit)
	}
	if err != nil {
		return internalError(err)
	}
	if bytes.Equal(again.AppendJSON(nil), t.AppendJSON(nil)) {
		return nil
	}
	if isLines(name) {
		return errors.New("a .jsonl file has no place for what stands beside the snapshots; name the file .json")
	}
	return internalError(errors.New("the history reads back as another"))
}

// put writes bytes to a file as a whole or not at all, or to standard output when no file is named.
func (s *session) put(out string, data []byte) bool {
	if out == "" || out == stdinName {
		_, _ = s.out.Write(data) // the last flush reports what goes wrong
		return true
	}
	if err := atomicfile.Write(s.abs(out), data); err != nil {
		s.fail("%s: cannot write: %s", visible(out), sanitize(reason(err)))
		return false
	}
	return true
}
