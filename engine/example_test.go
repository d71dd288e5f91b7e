package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// steady returns options whose clock advances by one second with each call.
func steady() engine.Options {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return engine.Options{
		Clock: func() time.Time { now = now.Add(time.Second); return now },
	}
}

func Example() {
	ctx, err := engine.New(steady())
	if err != nil {
		fmt.Println(err)
		return
	}
	// One turn: a question, and a document with a lifetime of two cycles.
	_, err = ctx.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "u1", Role: "user", Content: engine.Text("Where is it?")})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = ctx.Insert(engine.AtDepth(0, 1), engine.Draft{ID: "doc", TTL: new(int64(2)), Content: engine.Text("It is here.")})
	if err != nil {
		fmt.Println(err)
		return
	}
	first, err := ctx.Commit()
	if err != nil {
		fmt.Println(err)
		return
	}
	// A sealed core cannot change, so the answer goes into the next turn.
	_, err = ctx.Insert(engine.Under("cont:1", 0), engine.Draft{Content: engine.Text("too late")})
	fmt.Println(err)
	if _, err = ctx.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "a1", Role: "assistant", Content: engine.Text("Here.")}); err != nil {
		fmt.Println(err)
		return
	}
	second, err := ctx.Commit()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", engine.Diff(first, second).AppendJSON(nil))
	fmt.Println(len(second.AppendJSON(nil)), "bytes")
	// Output:
	// the core of a sealed segment cannot change [E_SEALED]
	// {"added":["seg:4","cont:3","a1"],"removed":[],"changed":[{"id":"doc","fields":["ttl"]}]}
	// 2473 bytes
}

func ExampleRead() {
	file := `{"spec_version":"PACT/0.1.0","cycle":7,"root":{"children":[
		{"nodeType":"^ah","children":[{"id":"cb:1","ttl":1,"content":"hello"}]}]}}`
	tl, err := engine.Read("turn.json", strings.NewReader(file), engine.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tl.Edition(), tl.At(0).Cycle())
	for _, w := range tl.Warnings() {
		fmt.Println(w)
	}
	_, err = engine.Read("turn.json", strings.NewReader(strings.Replace(file, `"ttl":1`, `"ttl":"1"`, 1)), engine.ReadOptions{})
	fmt.Println(err)
	// Output:
	// 0.1 7
	// turn.json:1: $.root: regions: no ^sys [E_INVARIANT]
	// turn.json:1: $.root: regions: no ^seq [E_INVARIANT]
	// turn.json:2: $.root.children[0].children[0].ttl: ttl must be a number [E_HEADER_TYPE]
}

func ExampleDiffContent() {
	read := func(content string) engine.Node {
		doc := `{"root":{"children":[{"nodeType":"^ah","children":[{"id":"b","content":"` + content + `"}]}]}}`
		tl, err := engine.Read("doc.json", strings.NewReader(doc), engine.ReadOptions{})
		if err != nil {
			fmt.Println(err)
			return engine.Node{}
		}
		n, _ := tl.At(0).Find("b")
		return n
	}
	d, err := engine.DiffContent(read(`two days\nin Kyoto`), read(`three days\nin Kyoto`),
		engine.ContentOptions{Older: "@t-1", Newer: "@t0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(d.Diff)
	// Output:
	// --- older(@t-1)/b
	// +++ newer(@t0)/b
	// @@
	// -two days
	// +three days
	//  in Kyoto
}

// A conversation of ten turns with a tool loop, retrieved documents that expire, a permanent
// reminder and one that returns every third turn. The saved history is the same on every run.
func Example_conversation() {
	talk := func() (*engine.Context, error) {
		ctx, err := engine.New(steady())
		if err != nil {
			return nil, err
		}
		text := func(role, s string) engine.Draft {
			return engine.Draft{Role: role, Kind: "text", Content: engine.Text(s)}
		}
		put := func(depth int, offset int64, d engine.Draft) {
			if err == nil {
				_, err = ctx.Insert(engine.AtDepth(depth, offset), d)
			}
		}
		sticky, cyclic := text("system", "Answer in one sentence."), text("system", "The user is called Ada.")
		sticky.Key, sticky.TTL, sticky.Cad = "style", new(int64(1)), new(int64(1))
		cyclic.Key, cyclic.TTL, cyclic.Cad = "name", new(int64(1)), new(int64(3))
		put(0, -2, sticky)
		put(0, -1, cyclic)
		for turn := 1; turn <= 10; turn++ {
			put(0, 0, text("user", fmt.Sprint("question ", turn)))
			if turn%4 == 2 { // retrieval: visible for two turns
				doc := text("system", fmt.Sprint("document for ", turn))
				doc.TTL, doc.Tags = new(int64(2)), []string{"rag"}
				put(0, 1, doc)
			}
			if turn == 5 { // a tool loop
				for call := 1; call <= 2; call++ {
					attempt := ctx.BeginAttempt("example", "model-1", "sha256:0")
					use := text("assistant", fmt.Sprint("call ", call))
					use.Kind = "call"
					put(0, 0, use)
					result := text("tool", fmt.Sprint("result ", call))
					result.Kind, result.TTL = "result", new(int64(1))
					put(0, 0, result)
					if err == nil {
						err = ctx.EndAttempt(attempt, engine.AttemptResult{Status: engine.AttemptCompleted})
					}
				}
			}
			put(0, 0, text("assistant", fmt.Sprint("answer ", turn)))
			if err == nil {
				_, err = ctx.Commit()
			}
			if err != nil {
				return nil, err
			}
		}
		return ctx, nil
	}
	ctx, err := talk()
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range ctx.Timeline().Sealed() {
		var extras []string
		for n := range s.All() {
			if _, mortal := n.TTL(); mortal {
				extras = append(extras, n.Content().String())
			}
		}
		fmt.Printf("@c%d %d segments, %d nodes: %s\n", s.Cycle(), s.Segments(), s.Len(), strings.Join(extras, " "))
	}
	again, err := talk()
	if err != nil {
		fmt.Println(err)
		return
	}
	saved := ctx.AppendJSON(nil)
	fmt.Println("same bytes:", bytes.Equal(saved, again.AppendJSON(nil)))
	tl, err := engine.Read("saved.json", bytes.NewReader(saved), engine.ReadOptions{Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("read and saved:", bytes.Equal(saved, tl.AppendJSON(nil)))
	// Output:
	// @c1 1 segments, 10 nodes: "Answer in one sentence." "The user is called Ada."
	// @c2 2 segments, 14 nodes: "Answer in one sentence." "document for 2"
	// @c3 3 segments, 18 nodes: "document for 2" "Answer in one sentence."
	// @c4 4 segments, 22 nodes: "Answer in one sentence." "The user is called Ada."
	// @c5 5 segments, 29 nodes: "Answer in one sentence." "result 1" "result 2"
	// @c6 6 segments, 32 nodes: "Answer in one sentence." "document for 6"
	// @c7 7 segments, 37 nodes: "document for 6" "Answer in one sentence." "The user is called Ada."
	// @c8 8 segments, 39 nodes: "Answer in one sentence."
	// @c9 9 segments, 43 nodes: "Answer in one sentence."
	// @c10 10 segments, 49 nodes: "Answer in one sentence." "The user is called Ada." "document for 10"
	// same bytes: true
	// read and saved: true
}
