package source_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/thread/source"
)

// TestReferences checks in which file a trajectory continues: the one in its directory whose name
// has the longest common prefix.
func TestReferences(t *testing.T) {
	var files []source.File
	add := func(name, next string) {
		files = append(files, source.Bytes(name, fmt.Appendf(nil, `{"schema_version":"ATIF-v1.7","session_id":%q,"steps":[],"continued_trajectory_ref":%q}`, name, next)))
	}
	add("a/trial-1.run.json", "run.cont-1.json")
	add("a/run.cont-1.json", "")
	add("a/trial-1.run.cont-1.json", "")
	add("a/trial-2.run.cont-1.json", "")
	add("a/trial-1run.cont-1.json", "")
	add("b/trial-1.run.json", "run.cont-1.json")
	add("b/run.cont-1.json", "../a/run.cont-1.json")
	add("c/itself.json", "itself.json")
	groups, err := source.Group(t.Context(), files, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, group := range groups {
		var names []string
		for _, f := range group {
			names = append(names, f.Name)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"a/trial-1.run.json", "a/trial-1.run.cont-1.json"},
		{"a/run.cont-1.json", "b/trial-1.run.json", "b/run.cont-1.json"},
		{"a/trial-2.run.cont-1.json"},
		{"a/trial-1run.cont-1.json"},
		{"c/itself.json"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
