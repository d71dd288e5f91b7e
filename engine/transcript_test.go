package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestTranscripts runs testdata/engine/*.txtar: operations, one on each line, and their results.
//
//	new [0.1] [system] [nodes=N] [keep=K] [numbered] [seed=N] [apart=N]   an empty context
//	    [budget=N] [gain=N] [clear=KIND] [sum=KIND] [drop=KIND]           its policy
//	insert POSITION DRAFT                   dN:OFFSET, ID:OFFSET, core:OFFSET or before:ID
//	move TARGET POSITION                    TARGET is an id or #key
//	replace TARGET DRAFT
//	delete TARGET
//	nest POSITION                           containers, one in the other, until one is refused
//	hold ID, release ID, pin ID, unpin ID, stop KEY
//	commit                                  shows the snapshot and its diff
//	side KIND                               the coming commit is that of a side call
//	count                                   shows what @t counts
//	shrink N                                a step in which the policy saves N tokens
//	usage N                                 the coming commit is a call with N tokens
//	causes                                  shows why nodes left with the last commit
//	names                                   shows which custom members have no namespace
//	erase ID...                             shows what else is erased, and goes on without it
//	show                                    shows the working state
//	resume                                  exports, reads and goes on
//
// Instants are one nanosecond apart, or as many as apart says, and ids are numbered by type.
func TestTranscripts(t *testing.T) {
	for c := range testkit.Load(t, "../testdata/engine/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			var out bytes.Buffer
			runTranscript(t, c.In.Data, &out)
			c.Golden(t, testkit.Want("", out.String()))
		})
	}
}

// transcript is the state of one run.
type transcript struct {
	t    *testing.T
	out  *bytes.Buffer
	opts engine.Options
	ctx  *engine.Context
	prev *engine.Snapshot

	now, apart int64
}

func runTranscript(t *testing.T, ops []byte, out *bytes.Buffer) {
	tr := &transcript{t: t, out: out}
	counts := map[string]int{}
	tr.opts.Clock = func() time.Time {
		tr.now += tr.apart
		return time.Unix(0, 1000+tr.now)
	}
	tr.opts.NewID = func(typ string) string {
		counts[typ]++
		return fmt.Sprintf("%s%d", typ, counts[typ])
	}
	tr.open("")
	lines := bufio.NewScanner(bytes.NewReader(ops))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		fmt.Fprintf(out, "> %s\n", line)
		verb, rest, _ := strings.Cut(line, " ")
		if err := tr.run(verb, rest); err != nil {
			e, ok := errors.AsType[*engine.Error](err)
			if !ok {
				t.Fatalf("%s: %v", line, err)
			}
			fmt.Fprintln(out, e)
		}
	}
}

func (tr *transcript) open(words string) {
	for w := range strings.FieldsSeq(words) {
		name, value, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(value)
		if strings.Contains(" nodes keep budget gain clear sum drop ", " "+name+" ") {
			if tr.opts.Policy == nil {
				tr.opts.Policy = &engine.Policy{}
			}
		}
		switch name {
		case "0.1":
			tr.opts.Edition = engine.Edition01
		case "system":
			tr.opts.System = true
		case "nodes":
			tr.opts.Policy.Limits = []engine.Limit{{Nodes: n}}
		case "budget":
			tr.opts.Policy.Budget = n
		case "gain":
			tr.opts.Policy.MinGain = n
		case "clear", "sum", "drop":
			tr.opts.Policy.Steps = append(tr.opts.Policy.Steps, stepOf(name, value))
		case "numbered":
			tr.opts.NewID = nil
		case "apart":
			tr.apart = int64(n)
		case "seed":
			tr.opts.NewID, tr.opts.Seed = nil, new(uint64(n))
		case "keep":
			tr.opts.Policy.KeepSegments = n
		default:
			tr.t.Fatalf("unknown option %q", w)
		}
	}
	var err error
	if tr.ctx, err = engine.New(tr.opts); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *transcript) run(verb, rest string) error {
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "new":
		tr.open(rest)
	case "insert":
		d, err := engine.ParseDraft([]byte(second))
		if err != nil {
			return err
		}
		tr.warn(d.Warnings())
		n, err := tr.ctx.Insert(tr.position(first), d)
		if err == nil {
			fmt.Fprintln(tr.out, n.ID())
		}
		return err
	case "replace":
		d, err := engine.ParseDraft([]byte(second))
		if err != nil {
			return err
		}
		tr.warn(d.Warnings())
		n, err := tr.ctx.Replace(target(first), d)
		if err == nil {
			fmt.Fprintln(tr.out, n.ID())
		}
		return err
	case "move":
		_, err := tr.ctx.Move(target(first), tr.position(second))
		return err
	case "delete":
		n, err := tr.ctx.Delete(target(first))
		if err == nil && !n.IsZero() {
			fmt.Fprintln(tr.out, n.ID())
		}
		return err
	case "nest":
		pos := tr.position(first)
		for made := 0; ; made++ {
			n, err := tr.ctx.Insert(pos, engine.Draft{Type: "cont"})
			if err != nil {
				fmt.Fprintf(tr.out, "%d levels\n", made)
				return err
			}
			pos = engine.Under(n.ID(), 1)
		}
	case "hold":
		return tr.ctx.Hold(first)
	case "release":
		return tr.ctx.Release(first)
	case "pin", "unpin":
		_, err := tr.ctx.Pin(target(first), verb == "pin")
		return err
	case "stop":
		return tr.ctx.StopCadence(first)
	case "seal":
		return tr.ctx.Seal()
	case "usage":
		n, _ := strconv.ParseInt(rest, 10, 64)
		tr.ctx.Describe(engine.CommitInfo{Call: &engine.Call{Usage: &engine.Usage{Input: n}}})
	case "commit", "step", "shrink":
		end := tr.ctx.Commit
		switch verb {
		case "step":
			end = tr.ctx.Step
		case "shrink":
			n, _ := strconv.Atoi(rest)
			end = func() (*engine.Snapshot, error) { return tr.ctx.Shrink(n) }
		}
		s, err := end()
		if err != nil {
			return err
		}
		tr.show(s)
		if bad := s.Validate(); len(bad) > 0 {
			tr.t.Errorf("after %s: %v", verb, bad)
		}
		if tr.prev != nil {
			fmt.Fprintf(tr.out, "diff %s\n", engine.Diff(tr.prev, s).AppendJSON(nil))
		}
		tr.prev = s
	case "side":
		tr.ctx.Describe(engine.CommitInfo{Side: &engine.Side{Of: 1, Kind: rest}})
	case "count":
		for back, s := range tr.ctx.Timeline().All() {
			fmt.Fprintf(tr.out, "@t-%d is of cycle %d\n", back, s.Cycle())
		}
	case "causes":
		if info := tr.prev.Info(); info != nil {
			for _, c := range info.Causes {
				fmt.Fprint(tr.out, c.ID, " ", c.Cause)
				if c.By != "" {
					fmt.Fprint(tr.out, " by ", c.By)
				}
				if c.Rule != "" && info.Policy != nil {
					fmt.Fprintf(tr.out, " (%s, %s, saved %d)", c.Rule, c.Trigger, c.Saved)
				}
				fmt.Fprintln(tr.out)
			}
			if p := info.Policy; p != nil {
				fmt.Fprintf(tr.out, "%s %d: from %d to %d tokens %s\n", p.Trigger, p.Budget, p.Before, p.After, strings.Join(p.Failed, "; "))
			}
		}
	case "names":
		tr.warn(tr.ctx.History().Namespaces())
	case "erase":
		less, others, err := tr.ctx.History().Erase(strings.Fields(rest)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(tr.out, "also %q\n", others)
		if tr.ctx, err = engine.Resume(less, tr.opts); err != nil {
			return err
		}
		for s := range less.Sealed() {
			tr.prev = s
		}
		tr.show(tr.ctx.Working())
	case "show":
		tr.show(tr.ctx.Working())
	case "shown": // attachments to the history itself
		t, err := engine.NewAttacher(tr.self).Show(tr.t.Context(), tr.ctx.Timeline())
		if err != nil {
			return err
		}
		tr.warn(t.Warnings())
		tr.show(t.Working())
	case "refresh":
		return tr.ctx.Refresh(tr.t.Context(), tr.self)
	case "fork":
		n, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			tr.t.Fatal(err)
		}
		f, err := tr.ctx.Fork(engine.ForkPoint{History: second, Cycle: n})
		if err != nil {
			return err
		}
		tr.ctx, tr.prev = f, nil
		for _, p := range f.Timeline().Forks() {
			fmt.Fprintf(tr.out, "forked from %s at cycle %d\n", p.History, p.Cycle)
		}
		tr.show(f.Working())
	case "resume":
		data := tr.ctx.AppendJSON(nil)
		tl, err := engine.Read("saved.json", bytes.NewReader(data), engine.ReadOptions{Strict: true})
		if err != nil {
			return err
		}
		if tr.ctx, err = engine.Resume(tl, tr.opts); err != nil {
			return err
		}
		if again := tr.ctx.AppendJSON(nil); !bytes.Equal(again, data) {
			tr.t.Errorf("what was resumed is not what was saved:\n%s\n%s", data, again)
		}
	default:
		tr.t.Fatalf("unknown operation %q", verb)
	}
	return nil
}

// self is a source that has the history itself, under the name self.
func (tr *transcript) self(_ context.Context, history string) (*engine.Timeline, error) {
	if history != "self" {
		return nil, nil
	}
	return tr.ctx.Timeline(), nil
}

func (tr *transcript) warn(list []*engine.Error) {
	for _, w := range list {
		fmt.Fprintln(tr.out, "warning:", w)
	}
}

func target(s string) engine.Target {
	if key, ok := strings.CutPrefix(s, "#"); ok {
		return engine.ByKey(key)
	}
	return engine.ByID(s)
}

func (tr *transcript) position(s string) engine.Position {
	if id, ok := strings.CutPrefix(s, "before:"); ok {
		return engine.Before(id)
	}
	i := strings.LastIndex(s, ":")
	if i < 0 {
		tr.t.Fatalf("no position: %q", s)
	}
	offset, err := strconv.ParseInt(s[i+1:], 10, 64)
	if err != nil {
		tr.t.Fatal(err)
	}
	if s[:i] == "core" {
		return engine.InCore(offset)
	}
	if d, ok := strings.CutPrefix(s[:i], "d"); ok {
		if depth, err := strconv.Atoi(d); err == nil {
			return engine.AtDepth(depth, offset)
		}
	}
	return engine.Under(s[:i], offset)
}

// show prints a tree, one node on each line, and the hash of its bytes.
func (tr *transcript) show(s *engine.Snapshot) {
	data := s.AppendJSON(nil)
	fmt.Fprintf(tr.out, "cycle %d, %d bytes, sha256 %x\n", s.Cycle(), len(data), sha256.Sum256(data))
	for n := range s.All() {
		level := 0
		for p, ok := n.Parent(); ok; p, ok = p.Parent() {
			level++
		}
		fmt.Fprintf(tr.out, "%s%s", strings.Repeat("  ", level), n.ID())
		if n.Type() != n.ID() {
			fmt.Fprintf(tr.out, " %s", n.Type())
		}
		for _, name := range n.Headers() {
			switch name {
			case "id", "nodeType", "parent_id", "created_at_iso", "creation_index":
				continue
			}
			v := n.Header(name)
			if name == "created_at_ns" {
				name = "ns"
			}
			if v.String() != "0" && !v.IsNull() {
				fmt.Fprintf(tr.out, " %s=%s", name, v)
			}
		}
		fmt.Fprintln(tr.out)
	}
}

// stepOf returns a step of a policy: it clears, sums up or drops the nodes of a kind. A summary of
// one node fails.
func stepOf(action, kind string) engine.Step {
	st := engine.Step{Rule: action + " " + kind, Select: selectKind(kind)}
	switch action {
	case "clear":
		st.Show = show("[cleared]")
	case "sum":
		st.Summarize = func(list []engine.Node) (engine.Draft, error) {
			if len(list) == 1 {
				return engine.Draft{}, errors.New("one node is not worth it")
			}
			return engine.Draft{Content: engine.Text("summary")}, nil
		}
	}
	return st
}
