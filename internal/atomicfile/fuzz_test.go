//go:build unix

package atomicfile_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/test/failfs"
)

// absent stands for the content of a file that does not exist.
const absent = "absent"

// operations change a file that has a content, or none, to another one. Each byte of a fuzzed list
// chooses one, and one of three names.
var operations = []struct {
	name string
	do   func(s atomicfile.FS, name, old, text string) error
	then func(old, text string) string // the content after it
}{
	{"write", func(s atomicfile.FS, name, _, text string) error { return s.WriteFrom(name, fill(text)) }, always},
	{"create", func(s atomicfile.FS, name, _, text string) error { return s.CreateFrom(name, fill(text)) }, always},
	{"replace", func(s atomicfile.FS, name, old, text string) error { return s.Replace(name, []byte(old), []byte(text)) }, always},
	{"replace what it had not", func(s atomicfile.FS, name, old, text string) error {
		return s.Replace(name, []byte(old+"x"), []byte(text))
	}, nil},
	{"fail to write", func(s atomicfile.FS, name, _, text string) error {
		return s.WriteFrom(name, func(w io.Writer) error { return errors.Join(fill(text)(w), errFill) })
	}, nil},
	{"rewrite", func(s atomicfile.FS, name, _, text string) error {
		return locked(s, name, func(l *atomicfile.Locked) error { return l.Rewrite(fill(text)) })
	}, always},
	{"remove", func(s atomicfile.FS, name, _, _ string) error { return locked(s, name, (*atomicfile.Locked).Remove) },
		func(string, string) string { return absent }},
	{"sweep", func(s atomicfile.FS, name, _, _ string) error {
		return locked(s, name, func(l *atomicfile.Locked) error { _, err := l.Sweep(); return errors.Join(err, errFill) })
	}, nil},
}

var errFill = errors.New("the content cannot be written")

func always(_, text string) string { return text }

func fill(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text[:len(text)/2])
		if err == nil {
			_, err = io.WriteString(w, text[len(text)/2:])
		}
		return err
	}
}

func locked(s atomicfile.FS, name string, do func(*atomicfile.Locked) error) error {
	l, err := s.Lock(context.Background(), name, false)
	if err != nil {
		return err
	}
	defer l.Close()
	return do(l)
}

// FuzzFiles runs lists of operations on a disk of which one call fails, and which crashes at the
// end. Each file has what the last operation on it that succeeded gave it, or what one that was
// interrupted since would have. Temporary files of processes that ended are swept.
func FuzzFiles(f *testing.F) {
	for i := range operations {
		f.Add([]byte{0, byte(i), 8, byte(8 + i), byte(i)}, uint8(9), uint8(i))
	}
	f.Fuzz(func(t *testing.T, list []byte, call, kind uint8) {
		disk := failfs.New(uint64(call))
		disk.Fault = failfs.Fault{Call: int(call), Kind: failfs.Kind(int(kind) % len(failfs.Kinds))}
		s := atomicfile.New(disk.Process().System())
		possible := map[string][]string{"a": {absent}, "b": {absent}, "c": {absent}}
		check := func(when string) {
			t.Helper()
			files := disk.Files()
			for name, list := range possible {
				got, ok := files["/"+name]
				if !ok {
					got = absent
				}
				if !slices.Contains(list, got) {
					t.Fatalf("%s, the file %s has %q, not one of %q", when, name, got, list)
				}
			}
		}
		for i, b := range list[:min(len(list), 12)] {
			op, name := operations[int(b)%len(operations)], string("abc"[int(b)/len(operations)%3])
			old, text := possible[name][len(possible[name])-1], strings.Repeat(fmt.Sprint("text ", i), i+1)
			err := op.do(s, name, old, text)
			if errors.Is(err, failfs.ErrStopped) && !disk.Stopped() {
				s = atomicfile.New(disk.Process().System()) // the process was killed
			}
			var next, reserved []string
			if op.then != nil {
				next = []string{op.then(old, text)}
			}
			if op.name == "create" && slices.Contains(possible[name], absent) {
				reserved = []string{""} // until the content is in place for good
			}
			switch {
			case err == nil && next == nil:
				t.Fatalf("%s of %s: there is no error", op.name, name)
			case err == nil:
				possible[name] = next
			case errors.Is(err, failfs.ErrStopped), errors.Is(err, atomicfile.ErrUnflushed):
				possible[name] = slices.Concat(reserved, next, possible[name])
			case !errors.Is(err, fs.ErrExist):
				possible[name] = slices.Concat(reserved, possible[name]) // it may be that it could not be removed
			}
			check(fmt.Sprintf("after %s of %s: %v", op.name, name, err))
		}
		disk.Reboot(uint64(kind), float64(call%3)/2)
		check("after the crash")
		if err := sweep(disk); err != nil {
			t.Fatal(err)
		}
		check("after the sweep")
		for path := range disk.Files() {
			if strings.HasSuffix(path, ".tmp") {
				t.Fatalf("%s is left", path)
			}
		}
	})
}

// sweep removes the leftovers of the processes that ended.
func sweep(disk *failfs.Disk) error {
	l, err := atomicfile.New(disk.Process().System()).Lock(context.Background(), "new", true)
	if err != nil {
		return err
	}
	defer l.Close()
	_, err = l.Sweep()
	return errors.Join(err, l.Remove())
}
