package journal_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/thread"
)

// TestLogs checks round trips of every log in testdata, in every format that can read it.
func TestLogs(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../testdata/logs", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, f := range thread.Formats() {
			for _, messages := range []string{"", "traj", "history", "conversations"} {
				logs, err := thread.Import(context.Background(), path, data, f, thread.ImportOptions{Messages: messages})
				if err != nil {
					continue // not a log of this format
				}
				for _, l := range logs {
					found++
					roundTrip(t, l.Timeline())
					roundTrip(t, l.Context.History())
				}
			}
		}
		return nil
	})
	if err != nil || found < 5 {
		t.Errorf("%d logs, %v", found, err)
	}
}
