package sessions

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

// ErrSeveral is the code of the error when an argument names several sessions instead of one.
const ErrSeveral engine.Code = "E_SEVERAL_HISTORIES"

// mostNames is how many sessions an error names.
const mostNames = 5

// One returns the only session of an argument, as [All] yields it. If there are several, it returns
// the first one, the main conversation, if [Options].Lookup found the argument; otherwise an error
// that names some.
func One(ctx context.Context, arg string, opts Options) (Session, error) {
	if _, id, err := store.SplitAddress(arg); err == nil && id == "" && store.IsAddress(arg) {
		st, _, err := OpenStore(ctx, arg, opts.Folder)
		if err != nil {
			return Session{}, err
		}
		defer st.Close()
		return Session{}, NoID(ctx, st, arg)
	}
	isFound := false
	if lookup := opts.Lookup; lookup != nil {
		opts.Lookup = func(ctx context.Context, name string) ([]string, error) {
			files, err := lookup(ctx, name)
			isFound = len(files) > 0
			return files, err
		}
	}
	return only(All(ctx, []string{arg}, opts), store.Redacted(arg), &isFound)
}

// ReadOne returns the only session of a file that is not on disk, as [Read] yields it.
func ReadOne(ctx context.Context, name string, r io.ReaderAt, size int64, opts Options) (Session, error) {
	return only(Read(ctx, name, r, size, opts), name, new(bool))
}

// only returns the only session of a sequence. If *takesFirst is set when the first session comes,
// only returns that one and ignores the others.
func only(list iter.Seq2[Session, error], path string, takesFirst *bool) (Session, error) {
	var first Session
	var others []string
	count := 0
	for s, err := range list {
		if err != nil {
			return s, err
		}
		if count++; count == 1 {
			if first = s; *takesFirst {
				break
			}
			continue
		}
		if others = append(others, s.hint(first.Path)); count > mostNames {
			break
		}
	}
	if count == 1 {
		return first, nil
	}
	names := append([]string{first.hint(first.Path)}, others...)
	if count > mostNames {
		names[mostNames] = "…"
	}
	what := "several histories are in it; name one of them: "
	return Session{Path: path}, &engine.Error{Code: ErrSeveral, File: path, Msg: what + strings.Join(names, " ")}
}

// hint returns the name of a session, without the path if that is the same for all.
func (s Session) hint(path string) string {
	if s.Path == path && s.Name != "" {
		return store.JoinAddress("", s.Name)
	}
	return s.Address()
}

// unknownName is the error when a file has no session with a name.
func unknownName(path, name string, names []string) error {
	msg := fmt.Sprintf("there is no history %s in it", store.JoinAddress("", name))
	if len(names) > mostNames {
		names = append(names[:mostNames:mostNames], "…")
	}
	if len(names) > 0 {
		msg += "; there is " + strings.Join(names, " ")
	} else {
		msg += ": the only one has no name, and that of the file is enough"
	}
	return &engine.Error{Code: engine.ErrNotFound, File: path, Msg: msg}
}
