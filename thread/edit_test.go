package thread_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
)

// TestEdits runs testdata/thread/edit/*.txtar. They contain operations, one per line, and the
// results of the renderings:
//
//	new [nodes=N]                     an empty context
//	import FORMAT LOG                 or one from a log
//	insert POSITION DRAFT             POSITION is dN:OFFSET or ID:OFFSET
//	replace ID DRAFT, move ID POSITION, delete ID, commit
//	render FORMAT                     the working state, with its notes
//	prefix FORMAT                     the newest sealed snapshot and the one before
func TestEdits(t *testing.T) {
	for c := range testkit.Load(t, "../testdata/thread/edit/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			e := &edits{t: t}
			sc := bufio.NewScanner(bytes.NewReader(c.In.Data))
			for sc.Scan() {
				if line := strings.TrimSpace(sc.Text()); line != "" {
					fmt.Fprintf(&e.out, "> %s\n", line)
					verb, rest, _ := strings.Cut(line, " ")
					if err := e.run(verb, rest); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
			}
			c.Golden(t, testkit.Want("", e.out.String()))
		})
	}
}

type edits struct {
	t   *testing.T
	c   *engine.Context
	out bytes.Buffer
}

func (e *edits) run(verb, rest string) (err error) {
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "new":
		o := engine.Options{System: true, Clock: func() time.Time { return time.Unix(1, 0) }}
		if _, n, ok := strings.Cut(rest, "nodes="); ok {
			most, err := strconv.Atoi(n)
			if err != nil {
				return err
			}
			o.Policy = &engine.Policy{Limits: []engine.Limit{{Nodes: most}}}
		}
		e.c, err = engine.New(o)
	case "import":
		var logs []thread.Log
		if logs, err = thread.Import(e.t.Context(), "log.json", []byte(second), formatOf(e.t, first), thread.ImportOptions{}); err == nil {
			e.c = logs[0].Context
		}
	case "insert":
		var d engine.Draft
		if d, err = engine.ParseDraft([]byte(second)); err == nil {
			_, err = e.c.Insert(position(e.t, first), d)
		}
	case "replace":
		var d engine.Draft
		if d, err = engine.ParseDraft([]byte(second)); err == nil {
			_, err = e.c.Replace(engine.ByID(first), d)
		}
	case "move":
		_, err = e.c.Move(engine.ByID(first), position(e.t, second))
	case "delete":
		_, err = e.c.Delete(engine.ByID(first))
	case "commit":
		_, err = e.c.Commit()
	case "render":
		renderOf(e.t, e.c.Working(), formatOf(e.t, first))
		out, err := thread.Render(e.c.Working(), formatOf(e.t, first), thread.RenderOptions{})
		if err != nil {
			return err
		}
		fmt.Fprintf(&e.out, "%s\n%s", bytes.TrimSuffix(out.JSON, []byte{10}), lines(out.Notes))
	case "prefix":
		p, err := thread.Prefix(e.c.Timeline().Recorded(), 0, formatOf(e.t, first), thread.RenderOptions{})
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(&e.out, "%s\n", text)
	default:
		e.t.Fatalf("unknown operation %q", verb)
	}
	return err
}

func position(t *testing.T, s string) engine.Position {
	t.Helper()
	i := strings.LastIndexByte(s, ':')
	offset, err := strconv.ParseInt(s[i+1:], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if depth, err := strconv.Atoi(strings.TrimPrefix(s[:i], "d")); err == nil {
		return engine.AtDepth(depth, offset)
	}
	return engine.Under(s[:i], offset)
}
