package engine_test

import (
	"fmt"

	"github.com/pactkit/pactkit/engine"
)

// A turn is compacted: its nodes leave, and a summary replaces them.
func ExampleTimeline_Lives() {
	c, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	insert := func(id string, ttl int64) {
		d := engine.Draft{ID: id, Content: engine.Text("…")}
		if ttl > 0 {
			d.TTL = &ttl
		}
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			panic(err)
		}
	}
	insert("question", 0)
	insert("hint", 1)
	if _, err := c.Step(); err != nil { // cycle 1
		panic(err)
	}
	if _, err := c.Delete(engine.ByID("question")); err != nil {
		panic(err)
	}
	insert("summary", 0)
	c.Describe(engine.CommitInfo{Causes: []engine.Cause{{ID: "question", Cause: engine.CauseCompacted, By: "summary"}}})
	if _, err := c.Commit(); err != nil { // cycle 2
		panic(err)
	}

	history := c.Timeline()
	lives := history.Lives()
	first, _ := history.OfCycle(1)
	for n := range first.All() {
		if n.Base() != engine.BaseBlock {
			continue
		}
		life := lives.Of(n)
		fmt.Println(n.ID(), "entered", life.Entered, "left", life.Left, life.Cause.Cause, life.Cause.By)
	}
	// Output:
	// question entered 1 left 2 compacted summary
	// hint entered 1 left 2 expired
}
