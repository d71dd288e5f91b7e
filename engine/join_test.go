package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

func timelineOf(t *testing.T, text string) *engine.Timeline {
	t.Helper()
	tl, err := engine.Read("x.json", strings.NewReader(text), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// snapshotText returns a snapshot with the same segments for every cycle.
func snapshotText(cycle int) string {
	return fmt.Sprintf(`{"cycle":%d,"root":{"cycle":0,"children":[{"nodeType":"^sys","cycle":0},{"nodeType":"^seq","cycle":0,"children":[`+
		`{"id":"s","nodeType":"seg","cycle":0,"children":[{"id":"c","nodeType":"cont","cycle":0}]}]},{"nodeType":"^ah"}]}}`, cycle)
}

// Joined timelines are in the order of cycles, whatever the order of the parts.
func TestJoin(t *testing.T) {
	a := timelineOf(t, `{"snapshots":[`+snapshotText(3)+`]}`)
	b := timelineOf(t, snapshotText(1))
	c := timelineOf(t, `{"snapshots":[`+snapshotText(2)+`,`+snapshotText(4)+`],"working":`+snapshotText(5)+`}`)
	whole := timelineOf(t, `{"spec_version":"PACT/1.0.0","snapshots":[`+snapshotText(1)+`,`+snapshotText(2)+`,`+snapshotText(3)+`,`+snapshotText(4)+
		`],"working":`+snapshotText(5)+`}`)
	for _, parts := range [][]*engine.Timeline{{a, b, c}, {c, b, a}} {
		joined, err := engine.Join(parts...)
		if err != nil {
			t.Fatal(err)
		}
		if string(joined.AppendJSON(nil)) != string(whole.AppendJSON(nil)) {
			t.Errorf("got %s", joined.AppendJSON(nil))
		}
		// Equal parts are shared.
		if (*tree.Snapshot)(joined.At(1)).Chunk(engine.RegionSeq, 0) != (*tree.Snapshot)(joined.At(4)).Chunk(engine.RegionSeq, 0) {
			t.Error("nothing is shared")
		}
	}
	if one, err := engine.Join(b); one != b || err != nil {
		t.Errorf("a timeline alone: %v", err)
	}
	for name, parts := range map[string][]*engine.Timeline{
		"none":        {},
		"cycle twice": {a, a},
		"old working": {c, timelineOf(t, snapshotText(9))},
	} {
		if _, err := engine.Join(parts...); !errors.Is(err, engine.ErrFileShape) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
