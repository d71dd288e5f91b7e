package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// TestJoined checks the law of recordings that are read with the log of their session: each call of
// the recording is in the result, with the request that it has there, and the calls of the result
// are those of both.
func TestJoined(t *testing.T) {
	joined := 0
	for c := range testkit.Load(t, "../../testdata/source/*.txtar") {
		groups, err := source.Group(t.Context(), filesOf(c), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, files := range groups {
			isLog := func(f source.File) bool { return f.Kind != source.Auto && !f.Kind.Records() }
			if !slices.ContainsFunc(files, isLog) {
				continue
			}
			joined++
			t.Run(c.Name, func(t *testing.T) {
				all := allCalls(t, files)
				log := allCalls(t, slices.DeleteFunc(slices.Clone(files), func(f source.File) bool { return f.Kind.Records() }))
				recorded := allCalls(t, slices.DeleteFunc(slices.Clone(files), isLog))
				both := 0
				for _, at := range source.Pair(log, recorded) {
					if at >= 0 {
						both++
					}
				}
				if len(all) != len(log)+len(recorded)-both || both == 0 {
					t.Errorf("%d calls of %d in the log and %d in the recording, %d of them in both", len(all), len(log), len(recorded), both)
				}
				for i, at := range source.Pair(all, recorded) {
					if at < 0 {
						t.Errorf("call %d of the recording is lost", i)
						continue
					}
					got, want := all[at], recorded[i]
					if diff := cmp.Diff(valuesOf(want, got), valuesOf(got, got)); diff != "" || !got.Recorded {
						t.Errorf("call %d of the recording: %s", i, diff)
					}
					if diff := cmp.Diff(want.Settings, got.Settings); diff != "" {
						t.Errorf("call %d of the recording: %s", i, diff)
					}
				}
				for i, c := range all {
					if i != c.Number {
						t.Errorf("call %d has the number %d", i, c.Number)
					}
				}
			})
		}
	}
	if joined < 4 {
		t.Errorf("%d cases with logs and recordings", joined)
	}
}

// allCalls returns the calls in files, without events.
func allCalls(t *testing.T, files []source.File) []source.Call {
	t.Helper()
	calls, err := source.Calls(t.Context(), files, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(calls, func(c source.Call) bool { return c.Event != nil })
}

// valuesOf returns the messages of a call. For thinking that is redacted it takes those of another.
func valuesOf(c, other source.Call) (out []string) {
	for i, m := range c.Sent {
		if strings.Contains(m.Value, "<REDACTED>") && m.Role == series.Assistant && i < len(other.Sent) {
			m = other.Sent[i]
		}
		out = append(out, m.Value)
	}
	return out
}
