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

// isATIF recognizes a trajectory, a list of trajectories, or an object with some in its members.
func isATIF(first []value) bool { return len(trajectoriesIn(first[0], true)) > 0 }

func isTrajectory(v value) bool {
	got := v.pick("schema_version", "steps", "agent")
	return strings.HasPrefix(got[0].text(), "ATIF") || got[1].is('[') && got[2].is('{')
}

// trajectoriesIn returns the trajectories in a document: itself, its elements or its members.
func trajectoriesIn(v value, deep bool) (out []value) {
	if isTrajectory(v) {
		return []value{v}
	}
	for _, w := range v.elements() {
		if !isTrajectory(w) {
			break
		}
		out = append(out, w)
	}
	for _, w := range v.members() {
		if deep {
			out = append(out, trajectoriesIn(w, false)...)
		}
	}
	return out
}

// trajectory is the state of reading a trajectory. A trajectory has the steps of an agent, not
// requests: everything before a step of the agent was sent to get it.
type trajectory struct {
	transcript
	// continued says that the trajectory continues in the next file.
	continued bool
	// handedOff says that the next prompt stands for what left.
	handedOff bool
	unknown   value // the compaction, if it does not say what it kept
}

// trajectories reads trajectories. After a compaction, a session may continue in another file.
type trajectories struct{ used map[string]bool }

func openTrajectories(*group) parser { return trajectories{map[string]bool{}} }

func (trajectories) end(context.Context) error { return nil }

// file reads a trajectory, or several: one per line, or in a list or object.
func (x trajectories) file(ctx context.Context, rd *reader) error {
	return rd.documents(ctx, func(d *document) error {
		list := trajectoriesIn(d.root(), true)
		if len(list) == 0 {
			return rd.fail(d.root(), engine.ErrFileShape, "the trajectory has no steps")
		}
		for _, v := range list {
			if err := x.trajectory(ctx, rd, v, false); err != nil {
				return err
			}
		}
		return nil
	})
}

