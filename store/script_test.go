package store_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/policy"
	"github.com/pactkit/pactkit/store"
)

// TestLiveScript drives a script, as the tests of the clients in other languages do. The journals
// are equal, byte for byte.
func TestLiveScript(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	p, err := policy.Parse([]byte(`{"window": 90, "keep-last": 1, "step": [{"clear": ".block+tool"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := p.Compile(policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, "file:"+dir)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	live, err := pactkit.Attach(ctx, s, "script", engine.Options{Policy: compiled, System: true, Clock: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../testdata/live/script.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(script)) {
		var op struct {
			Insert, Replace, Move, To, Delete, Pin, Hold, Release string
			Step, Commit, Seal, Checkpoint                        bool
			Node                                                  json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			t.Fatal(err)
		}
		var d engine.Draft
		if op.Node != nil {
			if d, err = engine.ParseDraft(op.Node); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case op.Insert != "":
			_, err = live.Insert(ctx, op.Insert, d)
		case op.Replace != "":
			_, err = live.Replace(ctx, op.Replace, d)
		case op.Move != "":
			_, err = live.Move(ctx, op.Move, op.To)
		case op.Delete != "":
			_, err = live.Delete(ctx, op.Delete)
		case op.Pin != "":
			_, err = live.Pin(ctx, op.Pin, true)
		case op.Hold != "":
			err = live.Engine().Hold(op.Hold)
		case op.Release != "":
			err = live.Engine().Release(op.Release)
		case op.Step:
			_, err = live.Step(ctx)
		case op.Commit:
			_, err = live.Commit(ctx)
		case op.Seal:
			err = live.Engine().Seal()
		case op.Checkpoint:
			err = live.Checkpoint(ctx)
		}
		if err != nil {
			t.Fatalf("%s%v", line, err)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "script.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const path = "../testdata/live/journal.jsonl"
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("the journal differs from %s; PACTKIT_UPDATE=1 rewrites it:\n%s", path, got)
	}
}
