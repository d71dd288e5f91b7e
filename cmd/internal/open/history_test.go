package open

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
)

// A history is not written in a format that cannot express all of it.
func TestPutHistory(t *testing.T) {
	const snapshots = `"snapshots":[{"cycle":1,"root":{}},{"cycle":2,"root":{}}]`
	for text, lines := range map[string]bool{
		`{` + snapshots + `}`:                                 true,
		`{"note":"beside the snapshots",` + snapshots + `}`:   false,
		`{` + snapshots + `,"working":{"cycle":3,"root":{}}}`: false,
		`{"spec_version":"PACT/0.1",` + snapshots + `}`:       true,
		`{"cadence":[{"core":true,"every":2,"first":1,"key":"k","node":[{"id":"n","key":"k","cad":2}]}],` + snapshots + `}`: false,
	} {
		tl, err := engine.Read("in.json", strings.NewReader(text), engine.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for name, form := range map[string]HistoryForm{
			"out.json": FormDocument, "out.json.gz": FormDocument, "out.json.zst": FormDocument, "out": FormJournal, "out.jsonl.zst": FormJournal,
			"out.json.jsonl": FormJournal, "lines.jsonl": FormLines, "lines.jsonl.gz": FormLines,
		} {
			if form != FormLines && FormOf(name) != form {
				t.Errorf("%s is written as %s", name, FormOf(name))
			}
			var errs bytes.Buffer
			r := &verb.Run{Program: verb.Pactkit, Folder: t.TempDir(), Err: &errs}
			ok := PutHistory(t.Context(), r, name, Written{History: tl, Form: form})
			if want := lines || form != FormLines; ok != want || ok != (errs.Len() == 0) {
				t.Errorf("%s as %s: %v, %s", text, name, ok, errs.String())
			}
			if !ok {
				continue
			}
			again, _, err := ReadHistory(t.Context(), r, name, &HistoryFlags{}, engine.ReadOptions{})
			if err != nil {
				t.Errorf("%s as %s: %v", text, name, err)
			} else if diff := cmp.Diff(string(tl.AppendJSON(nil)), string(again.AppendJSON(nil))); diff != "" {
				t.Errorf("%s as %s comes back as another (-want +got):\n%s", text, name, diff)
			}
		}
	}
}

// A history that could not be read again is refused before and after it is made, and the error
// names the flag.
func TestHistoryTooLarge(t *testing.T) {
	tl, err := engine.Read("in.json", strings.NewReader(`{"snapshots":[{"cycle":1,"root":{}},{"cycle":2,"root":{}}]}`), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := FormDocument.bytes(tl)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 10
	for _, err := range []error{checkSize(tl, limit), checkReread(FormDocument, data, tl, limit)} {
		if err == nil || !strings.Contains(err.Error(), "--max-bytes") {
			t.Errorf("got %v, want an error that names --max-bytes", err)
		}
	}
}
