package sessions

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/internal/budget"
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
	var files []source.File
	at := map[string]int{}    // by name, where files are in the list
	seen := map[string]bool{} // what is named twice is read twice
	for i, f := range l.list {
		path := l.abs(f.name)
		k := source.Kind(cmp.Or(f.kind, f.joins))
		if k == source.Auto || !k.CanGroup() || !l.isSource(Kind(k)) || seen[path] {
			continue
		}
		seen[path], at[f.name] = true, i
		file := l.source(f.name)
		if file.Kind = k; k == source.ClaudeCode && l.links != nil {
			file.Links = func(x *source.Links) bool { return l.links(path, x) }
		}
		files = append(files, file)
	}
	if len(files) < 2 {
		return nil
	}
	groups, err := source.Group(ctx, files, source.Options{MaxBytes: l.MaxBytes, Note: l.note})
	if err != nil {
		return err
	}
	gone := map[int]bool{}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		one := File{Path: group[0].Name + together, name: group[0].Name, opts: &l.Options, found: true, repeats: group[0].Repeats}
		first := len(l.list)
		for _, file := range group {
			i := at[file.Name]
			f := l.list[i]
			one.kind, one.found = cmp.Or(one.kind, f.kind, f.joins), one.found && f.found
			one.size += f.size
			one.group, one.kinds = append(one.group, file.Name), append(one.kinds, file.Kind)
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
	for range budget.Workers(min(len(files), runtime.GOMAXPROCS(0))) {
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

// opened is like source, for a file that is open.
func (o *opener) opened(f *file) source.File {
	one := source.Reader(f.path, f, f.size)
	if f.closer != nil {
		one.Beside = o.beside
	}
	return one
}

// beside opens a file that a log names.
func (o *opener) beside(path string) (source.Input, error) {
	f, err := o.openFile(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}
