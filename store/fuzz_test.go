//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/test/failfs"
	"github.com/pactkit/pactkit/store/journal"
)

// FuzzFolder opens folders whose files have any content: a history, a fork of it, and the list of
// its forks. Nothing panics or waits for long, each error has a code, and what is appended is
// there.
func FuzzFolder(f *testing.F) {
	disk := failfs.New(1)
	s := openFake(f, disk)
	l, err := Attach(f.Context(), s, "a", still)
	for i := 0; err == nil && i < 2; i++ {
		if _, err = l.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: fmt.Sprint("n", i), Content: engine.Text("text")}); err == nil {
			_, err = l.Commit(f.Context())
		}
	}
	if err == nil {
		_, err = s.Fork(f.Context(), "a", Newest, "f")
	}
	if err != nil {
		f.Fatal(err)
	}
	files := disk.Files()
	base, fork, list := files["/s/a.jsonl"], files["/s/f.jsonl"], files["/s/a.forks"]
	f.Add(base, fork, list, false)
	f.Add(regexp.MustCompile(`,"digest":"[0-9a-f]*"\}`).ReplaceAllString(base, "}"), fork, list, true)
	f.Add(base, base, `"f"`+"\n"+`"../x"`+"\n{\n", false)
	f.Add(fork, base, "", false)
	f.Fuzz(func(t *testing.T, base, fork, list string, seal bool) {
		synctest.Test(t, func(t *testing.T) { useFolder(t, base, fork, list, seal) })
	})
}

// useFolder calls what reads or changes the histories of a folder, with a clock that goes on while
// everything waits.
func useFolder(t *testing.T, base, fork, list string, seal bool) {
	if seal { // or else the fuzzer would not get past the digests
		base = sealLines(base)
	}
	disk := failfs.New(1)
	files := atomicfile.New(disk.Process().System())
	err := files.MakeFolder("s")
	for name, text := range map[string]string{"s/a.jsonl": base, "s/f.jsonl": fork, "s/a.forks": list} {
		err = errors.Join(err, files.WriteFrom(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }))
	}
	if err != nil {
		t.Fatal(err)
	}
	s, began := openFake(t, disk), time.Now()
	ok := func(what string, err error) bool {
		t.Helper()
		if err != nil && codeOfError(err) == "" && !isJournalError(err) {
			t.Fatalf("%s: an error without a code: %v", what, err)
		}
		return err == nil
	}
	_, err = collect(s.List(t.Context(), ""))
	ok("list", err)
	for _, id := range []string{"a", "f"} {
		head, err := s.Head(t.Context(), id)
		if !ok("head", err) {
			continue
		}
		before, err := collect(s.Read(t.Context(), id, 0, math.MaxInt64))
		if !ok("read", err) {
			continue
		}
		after, err := s.Append(t.Context(), id, head, delta(head, "more"))
		if !ok("append", err) {
			continue
		}
		more, err := collect(s.Since(t.Context(), id, head))
		if now, wrong := s.Head(t.Context(), id); err != nil || wrong != nil || now != after || len(more) != 1 {
			t.Fatalf("%s: after an append to %d frames: %v, %d new ones; %v, %v", id, len(before), now, len(more), err, wrong)
		}
	}
	_, err = s.Fork(t.Context(), "a", Newest, "g")
	ok("fork", err)
	_, err = Erase(t.Context(), s, "a", "n0")
	ok("erase", err)
	ok("delete", s.Delete(t.Context(), "a"))
	if waited := time.Since(began); waited > 5*time.Second {
		t.Fatalf("it waited for %v", waited)
	}
}

func openFake(t testing.TB, disk *failfs.Disk) Store {
	t.Helper()
	s, err := openDirOn(atomicfile.New(disk.Process().System()), "s")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sealLines makes a journal of bodies.
func sealLines(text string) string {
	var before journal.Digest
	var out []byte
	for body := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if len(body) < 2 || body[len(body)-1] != '}' {
			body = "{}"
		}
		f := Frame{Body: body, Digest: journal.Chain(before, body)}
		out, before = f.AppendLine(out), f.Digest
	}
	return string(out)
}

// FuzzAddress hides a password that has any bytes around XYZ and 4711, and takes the address of a
// history with any id apart.
func FuzzAddress(f *testing.F) {
	for _, text := range []string{"", "/", "?#", "@%2F", "%zz'", "a#", ":", "\\ =", ".//"} {
		f.Add(text, "a"+text, text)
	}
	ctx, cancel := context.WithCancel(f.Context())
	cancel() // connects to no server
	f.Fuzz(func(t *testing.T, before, between, id string) {
		hidesPassword(ctx, t, before+"XYZ"+between+"4711")
		address := JoinAddress("file:a#b", id)
		folder, again, err := SplitAddress(address)
		if checkID(id) == "" && (err != nil || folder != "file:a#b" || again != id) {
			t.Fatalf("%q: %q, %q, %v", address, folder, again, err)
		}
	})
}
