package source_test

import (
	"context"
	"fmt"

	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// A session of Claude Code was compacted: its first messages left.
func ExampleTrackFiles() {
	file := source.Bytes("session.jsonl", []byte(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Refunds take five days."}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"msg_1","role":"assistant","content":"Noted."}}
{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","sessionId":"s"}
{"type":"user","uuid":"c1","parentUuid":"b1","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"We talked about refunds."}}
{"type":"assistant","uuid":"a2","parentUuid":"c1","sessionId":"s","message":{"id":"msg_2","role":"assistant","content":"What about them?"}}
`))
	err := source.TrackFiles(context.Background(), []source.File{file}, source.Options{}, func(c *series.Step) error {
		if c.Event != nil {
			fmt.Printf("@c%d %s\n", c.Cycle, c.Event.Kind)
		} else {
			fmt.Printf("@c%d call of line %d\n", c.Cycle, c.Origin.Line)
		}
		for _, d := range c.Left {
			fmt.Printf("  %s left: %s into %s\n", d.ID, d.Reason, d.By.ID)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// @c1 call of line 2
	// @c2 answer
	// @c3 compaction
	//   u1 left: compacted into c1
	//   a1 left: compacted into c1
	// @c4 call of line 5
	// @c5 answer
}
