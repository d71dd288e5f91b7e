package pactkit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/thread"
)

// clock advances by one second per call, so an example prints the same on every run. Without a
// clock, contexts use the time of the machine.
func clock() func() time.Time {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// trip is a context with two sealed turns, and a third that has begun.
func trip(ctx context.Context) *pactkit.Tree {
	c, err := pactkit.New(engine.Options{Clock: clock()})
	if err != nil {
		log.Fatal(err)
	}
	say := func(pos string, d engine.Draft) {
		if _, err := c.Insert(ctx, pos, d); err != nil {
			log.Fatal(err)
		}
	}
	commit := func() {
		if _, err := c.Commit(); err != nil {
			log.Fatal(err)
		}
	}
	say("(d0,0, end)", engine.Draft{ID: "u1", Role: "user", Tags: []string{"user"}, Content: engine.Text("Two days in Kyoto?")})
	say("(d0, end)", engine.Draft{ID: "guide", Role: "system", TTL: new(int64(2)), Tags: []string{"rag"}, Content: engine.Text("Kyoto has 17 world heritage sites.")})
	say("(d0,0, end)", engine.Draft{ID: "a1", Role: "assistant", Tags: []string{"assistant"}, Content: engine.Text("Start at Fushimi Inari.")})
	commit()
	say("(d0,0, end)", engine.Draft{ID: "u2", Role: "user", Tags: []string{"user"}, Content: engine.Text("And when it rains?")})
	say("(d0,0, end)", engine.Draft{ID: "a2", Role: "assistant", Tags: []string{"assistant"}, Content: engine.Text("The railway museum.")})
	commit()
	say("(d0,0, end)", engine.Draft{ID: "u3", Role: "user", Tags: []string{"user"}, Content: engine.Text("Where is it?")})
	return c
}

// A context is built turn by turn, queried with selectors, and rendered for a
// provider.
func Example() {
	ctx := context.Background()
	c, err := pactkit.New(engine.Options{Clock: clock()})
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text("Where is the railway museum?")})
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "assistant", Content: engine.Text("Near Kyoto station.")})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Commit(); err != nil {
		log.Fatal(err)
	}
	nodes, err := c.Select(ctx, "d1 .block{role='assistant'}")
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range nodes {
		fmt.Println(n.ID(), n.Content())
	}
	// Output:
	// block:3 "Near Kyoto station."
}

// The log of an agent becomes a context, in which every turn is a snapshot.
func Example_log() {
	ctx := context.Background()
	data, err := os.ReadFile("testdata/logs/tau-bench/gpt-4o-airline.json")
	if err != nil {
		log.Fatal(err)
	}
	logs, err := thread.Import(context.Background(), "airline.json", data, thread.OpenAI, thread.ImportOptions{Messages: "traj"})
	if err != nil {
		log.Fatal(err)
	}
	c := pactkit.FromContext(logs[3].Context)
	// Which tool results were about the flight, as of the third turn?
	nodes, err := c.Select(ctx, "@c3 .block+tool{content~'HAT045'}")
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range nodes {
		call, _ := n.Header("call_id").Text()
		calls, err := c.Select(ctx, "@c3 {id='"+call+"'}")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n.ID(), "answers", calls[0].Header("name"), calls[0].Content())
	}
	// Output:
	// block:16 answers "get_reservation_details" "{\"reservation_id\":\"3JA7XV\"}"
}

