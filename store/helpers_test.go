package store

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/store/journal"
)

func open(t *testing.T, address string) Store {
	t.Helper()
	s, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// frame makes a frame of an append.
func frame(after Version, kind journal.Kind, cycle int64, end bool, text string) Frame {
	member := kind.String()
	if kind == journal.Header {
		member = "id"
	}
	body := fmt.Sprintf(`{"cycle":%d,"end":%t,"%s":%s}`, cycle, end, member, canonjson.AppendString(nil, text))
	body = canonjson.UnescapeWide(body)
	return Frame{Kind: kind, Cycle: cycle, End: end, Digest: journal.Chain(after.Digest, body), Body: body}
}

// firstAppend returns the first append of a history: a header and an empty tree.
func firstAppend(text string) []Frame {
	header := frame(Version{}, journal.Header, 0, false, text)
	return []Frame{header, frame(header.Version(), journal.Snapshot, 1, true, text)}
}

// delta makes an append of one frame.
func delta(after Version, text string) Frame {
	return frame(after, journal.Delta, after.Cycle+1, true, text)
}

// grow begins a history and appends n deltas, and returns all of its frames.
func grow(t *testing.T, s Store, id string, n int) []Frame {
	t.Helper()
	all := firstAppend(id)
	v, err := s.Append(t.Context(), id, Version{}, all...)
	for i := 0; i < n && err == nil; i++ {
		f := delta(v, fmt.Sprint(i))
		v, err = s.Append(t.Context(), id, v, f)
		all = append(all, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	if want := all[len(all)-1].Version(); v != want {
		t.Fatalf("the head is %v, want %v", v, want)
	}
	return all
}

// collect reads an iterator to its end.
func collect[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for v, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

func wantFrames(t *testing.T, want []Frame, got iter.Seq2[Frame, error]) {
	t.Helper()
	list, err := collect(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, list); diff != "" {
		t.Errorf("frames: -want +got\n%s", diff)
	}
}

func wantCode(t *testing.T, want Code, err error) {
	t.Helper()
	if own, ok := errors.AsType[*Error](err); !errors.Is(err, want) || !ok || own.Msg == "" {
		t.Errorf("error %v, want one of code %s", err, want)
	}
}

func wantHead(t *testing.T, s Store, id string, want Version) {
	t.Helper()
	if got, err := s.Head(t.Context(), id); got != want || err != nil {
		t.Errorf("the head is %v, %v; want %v", got, err, want)
	}
}
