package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestReading runs testdata/engine/reading/*.txtar: the lines of the source are commands that show
// the other files.
//
//	read [strict] [depth=N] [bytes=N] FILE   the states, newest first, and the warnings
//	export                                   the history as it is written
//	reference                                the newest state in the reference's bytes
//	hash ID                                  the computed hash and the stored one
//	diff                                     the two newest states, with details
//	content ID MODE                          a content diff of the two newest states
//	address BACK                             the state at @t-BACK
//	resume, commit                           goes on from the history
func TestReading(t *testing.T) {
	for c := range testkit.Load(t, "../testdata/engine/reading/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			r := reading{t: t, files: map[string][]byte{}}
			for _, f := range c.Inputs() {
				r.files[f.Name] = f.Data
			}
			for line := range strings.Lines(c.Source()) {
				fmt.Fprintf(&r.out, "> %s", line)
				if err := r.run(strings.Fields(line)); err != nil {
					if _, ok := errors.AsType[*engine.Error](err); !ok {
						t.Fatalf("%s: %v", line, err)
					}
					fmt.Fprintln(&r.out, err)
				}
			}
			c.Golden(t, testkit.Want("", r.out.String()))
		})
	}
}

// reading is the state of one run.
type reading struct {
	t     *testing.T
	out   bytes.Buffer
	files map[string][]byte
	tl    *engine.Timeline
	ctx   *engine.Context
}

func (r *reading) run(words []string) error {
	word := func(i int) string {
		if i >= len(words) {
			r.t.Fatalf("too few words: %q", words)
		}
		return words[i]
	}
	switch word(0) {
	case "read":
		return r.read(words[1:])
	case "export":
		fmt.Fprintf(&r.out, "%s\n", r.tl.AppendJSON(nil))
	case "reference":
		fmt.Fprintf(&r.out, "%s\n", r.tl.At(0).AppendReference(nil))
	case "hash":
		n := r.node(0, word(1))
		fmt.Fprintln(&r.out, n.ComputedHash(), n.ContentHash())
	case "diff":
		changes := engine.Diff(r.tl.At(1), r.tl.At(0))
		fmt.Fprintf(&r.out, "%s\n", changes.AppendJSON(nil))
		d := changes.Details()
		for _, list := range []struct {
			name     string
			families []engine.Family
		}{{"gained", d.ChildrenAdded}, {"lost", d.ChildrenRemoved}} {
			for _, f := range list.families {
				fmt.Fprintln(&r.out, f.Parent, list.name, strings.Join(f.Children, " "))
			}
		}
		for _, m := range d.Moved {
			fmt.Fprintln(&r.out, m.Old.ID(), "moved to", m.New.ID())
		}
		for _, m := range d.Collisions {
			fmt.Fprintln(&r.out, m.Old.ID(), "collides with", m.New.ID())
		}
	case "content":
		d, err := engine.DiffContent(r.node(1, word(1)), r.node(0, word(1)),
			engine.ContentOptions{Mode: engine.ContentMode(word(2)), Older: "@t-1", Newer: "@t0"})
		if err != nil {
			return err
		}
		data, err := json.Marshal(d)
		if err != nil {
			return err
		}
		fmt.Fprintf(&r.out, "%s\n", data)
	case "address":
		back, err := strconv.Atoi(word(1))
		if err != nil {
			return err
		}
		s, err := r.tl.Address(back)
		if err != nil {
			return err
		}
		fmt.Fprintln(&r.out, "cycle", s.Cycle())
	case "resume":
		ids := 0
		var err error
		r.ctx, err = engine.Resume(r.tl, engine.Options{
			Clock: func() time.Time { return time.Unix(0, 1000) },
			NewID: func(typ string) string { ids++; return fmt.Sprint(typ, ids) },
		})
		return err
	case "commit":
		s, err := r.ctx.Commit()
		if err != nil {
			return err
		}
		tr := transcript{t: r.t, out: &r.out}
		tr.show(s)
	default:
		r.t.Fatalf("unknown operation %q", words)
	}
	return nil
}

// node finds a node of the state at @t-back.
func (r *reading) node(back int, id string) engine.Node {
	n, ok := r.tl.At(back).Find(id)
	if !ok {
		r.t.Fatalf("no node %q", id)
	}
	return n
}

func (r *reading) read(words []string) error {
	var opts engine.ReadOptions
	for _, w := range words[:len(words)-1] {
		name, value, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "strict":
			opts.Strict = true
		case "depth":
			opts.MaxDepth = n
		case "bytes":
			opts.MaxBytes = int64(n)
		default:
			r.t.Fatalf("unknown option %q", w)
		}
	}
	name := words[len(words)-1]
	data, ok := r.files[name]
	if !ok {
		r.t.Fatalf("no file %q", name)
	}
	tl, err := engine.Read(name, bytes.NewReader(data), opts)
	if err != nil {
		return err
	}
	r.tl = tl
	for back, s := range tl.All() {
		fmt.Fprintf(&r.out, "@t-%d cycle %d, edition %s, %d nodes", back, s.Cycle(), s.Edition(), s.Len())
		if s.Working() {
			fmt.Fprint(&r.out, ", working")
		}
		fmt.Fprintln(&r.out)
	}
	for _, w := range tl.Warnings() {
		fmt.Fprintln(&r.out, "warning:", w)
	}
	return nil
}
