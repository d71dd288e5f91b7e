package sessions

import (
	"context"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/ignore"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread/source"
)

// File is a file, several that belong together, a folder that is one history, a store, or standard
// input: what [All] opens one after the other. Several may be read concurrently.
type File struct {
	// Path is the file as the caller named it, or as it was found below a folder that was named. Of
	// several that belong together it is that of the first, with a + after it; of a store its
	// address, without a password.
	Path  string
	opts  *Options
	form  form
	name  string        // of the first file, or the address of a store
	want  string        // the name of the one session that is wanted; "" for all
	args  []int         // the numbers of the arguments that name it, ascending
	found bool          // in a folder
	kind  Kind          // if it is known
	size  int64         // of all files that belong together; -1 for what is not a regular file
	group []string      // the names of the files that belong together, in the order in which they are read
	kinds []source.Kind // the kinds of the files in group
	// repeats says that two of the files that belong together have a record with the same id.
	repeats bool
}

// form is how a [File] is opened.
type form int

const (
	isFile form = iota
	isFolder
	isStore
	isStdin
)

// Files yields the files that arguments name, in the order in which [All] reads them. An error is
// about the path that comes with it.
//
// Files that belong together, see [source.Group], are one [File] at the position of the first of
// them. To find them, folders are walked to their end before the first file is yielded, and the
// beginning of each file is read. A file that is the only one is not opened.
func Files(ctx context.Context, args []string, opts Options) iter.Seq2[File, error] {
	return FilesWithLinks(ctx, args, opts, nil)
}

// FilesWithLinks is Files for a caller that reads the files of Claude Code anyway: links finds what
// links one with others from its absolute path, see [source.File]. It is called from several
// goroutines.
func FilesWithLinks(ctx context.Context, args []string, opts Options, links func(path string, x *source.Links) bool) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		l := &lister{opener: newOpener(opts, nil), links: links}
		for i, arg := range args {
			l.arg = i
			l.argument(ctx, arg)
			if ctx.Err() != nil {
				yield(File{Path: store.Redacted(arg), args: []int{i}}, ctx.Err())
				return
			}
		}
		if err := l.unite(ctx); err != nil {
			yield(File{Path: store.Redacted(args[0]), args: []int{0}}, err)
			return
		}
		for _, f := range l.list {
			if !yield(f.File, f.err) {
				return
			}
		}
	}
}

// lister is the state of one call of Files.
type lister struct {
	*opener
	arg   int // the number of the argument
	list  []listed
	links func(path string, x *source.Links) bool // may be nil
}

type listed struct {
	File
	err   error
	joins Kind // what File.joins returned
}

func (l *lister) add(f File, err error) {
	f.opts, f.args = &l.Options, []int{l.arg}
	l.list = append(l.list, listed{File: f, err: err, joins: f.kind})
}

// argument lists what one argument names.
func (l *lister) argument(ctx context.Context, arg string) {
	switch {
	case arg == "":
		l.add(File{}, fs.ErrInvalid)
		return
	case arg == "-" && l.Stdin != nil:
		l.add(File{Path: arg, name: arg, form: isStdin}, nil)
		return
	case store.IsAddress(arg):
		l.add(File{Path: store.Redacted(arg), name: arg, form: isStore}, nil)
		return
	}
	info, err := l.stat(arg)
	switch {
	case err != nil && l.part(ctx, arg):
	case err != nil && l.lookup(ctx, arg):
	case err != nil && store.Redacted(arg) != arg:
		l.add(File{Path: store.Redacted(arg)}, &store.Error{Code: store.ErrAddress, Store: store.Redacted(arg), Msg: notAddress})
	case err != nil:
		l.add(File{Path: arg}, err)
	case info.IsDir() && l.isHistory(arg):
		l.add(File{Path: arg, name: arg, form: isFolder}, nil)
	case info.IsDir() && l.ignored != nil && l.ignored.Ignored(l.abs(arg), true) != "":
		defer func(t *ignore.Tree) { l.ignored = t }(l.ignored)
		l.ignored = nil // who names an ignored folder wants what is in it
		l.folder(arg)
	case info.IsDir():
		l.folder(arg)
	default:
		l.add(File{Path: arg, name: arg, size: sizeOf(info)}, nil)
	}
}

// notAddress says how a text with a password in it, which no file has as its name, is written.
const notAddress = "a connection string of keywords and values, or for another kind of server, is not an address; " +
	"write postgres://user@host:port/database#ID"

// part lists what FILE#NAME, FILE+ or FILE+#NAME names. It returns false if the file does not
// exist.
func (l *lister) part(ctx context.Context, arg string) bool {
	file, want, err := store.SplitAddress(arg)
	if err != nil {
		return false
	}
	if info, err := l.stat(file); err == nil && want != "" && !info.IsDir() {
		l.add(File{Path: file, name: file, want: want, size: sizeOf(info)}, nil)
		return true
	}
	file, ok := strings.CutSuffix(file, together)
	info, err := l.stat(file)
	if !ok || err != nil || !info.Mode().IsRegular() {
		return false
	}
	l.together(ctx, File{Path: file, name: file, want: want, size: sizeOf(info)})
	return true
}

// lookup lists the files of the session that NAME or NAME#PART names. It reports whether there is
// such a session, or an error about it.
func (l *lister) lookup(ctx context.Context, arg string) bool {
	name, want, err := store.SplitAddress(arg)
	if l.Lookup == nil || err != nil {
		return false
	}
	files, err := l.Lookup(ctx, name)
	if err != nil {
		l.add(File{Path: arg}, err)
		return true
	}
	one := &lister{opener: l.opener, arg: l.arg}
	for _, name := range files {
		one.argument(ctx, name)
	}
	if one.unite(ctx) != nil {
		return true // the caller sees that the context is done
	}
	for _, x := range one.list {
		x.want = want
		l.add(x.File, x.err)
	}
	return len(files) > 0
}