// trajectory reads a trajectory. isAgent says that it is inside that of the agent that started it.
func (x trajectories) trajectory(ctx context.Context, rd *reader, v value, isAgent bool) error {
	got := v.pick("session_id", "agent", "steps", "continued_trajectory_ref", "trajectory_id", "subagent_trajectories")
	if !got[2].is('[') {
		return rd.fail(v, engine.ErrFileShape, "the trajectory has no steps")
	}
	agent := got[1].pick("model_name", "tool_definitions", "extra")
	n, _ := agent[2].get("continuation_index").integer()
	name := x.name(rd, got[0].text(), got[4].text(), isAgent, n > 0)
	t := &trajectory{transcript: transcript{reader: rd, conversation: "session " + name, format: string(ATIF), list: "steps"}}
	if text := agent[0].canonical(); text != "" {
		t.settings = append(t.settings, series.Setting{Name: "model_name", Value: text})
	}
	if text := agent[1].canonical(); text != "" {
		t.settings = append(t.settings, series.Setting{Name: "tool_definitions", Kind: series.Tools, Value: text})
	}
	if n > 0 {
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
		if err := x.trajectory(ctx, rd, agent, true); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of the conversation of a trajectory. A session is a run, which may have the
// trajectories of several agents; the id of a trajectory is that of one. References may use either.
func (x trajectories) name(rd *reader, session, id string, isAgent, continues bool) string {
	name := cmp.Or(session, id)
	if _, isReferred := rd.startedBy["session "+id]; id != "" && (isAgent || isReferred) {
		name = id
	}
	if x.used[name] && !continues && (isAgent || rd.number == 0) { // the files of a group continue each other
		base := cmp.Or(id, name)
		name = base
		for n := 2; x.used[name]; n++ {
			name = base + " " + strconv.Itoa(n)
		}
	}
	x.used[strings.Clone(name)] = true
	return strings.Clone(name)
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
var sentNames = []string{"message", "source", "tool_calls"}

func (t *trajectory) step(v value, at, model string) error {
	got := v.pick("source", "message", "observation", "is_copied_context", "timestamp", "model_name", "metrics", "extra", "tool_calls", "llm_call_count")
	source := got[0].text()
	role, ok := map[string]series.Role{"user": series.User, "agent": series.Assistant, "system": series.System}[source]
	if !ok {
		t.malformed(v, "a step has the unknown source %q; it is kept unchanged", source)
		return nil
	}
	calls, counted := got[9].integer()
	if source == "agent" && !got[3].is('t') && !(counted && calls == 0) {
		if err := t.call(v, at, got, cmp.Or(got[5].text(), model)); err != nil {
			return err
		}
		if calls > 1 {
			t.noteOnce(thread.Kept, "", v, "a step has several model calls, which are one here: its tokens are their sum")
		}
	}
	if is, err := t.manages(v, at, got); is || err != nil {
		return err
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
		add(&m.Calls, strings.Clone(call.get("tool_call_id").text()))
	}
	switch {
	case source == "agent":
		t.answer(m)
	case t.handedOff && source == "user" && t.open != nil:
		m.Summary = true
		t.messages = append(t.messages, m)
		t.open.Messages = append(t.open.Messages, m)
		t.kept++
	default:
		t.add(m)
	}
	t.handedOff, t.unknown = t.handedOff && source == "system", value{}
	t.starts(got[2])
	for _, answer := range results(got[2], at) {
		t.add(answer)
	}
	return nil
}

// results returns the results of a step as messages.
func results(observation value, at string) (out []*series.Message) {
	for i, result := range observation.get("results").elements() {
		if result.get("content").missing() {
			continue // the steps of a sub-agent are in a separate trajectory
		}
		answer := &series.Message{Value: result.canonical(), Role: series.User, Line: result.line(), Path: fmt.Sprintf("%s.observation.results[%d]", at, i)}
		add(&answer.Answers, strings.Clone(result.get("source_call_id").text()))
		if len(answer.Answers) > 0 {
			answer.Role = series.Tool
		}
		out = append(out, answer)
	}
	return out
}

// manages reads a step that changes the context, and reports whether a step does. Its message is
// not sent, but what it observed is.
func (t *trajectory) manages(v value, at string, got []value) (bool, error) {
	context := got[7].get("context_management")
	kind, boundary := context.get("type").text(), context.get("boundary").text()
	handoff := got[0].text() == "system" && isHandoff(got[2])
	if !context.is('{') && !handoff {
		return false, nil
	}
	t.starts(got[2])
	made := results(got[2], at)
	for i, m := range made { // the results of no call that is sent
		if m.Role = series.User; len(m.Answers) > 0 {
			copied := *m
			copied.Answers = nil
			made[i] = &copied
		}
	}
	switch {
	case boundary == "append" || boundary == "" && kind == "injection":
		for _, m := range made {
			t.add(m)
		}
	case boundary == "truncate" || boundary == "" && kind == "pruning":
		t.note(thread.Kept, "", v, "messages were cut off here; the trajectory does not say which, so later calls may show more than was sent")
		t.why = append(t.why, series.Reason{Cause: series.Trimmed, Line: v.line(), Path: at})
		for _, m := range made {
			t.add(m)
		}
	case boundary == "replace" || handoff || boundary == "" && kind == "compaction":
		if t.continued && len(made) == 0 {
			t.messages, t.kept = nil, 0
			t.why = append(t.why, series.Reason{Cause: series.Compacted, Line: v.line(), Path: at + ".extra.context_management"})
			return true, t.flush()
		}
		return true, t.replace(v, at, made, handoff)
	default:
		t.note(thread.Kept, "", v, "unknown kind of context management %q, %q; the messages stay as they are", kind, boundary)
	}
	return true, nil
}

// isHandoff reports whether all results of a step are trajectories of agents that no tool call
// started. They summarized the conversation, and the next prompt hands it over.
func isHandoff(observation value) bool {
	is := false
	for _, result := range observation.get("results").elements() {
		if is = result.get("subagent_trajectory_ref").is('[') && result.get("content").missing() && result.get("source_call_id").missing(); !is {
			return false
		}
	}
	return is
}

// replace puts messages in the place of all but the system prompt and, in a handoff, the first
// prompt. If there are none, the next prompt stands for what left.
func (t *trajectory) replace(v value, at string, made []*series.Message, handoff bool) error {
	kept := 0
	for kept < len(t.messages) && t.messages[kept].Role == series.System {
		kept++
	}
	if handoff && kept < len(t.messages) && t.messages[kept].Role == series.User {
		kept++
	}
	for i, m := range made {
		if i == 0 {
			m.Summary = true
		}
	}
	if t.handedOff = len(made) == 0; t.handedOff && !handoff {
		t.unknown = v
	}
	return t.state(&series.Request{
		Event: &series.Event{Kind: "compaction"}, Why: []series.Reason{{Cause: series.Compacted, Line: v.line(), Path: at}},
		Time: v.get("timestamp").instant(), Origin: series.Origin{Line: v.line(), Path: at},
	}, slices.Concat(t.messages[:kept:kept], made))
}

// starts reads the references to trajectories of agents in the results of a step.
func (t *trajectory) starts(observation value) {
	for _, result := range observation.get("results").elements() {
		for _, ref := range result.get("subagent_trajectory_ref").elements() {
			if id := cmp.Or(ref.get("trajectory_id").text(), ref.get("session_id").text()); id != "" && t.open != nil && t.open.Event == nil {
				t.start(t.open, series.Start{Call: strings.Clone(result.get("source_call_id").text()), ConversationID: "session " + id})
			}
		}
	}
}

// call begins the call whose answer is step v of the agent.
func (t *trajectory) call(v value, at string, got []value, model string) error {
	if t.unknown.raw != "" {
		t.note(thread.Kept, "", t.unknown, "what the compaction kept is not recorded, except the steps that follow")
		t.handedOff, t.unknown = false, value{}
	}
	return t.transcript.call(&series.Request{
		Time: got[4].instant(), Model: strings.Clone(model), Usage: got[6].canonical(), Origin: series.Origin{Line: v.line(), Path: at},
	})
}
