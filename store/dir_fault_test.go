//go:build linux && postgres

package store

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// diskVariable makes this test program mount a small file system and fill it. Its value is the
// folder to mount it on.
const diskVariable = "PACTKIT_TEST_DISK"

// TestFullDisk appends to a file system of 256 KiB until it is full, several times, in a mount
// namespace of its own.
func TestFullDisk(t *testing.T) {
	dir := os.Getenv(diskVariable)
	if dir == "" {
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), diskVariable+"="+t.TempDir())
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if os.Getuid() != 0 { // root in a separate namespace
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		}
		out, err := cmd.CombinedOutput()
		fmt.Print(lineWith(string(out), "full disk"))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	if err := errors.Join(unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""), unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k")); err != nil {
		t.Fatal(err)
	}
	address := "file:" + filepath.Join(dir, "s")
	s := open(t, address)
	all := grow(t, s, "a", 1)
	refused := 0
	for refused < 20 {
		head := all[len(all)-1].Version()
		f := delta(head, strings.Repeat("x", 3000+517*(len(all)%7)))
		_, err := s.Append(t.Context(), "a", head, f)
		if err == nil {
			all = append(all, f)
			continue
		}
		wantCode(t, ErrFull, err)
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
		wantFrames(t, all, open(t, address).Read(t.Context(), "a", 0, math.MaxInt64))
		_, err = s.Append(t.Context(), fmt.Sprint("b", refused), Version{}, append(firstAppend("b")[:1], frame(firstAppend("b")[0].Version(), 1, 1, true, strings.Repeat("x", 70000)))...)
		wantCode(t, ErrFull, err)
		if refused++; refused%4 == 0 { // room for one more
			short := compacted(all[len(all)/2])
			short[1].Body = strings.Replace(short[1].Body, "all", fmt.Sprint(refused), 1)
			if _, err := s.Replace(t.Context(), "a", all[len(all)/2].Version(), short...); err != nil {
				wantCode(t, ErrFull, err) // both files do not fit
				if err := os.Remove(journalOf(s, "a")); err != nil {
					t.Fatal(err)
				}
				all = grow(t, s, "a", 1)
				continue
			}
			all = append(short, all[len(all)/2+1:]...)
		}
		entries, err := os.ReadDir(filepath.Join(dir, "s"))
		if err != nil || len(entries) != 1 {
			t.Errorf("%d files are left, %v", len(entries), err)
		}
	}
	fmt.Printf("full disk: %d appends refused, %d frames acknowledged at the end, all of them there\n", refused, len(all))
}

func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}

// TestNoPermission works as another user on a folder that belongs to root, or to the user who runs
// the test.
func TestNoPermission(t *testing.T) {
	dir := t.TempDir()
	s := open(t, "file:"+dir)
	all := grow(t, s, "a", 1)
	head := all[2].Version()
	path := journalOf(s, "a")
	asOther := func(mode, file os.FileMode, f func()) {
		t.Helper()
		if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, mode), os.Chmod(path, file)); err != nil {
			t.Fatal(err)
		}
		if os.Getuid() == 0 {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if err := unix.Setfsuid(65534); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := unix.Setfsuid(0); err != nil {
					t.Error(err)
				}
			}()
		}
		f()
	}
	asOther(0o555, 0o444, func() {
		_, err := s.Append(t.Context(), "a", head, delta(head, "x"))
		wantCode(t, ErrPermission, err)
		_, err = s.Append(t.Context(), "b", Version{}, firstAppend("b")...)
		wantCode(t, ErrPermission, err)
		_, err = s.Replace(t.Context(), "a", head, compacted(all[2])...)
		wantCode(t, ErrPermission, err)
		wantCode(t, ErrPermission, s.Delete(t.Context(), "a"))
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	})
	asOther(0o555, 0, func() {
		_, err := collect(s.Read(t.Context(), "a", 0, math.MaxInt64))
		wantCode(t, ErrPermission, err)
		list, err := collect(s.List(t.Context(), ""))
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		wantCode(t, ErrPermission, list[0].Err)
	})
	asOther(0, 0o444, func() {
		_, err := collect(s.List(t.Context(), ""))
		wantCode(t, ErrPermission, err)
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
}
