package source

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isATIF recognizes a trajectory.
func isATIF(first []value) bool {
	got := first[0].pick("schema_version", "steps", "agent")
	return strings.HasPrefix(got[0].text(), "ATIF") || got[1].is('[') && got[2].is('{')
}

// trajectory is the state of reading a trajectory. A trajectory has the steps of an agent, not
// requests: everything before a step of the agent was sent to get it.
type trajectory struct {
	*reader
	session  string
	settings []series.Setting
	list     []*series.Message
	kept     int // number of messages of the previous request that are still at the beginning of list
	why      []series.Reason
	open     *series.Request
	// continued says that the trajectory continues in the next file.
	continued bool
}

// trajectories reads trajectories. After a compaction, a session may continue in another file.
type trajectories struct{ *group }

func openTrajectories(g *group) parser { return trajectories{g} }

func (trajectories) end(context.Context) error { return nil }

// file reads a trajectory, or one per line.
func (trajectories) file(ctx context.Context, rd *reader) error {
	return rd.documents(ctx, func(d *document) error { return rd.trajectory(ctx, d.root()) })
}

func (rd *reader) trajectory(ctx context.Context, v value) error {
	got := v.pick("session_id", "agent", "steps", "continued_trajectory_ref", "trajectory_id", "subagent_trajectories")
	t := &trajectory{reader: rd, session: strings.Clone(cmp.Or(got[0].text(), got[4].text()))}
	if !got[2].is('[') {
		return rd.fail(v, engine.ErrFileShape, "the trajectory has no steps")
	}
	agent := got[1].pick("model_name", "tool_definitions", "extra")
	if text := agent[0].canonical(); text != "" {
		t.settings = append(t.settings, series.Setting{Name: "model_name", Value: text})
	}
	if text := agent[1].canonical(); text != "" {
		t.settings = append(t.settings, series.Setting{Name: "tool_definitions", Kind: series.Tools, Value: text})
	}
	if n, ok := agent[2].get("continuation_index").integer(); ok && n > 0 {
		t.why = []series.Reason{{Cause: series.Compacted, Line: agent[2].line(), Path: "$.agent.extra"}}
	}
	if ref := got[3].text(); ref != "" {
		if t.continued = rd.continues(ref); !t.continued {
			rd.note(thread.Kept, engine.ErrNotFound, got[3], "the trajectory continues in %q, which is not among the files that are read", ref)
		}
	}
	for i, step := range got[2].elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.step(step, "$.steps["+strconv.Itoa(i)+"]", strings.Clone(cmp.Or(agent[0].text(), ""))); err != nil {
			return err
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	for _, agent := range got[5].elements() {
		if err := rd.trajectory(ctx, agent); err != nil {
			return err
		}
	}
	return nil
}

// continues reports whether the next file is the one that a trajectory refers to. Its name may have
// a prefix, which is added when the files of several trajectories are collected.
func (rd *reader) continues(ref string) bool {
	return rd.number+1 < len(rd.files) && isNamed(rd.files[rd.number+1].Name, rd.name, ref)
}

// isNamed reports whether a file is the one that another file refers to.
func isNamed(name, from, ref string) bool {
	return ref != "" && filepath.Dir(name) == dirOf(from, ref) && strings.HasSuffix(filepath.Base(name), path.Base(ref))
}

// sentNames are the members of a step that later requests contain.
var sentNames = []string{"message", "reasoning_content", "source", "tool_calls"}

func (t *trajectory) step(v value, at, model string) error {
	got := v.pick("source", "message", "observation", "is_copied_context", "timestamp", "model_name", "metrics", "extra", "tool_calls", "llm_call_count")
	source := got[0].text()
	role, ok := map[string]series.Role{"user": series.User, "agent": series.Assistant, "system": series.System}[source]
	if !ok {
		t.malformed(v, "a step has the unknown source %q; it is kept unchanged", source)
		return nil
	}
	if context := got[7].get("context_management"); context.is('{') && context.get("type").text() == "compaction" {
		if !t.continued {
			t.note(thread.Kept, "", v, "what the compaction kept is not recorded, except the steps that follow")
		}
		t.starts(got[2])
		t.list, t.kept = nil, 0
		t.why = append(t.why, series.Reason{Cause: series.Compacted, Line: v.line(), Path: at + ".extra.context_management"})
		return nil
	}
	calls, counted := got[9].integer()
	if source == "agent" && !got[3].is('t') && !(counted && calls == 0) {
		if err := t.call(v, at, got, cmp.Or(got[5].text(), model)); err != nil {
			return err
		}
	}
	members := map[string]value{}
	for name, w := range v.members() {
		if slices.Contains(sentNames, name) && !w.missing() {
			members[name] = value{raw: w.canonical()}
		}
	}
	m := &series.Message{Value: object(members), Role: role, Line: v.line(), Path: at}
	kept := map[string]value{}
	keep(kept, v, atifStep)
	setAbout(m, kept)
	for _, call := range got[8].elements() {
		add(&m.Calls, call.get("tool_call_id"))
	}
	if t.open != nil && source == "agent" && len(t.open.Reply) == 0 {
		t.open.Reply = []*series.Message{m}
		t.list = append(t.list, m)
	} else {
		t.after(m)
	}
	t.starts(got[2])
	for i, result := range got[2].get("results").elements() {
		if result.get("content").missing() {
			continue // the steps of a sub-agent are in a separate trajectory
		}
		answer := &series.Message{Value: result.canonical(), Role: series.User, Line: result.line(), Path: fmt.Sprintf("%s.observation.results[%d]", at, i)}
		add(&answer.Answers, result.get("source_call_id"))
		if len(answer.Answers) > 0 {
			answer.Role = series.Tool
		}
		t.after(answer)
	}
	return nil
}

// after adds a message that follows the latest call.
func (t *trajectory) after(m *series.Message) {
	t.list = append(t.list, m)
	if t.open != nil && len(t.why) == 0 {
		t.open.After = append(t.open.After, m)
	}
}

// starts reads the references to trajectories of agents in the results of a step.
func (t *trajectory) starts(observation value) {
	for _, result := range observation.get("results").elements() {
		for _, ref := range result.get("subagent_trajectory_ref").elements() {
			if id := cmp.Or(ref.get("session_id").text(), ref.get("trajectory_id").text()); id != "" && t.open != nil {
				t.start(t.open, series.Start{Call: strings.Clone(result.get("source_call_id").text()), ConversationID: "session " + id})
			}
		}
	}
}

// call begins the call whose answer is step v of the agent.
func (t *trajectory) call(v value, at string, got []value, model string) error {
	if err := t.flush(); err != nil {
		return err
	}
	t.open = &series.Request{
		ConversationID: "session " + t.session, Base: t.kept, Messages: slices.Clone(t.list[t.kept:]), Settings: t.settings, List: "steps",
		Format: string(ATIF), Why: t.why, Time: got[4].instant(), Model: strings.Clone(model), Usage: got[6].canonical(),
		Origin: series.Origin{File: t.name, Call: t.calls, Line: v.line(), Path: at},
	}
	t.calls++
	t.kept, t.why = len(t.list), nil
	return nil
}

func (t *trajectory) flush() error {
	if t.open == nil {
		return nil
	}
	r := t.open
	t.open = nil
	return t.send(r)
}
