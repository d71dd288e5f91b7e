package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestFixtures reads every snapshot of the source documents.
func TestFixtures(t *testing.T) {
	for name, want := range map[string]string{
		"thread_basic":    "root-1 sys-1 cb:sysA seq-1 mt:1 cb:u1 mt:2 cb:a1 ah-1 cb:u2",
		"thread_pre_post": "root-2 sys-2 cb:sysB seq-2 mt:10 cb:pre1 cb:core1 cb:post1 ah-2 cb:pre2 cb:core2 cb:post2",
		"selectors_0.1":   "root sys-1 cb:sysA seq-1 mt:1 cb:u1 mt:2 cb:a1 ah-1 cb:u2",
		"range_depth_0.1": "root seq-2 mt:1 cb:u1 mt:2 cb:u2 mt:3 cb:u3",
		"selectors_1.0":   "root sys-1 block:sysA seq-1 seg:1 cont:1 block:u1 cont:2 block:a1 seg:2 cont:3 block:u2 ah-1 block:u3",
		"range_depth_1.0": "root seq-2 seg:1 cont:1 block:u1 seg:2 cont:2 block:u2 seg:3 cont:3 block:u3",
	} {
		tl, err := engine.Load(filepath.Join("../testdata/fixtures", name+".json"), engine.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var ids []string
		for n := range tl.At(0).All() {
			ids = append(ids, n.ID())
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: document order\n got %s\nwant %s", name, got, want)
		}
	}
}