// A recorded history is queried at any time, and across times.
func ExampleOpen() {
	c, err := pactkit.Open("testdata/fixtures/selectors_1.0.json", engine.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, selector := range []string{"^sys .block", "^seq .block+user", ".nothing ?? d0 .block"} {
		nodes, err := c.Select(context.Background(), selector)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(selector, ids(nodes))
	}
	// Output:
	// ^sys .block [block:sysA]
	// ^seq .block+user []
	// .nothing ?? d0 .block [block:u3]
}

func ExampleTree_Select() {
	ctx := context.Background()
	c := trip(ctx)
	for _, selector := range []string{
		".block+user",              // now
		"@t-1 .block+user",         // as it was when the newest turn was sealed
		"d1 .block",                // in the newest sealed turn
		"^seq .block+user:last",    // the last message of each turn
		"@t0 .block+rag[ttl<=1]",   // what the next commit removes
		"@c1 .block[ttl]",          // what had a lifetime in cycle 1
		".plan ?? .block @limit=1", // a plan, otherwise the first block
	} {
		nodes, err := c.Select(ctx, selector)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(selector, ids(nodes))
	}
	// Output:
	// .block+user [u1 u2 u3]
	// @t-1 .block+user [u1 u2]
	// d1 .block [u2 a2]
	// ^seq .block+user:last [u1 u2]
	// @t0 .block+rag[ttl<=1] [guide]
	// @c1 .block[ttl] [guide]
	// .plan ?? .block @limit=1 [u1]
}

// A range tells what changed between one snapshot and the one before, newest
// first.
func ExampleTree_SelectRange() {
	ctx := context.Background()
	r, err := trip(ctx).SelectRange(ctx, "@t0..@t-2 .block", eval.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range r.Range.Diffs {
		fmt.Println(d.From.Label, d.To.Label, "added", ids(d.Added), "removed", ids(d.Removed))
		for _, change := range d.Changed {
			fmt.Println("  changed", change.Newer.ID(), change.Fields)
		}
	}
	// Output:
	// @t0 @t-1 added [u3] removed []
	// @t-1 @t-2 added [u2 a2] removed []
	//   changed guide [ttl]
}

// A position is a container and a slot among its children.
func ExampleTree_Insert() {
	ctx := context.Background()
	c := trip(ctx)
	for _, pos := range []string{
		"(d0,0, )",       // first in the core of the head
		"(d0,0, +2)",     // after the second child there
		"(d0, )",         // before the core, as pre-context
		"(d1, end)",      // after a sealed turn, as post-context
		"(#plan, end) ?", // in the plan, if there is one
		"(d1,0, end)",    // a sealed core does not change
	} {
		n, err := c.Insert(ctx, pos, engine.Draft{Content: engine.Text(pos)})
		switch {
		case err != nil:
			fmt.Println(pos, err)
		case n.IsZero():
			fmt.Println(pos, "nothing to do")
		default:
			parent, _ := n.ParentID()
			fmt.Println(pos, "at offset", n.Offset(), "of", parent)
		}
	}
	// Output:
	// (d0,0, ) at offset -1 of cont:5
	// (d0,0, +2) at offset 0 of cont:5
	// (d0, ) at offset -1 of ^ah
	// (d1, end) at offset 1 of seg:4
	// (#plan, end) ? nothing to do
	// (d1,0, end) the core of a sealed segment cannot change [E_SEALED]
}

// A sticky node lives for one cycle and comes back with every commit: it
// precedes every turn and is not part of any that is sealed later.
func ExampleTree_Insert_sticky() {
	ctx := context.Background()
	c, err := pactkit.New(engine.Options{Clock: clock()})
	if err != nil {
		log.Fatal(err)
	}
	reminder := engine.Draft{Key: "style", TTL: new(int64(1)), Cad: new(int64(1)), Content: engine.Text("Answer in one sentence.")}
	if _, err := c.Insert(ctx, "(d0, )", reminder); err != nil {
		log.Fatal(err)
	}
	for turn := 1; turn <= 4; turn++ {
		if turn == 4 {
			c.Engine().StopCadence("style")
			if _, err := c.Delete(ctx, "^ah #style ?"); err != nil {
				log.Fatal(err)
			}
		}
		if _, err := c.Insert(ctx, "(d0,0, end)", engine.Draft{Content: engine.Text(fmt.Sprint("question ", turn))}); err != nil {
			log.Fatal(err)
		}
		s, err := c.Commit()
		if err != nil {
			log.Fatal(err)
		}
		var said []string
		for n := range s.All() {
			if n.Base() == engine.BaseBlock {
				said = append(said, n.Content().String())
			}
		}
		fmt.Println(strings.Join(said, " "))
	}
	nodes, err := c.Select(ctx, "@t-4..@t-1 #style @mode=union")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(nodes), "reminders in all")
	// Output:
	// "Answer in one sentence." "question 1"
	// "question 1" "Answer in one sentence." "question 2"
	// "question 1" "question 2" "Answer in one sentence." "question 3"
	// "question 1" "question 2" "question 3" "question 4"
	// 3 reminders in all
}

func ExampleTree_Diff() {
	ctx := context.Background()
	c := trip(ctx)
	changes, err := c.Diff(ctx, "@t-2", "@t-1", ".block")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", changes.AppendJSON(nil))
	// Output:
	// {"added":["u2","a2"],"removed":[],"changed":[{"id":"guide","fields":["ttl"]}]}
}

func ExampleTree_Thread() {
	ctx := context.Background()
	messages, err := trip(ctx).Thread("@t-1", thread.OpenAI, thread.RenderOptions{Pretty: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", messages.JSON)
	for _, note := range messages.Notes {
		fmt.Println(note)
	}
	// Output:
	// [
	//   {
	//     "role": "user",
	//     "content": "Two days in Kyoto?"
	//   },
	//   {
	//     "role": "assistant",
	//     "content": "Start at Fushimi Inari."
	//   },
	//   {
	//     "role": "system",
	//     "content": "Kyoto has 17 world heritage sites."
	//   },
	//   {
	//     "role": "user",
	//     "content": "And when it rains?"
	//   },
	//   {
	//     "role": "assistant",
	//     "content": "The railway museum."
	//   }
	// ]
}

// A context is saved as one file. When it is opened again, it is recorded, and
// Resume continues it.
func ExampleTree_Resume() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "pactkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "trip.json")
	if err := os.WriteFile(file, trip(ctx).AppendJSON(nil), 0o600); err != nil {
		log.Fatal(err)
	}
	record, err := pactkit.Open(file, engine.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = record.Commit()
	fmt.Println(err)
	c, err := record.Resume(engine.Options{Clock: clock()})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Replace(ctx, "d0 .block+user", engine.Draft{Role: "user", Content: engine.Text("How do I get there?")}); err != nil {
		log.Fatal(err)
	}
	s, err := c.Commit()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("cycle", s.Cycle())
	// Output:
	// a recorded history does not change; Resume returns a live tree that continues it [E_SEALED]
	// cycle 3
}

// The type of an error says what is wrong, a selector or the tree.
func ExampleSelectorError() {
	ctx := context.Background()
	c := trip(ctx)
	for _, selector := range []string{".seg > > .block", ".block+user", "#plan", "{id='u1'}"} {
		_, err := c.Delete(ctx, selector)
		if bad, ok := errors.AsType[*pactkit.SelectorError](err); ok {
			fmt.Println("selector:", bad)
		} else if bad, ok := errors.AsType[*engine.Error](err); ok {
			fmt.Println("tree:", bad)
		} else {
			fmt.Println("done") // sealed nodes stay, with a redaction beside them
		}
	}
	_, err := c.Insert(ctx, "(d1,0, end)", engine.Draft{})
	fmt.Println(errors.Is(err, engine.ErrSealed))
	// Output:
	// selector: 1:8: expected a step after `>`, found `>` (in `.seg > > .block`) [E_SELECTOR_INVALID]
	// selector: 1:1: the selector must select one node, and it selects 3: u1, u2, u3 (in `.block+user`) [E_SELECTOR_CARDINALITY]
	// tree: `#plan` selects no node [E_NOT_FOUND]
	// done
	// true
}

func ExampleFormat() {
	long, err := pactkit.Format("^seq .seg > .block[ttl<=1] +user", format.Options{})
	if err != nil {
		log.Fatal(err)
	}
	short, err := pactkit.Format(long, format.Options{Style: format.Compact})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(long)
	fmt.Println(short)
	// Output:
	// @t0 (^seq *[nodeType='seg'] > *[nodeType='block']) +user [ ttl<=1 ]
	// ^seq .seg > .block+user[ttl<=1]
}

func ExampleParse() {
	q, err := pactkit.Parse("@t-1 d1 .block+tool @limit=3", parser.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(q.Union[0].Chains[0].Steps), "steps,", q.Controls()[0].Name, q.Controls()[0].Value)
	// Output:
	// 2 steps, limit 3
}

// Findings have the rule that reported them and, if there is one, a fix.
func ExampleLint() {
	for _, f := range pactkit.Lint(context.Background(), ".mt > .block[tll<=1]", lint.Options{}) {
		fmt.Printf("%s: %s (%s)\n", f.Rule.ID, f.Message, f.Hint)
	}
	// Output:
	// legacy/type-name: `.mt` is a form of an older revision (write `.seg`)
	// correctness/unknown-attribute: unknown attribute `tll` (did you mean `ttl`?)
}

// Several processes may do this with one history at the same time.
func ExampleAttach() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "pactkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, "file:"+dir)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	live, err := pactkit.Attach(ctx, s, "dinner", engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = live.Update(ctx, func(tree *pactkit.Tree) error {
		_, err := tree.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text("For three, sorry.")})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}

	again, err := pactkit.Attach(ctx, s, "dinner", engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	nodes, err := again.Select(ctx, "d1 .block")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nodes[0].Content())
	// Output: "For three, sorry."
}

// The first value of a watch has the nodes that the selector selects now, and here it has none. The
// second has the node that the commit adds.
func ExampleTree_Watch() {
	ctx := context.Background()
	tree, err := pactkit.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for w, err := range tree.Watch(ctx, "^seq .block+tool") {
		if err != nil {
			log.Fatal(err)
		}
		if len(w.Added) > 0 {
			fmt.Println(w.Added[0].ID(), "entered in cycle", w.Snapshot.Cycle())
			break
		}
		if _, err := tree.Insert(ctx, "(d0,0, end)", engine.Draft{ID: "call-7", Tags: []string{"tool"}}); err != nil {
			log.Fatal(err)
		}
		if _, err := tree.Commit(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// call-7 entered in cycle 1
}
