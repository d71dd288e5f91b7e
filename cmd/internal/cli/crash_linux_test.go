package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// This uses a full file system. If the user may not mount one, only [TestWriteRefusedByTheKernel]
// shows what happens.
func TestDiskFull(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=48k"); err != nil {
		t.Logf("no file system of our own: %v", err)
		return
	}
	defer func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	}()
	file := filepath.Join(folder, "a.pactsel")
	if err := os.WriteFile(file, unformatted, 0o644); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, exec.Command("pactfmt", "-w", "--isolated", file), file)
	wantEntries(t, folder, "a.pactsel")
}
