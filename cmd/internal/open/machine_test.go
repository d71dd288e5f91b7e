package open

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// TestFilesOfRecording follows what grows in the folder of a recording, and no other folder.
func TestFilesOfRecording(t *testing.T) {
	for name, want := range map[string][]string{"calls.jsonl": {filepath.Join("run", "calls.jsonl")}, "otlp.jsonl": {filepath.Join("run", "otlp.jsonl")}, "a.jsonl": nil} {
		var errs bytes.Buffer
		r := &verb.Run{Program: verb.Pactkit, Folder: t.TempDir(), Err: &errs}
		file := filepath.Join(r.Folder, "run", name)
		if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Files(t.Context(), r, "run", &SessionFlags{}); !slices.Equal(got, want) || (want == nil) != (errs.Len() > 0) {
			t.Errorf("%s: %v %s", name, got, &errs)
		}
	}
}