// sizeOf returns the size of a regular file, -1 for any other.
func sizeOf(info fs.FileInfo) int64 {
	if info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

// folder lists the files below a folder. Links are not followed: their targets are either below the
// folder anyway, or were not requested.
func (l *lister) folder(folder string) {
	entries, err := l.entries(folder)
	if err != nil {
		l.add(File{Path: folder}, err)
		return
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		switch {
		case l.ignored != nil && l.ignored.Ignored(l.abs(name), e.IsDir()) != "":
		case e.IsDir() && ignore.IsRepository(e.Name()):
		case e.IsDir() && l.isHistory(name):
			l.add(File{Path: name, name: name, form: isFolder}, nil)
		case e.IsDir():
			l.folder(name)
		case e.Name() == "manifest.json" && slices.ContainsFunc(entries, isTrace): // has no calls
		case e.Type()&fs.ModeSymlink == 0 && hasEnd(e.Name(), ends...):
			f := File{Path: name, name: name, found: true, size: -1}
			if info, err := e.Info(); err == nil {
				f.size = sizeOf(info)
			}
			l.add(f, nil)
		}
	}
}

// isTrace reports whether a file has the events of a trace bundle of Codex.
func isTrace(e fs.DirEntry) bool { return e.Name() == "trace.jsonl" }

// IsFile reports whether it is a regular file, or several that belong together.
func (f File) IsFile() bool { return f.form == isFile && f.want == "" && f.size >= 0 }

// Size returns the size of all its regular files in bytes.
func (f File) Size() int64 { return max(f.size, 0) }

// Abs returns the absolute path of a file, of the first one of several.
func (f File) Abs() string { return newOpener(*f.opts, nil).abs(f.name) }

// Parts returns the absolute paths of the files that belong together, in the order in which they
// are read; of a single file, that one.
func (f File) Parts() []string {
	if len(f.group) == 0 {
		return []string{f.Abs()}
	}
	out := make([]string, len(f.group))
	for i, name := range f.group {
		out[i] = newOpener(*f.opts, nil).abs(name)
	}
	return out
}

// Sources returns the files that belong together, with their kinds, for package source to read. It
// returns false if the file is not a log of model calls. The error is that of [File.Kind].
func (f File) Sources(ctx context.Context) ([]source.File, bool, error) {
	kind, err := f.Kind(ctx)
	o := newOpener(*f.opts, nil)
	if err != nil || !f.IsFile() || !o.isSource(kind) {
		return nil, false, err
	}
	return o.sources(f, source.Kind(kind)), true, nil
}

// sources returns the files that belong together. kind is the kind of f if it is a single file.
func (o *opener) sources(f File, kind source.Kind) (out []source.File) {
	if len(f.group) == 0 {
		one := o.source(f.name)
		one.Kind = kind
		return []source.File{one}
	}
	for i, name := range f.group {
		file := o.source(name)
		file.Kind = f.kinds[i]
		out = append(out, file)
	}
	return out
}

// RepeatsRecords reports whether two of the files that belong together have a record with the same
// id.
func (f File) RepeatsRecords() bool { return f.repeats }

// IsJoined reports whether the files that belong together are a log and recordings of its session.
func (f File) IsJoined() bool {
	return slices.ContainsFunc(f.kinds, func(k source.Kind) bool { return k != f.kinds[0] })
}

// Kind returns the kind of a file: the requested one, or the recognized one. For a file of an
// unknown kind the error satisfies [IsUnknown].
func (f File) Kind(ctx context.Context) (Kind, error) {
	k, err := f.joins(ctx)
	if err != nil {
		k = ""
	}
	return k, err
}

// joins returns the kind of a file, or with an error that of the files with which it may belong
// together.
func (f File) joins(ctx context.Context) (Kind, error) {
	o := newOpener(*f.opts, nil)
	if k := o.from(); k != "" {
		return k, nil
	}
	if f.kind != "" {
		return f.kind, nil
	}
	in, err := o.openFile(f.name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	in.path = f.Path
	return o.recognize(ctx, in)
}

// IsUnknown reports whether an error says that the kind of a file is unknown.
func IsUnknown(err error) bool { return isUnknown(err) }

// IsNamed reports whether an argument named the file itself, and not a folder above it: then an
// unknown kind is an error.
func (f File) IsNamed() bool { return !f.found }

// Sessions yields the sessions in it, as [All] does; kind is what [File.Kind] returned, or empty.
func (f File) Sessions(ctx context.Context, kind Kind) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		o := newOpener(*f.opts, yield)
		if kind != "" {
			o.From = kind
		}
		o.read(ctx, f)
	}
}

// read yields the sessions of a file.
func (o *opener) read(ctx context.Context, f File) {
	o.want, o.named, o.count = f.want, f.want != "", 0
	switch {
	case ctx.Err() != nil:
		o.fail(f.Path, ctx.Err())
		o.stopped = true
	case f.form == isStdin:
		o.stdin(ctx)
	case f.form == isStore:
		o.stored(ctx, f.name)
	case f.form == isFolder:
		o.snapshots(ctx, f.name)
	case len(f.group) > 0:
		o.group(ctx, f)
	default:
		o.open(ctx, f)
	}
}
