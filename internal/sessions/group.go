package sessions

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/thread/source"
)

// together is the suffix of a name that stands for a file and all files in its folder and below
// that belong together with it.
const together = "+"

// together lists a file with those that belong together with it.
func (l *lister) together(ctx context.Context, f File) {
	beside := &lister{opener: l.opener, arg: l.arg}
	beside.folder(filepath.Dir(f.name))
	if beside.unite(ctx) != nil {
		return // the context is done, which the caller sees
	}
	isIt := func(name string) bool { return l.abs(name) == l.abs(f.name) }
	for _, x := range beside.list {
		if slices.ContainsFunc(x.group, isIt) {
			x.want, x.found = f.want, false
			l.add(x.File, nil)
			return
		}
	}
	l.add(f, nil)
}

// unite makes one file of the files that belong together. The only error is that of the context.
func (l *lister) unite(ctx context.Context) error {
	if err := l.recognizeAll(ctx); err != nil {
		return err
	}
	var kinds []source.Kind
	files := map[source.Kind][]source.File{} // files of several kinds never belong together
	at := map[string]int{}                   // by name, where files are in the list
	seen := map[string]bool{}                // what is named twice is read twice
	for i, f := range l.list {
		path := l.abs(f.name)
		k := source.Kind(cmp.Or(f.kind, f.joins))
		if k == source.Auto || !k.CanGroup() || !l.isSource(Kind(k)) || seen[path] {
			continue
		}
		seen[path], at[f.name] = true, i
		if files[k] == nil {
			kinds = append(kinds, k)
		}
		file := l.source(f.name)
		if k == source.ClaudeCode && l.links != nil {
			file.Links = func(x *source.Links) bool { return l.links(path, x) }
		}
		files[k] = append(files[k], file)
	}
	logs := logsOf(files[source.ClaudeCode])
	var groups [][]source.File
	for _, k := range kinds {
		if len(files[k]) < 2 {
			continue
		}
		more, err := source.Group(ctx, files[k], source.Options{Kind: k, MaxBytes: l.MaxBytes})
		if err != nil {
			return err
		}
		groups = append(groups, more...)
	}
	gone := map[int]bool{}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		one := File{Path: group[0].Name + together, name: group[0].Name, opts: &l.Options, found: true, repeats: group[0].Repeats}
		one.logs = logs
		first := len(l.list)
		for _, file := range group {
			i := at[file.Name]
			f := l.list[i]
			one.kind, one.found = cmp.Or(f.kind, f.joins), one.found && f.found
			one.size += f.size
			one.group = append(one.group, file.Name)
			one.args = append(one.args, f.args...)
			first, gone[i] = min(first, i), true
		}
		slices.Sort(one.args)
		l.list[first] = listed{File: one}
		delete(gone, first)
	}
	kept := l.list[:0]
	for i, f := range l.list {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	l.list = kept
	return nil
}

// recognizeAll finds the kinds of the files of the list, if there are several. A file that has
// none, or that cannot be read, stays without a kind: reading it later reports what is wrong. The
// only error is that of the context.
func (l *lister) recognizeAll(ctx context.Context) error {
	var files []*listed
	for i := range l.list {
		if f := &l.list[i]; f.err == nil && f.IsFile() && f.kind == "" {
			files = append(files, f)
		}
	}
	if len(files) < 2 {
		return nil
	}
	var all sync.WaitGroup
	next := make(chan *listed)
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for f := range next {
				kind, err := f.File.joins(ctx)
				if f.joins = kind; err == nil {
					f.kind = kind
				}
			}
		})
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		next <- f
	}
	close(next)
	all.Wait()
	return ctx.Err()
}

// source returns a file in the form that package source opens.
func (o *opener) source(name string) source.File {
	return source.File{Name: name, Beside: o.beside, Open: func() (source.Input, error) {
		f, err := o.openFile(name)
		if err != nil {
			return nil, err
		}
		f.ReaderAt = o.watch(name, f)
		return f, nil
	}}
}

// beside opens a file that a log names.
func (o *opener) beside(path string) (source.Input, error) {
	f, err := o.openFile(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// logsOf returns the names of logs of Claude Code by their sessions: SESSION.jsonl, and in the
// folder SESSION those of its agents.
func logsOf(files []source.File) map[string][]string {
	logs := map[string][]string{}
	for _, f := range files {
		session := strings.TrimSuffix(filepath.Base(f.Name), ".jsonl")
		if dir := filepath.Dir(f.Name); filepath.Base(dir) == "subagents" {
			session = filepath.Base(filepath.Dir(dir))
		}
		logs[session] = append(logs[session], f.Name)
	}
	return logs
}

// session opens logs of Claude Code. One that cannot be opened is reported where it is read itself.
func (o *opener) session(names []string) (out []source.Input) {
	for _, name := range names {
		if in, err := o.beside(name); err == nil {
			out = append(out, in)
		}
	}
	return out
}
