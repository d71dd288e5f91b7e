package source

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// codexRecords has the types of the lines of a rollout.
var codexRecords = map[string]fate{
	"session_meta": ofSettings, "turn_context": ofSettings, "world_state": bookkeeping,
	"inter_agent_communication_metadata": bookkeeping, "inter_agent_communication": bookkeeping,
	"response_item": byType, "event_msg": byType, "token_usage_record": ofCall, "compacted": stated,
}

// codexItems has the types of the items in the lines response_item. What a message is depends on
// its role.
var codexItems = map[string]fate{
	"message": fromClient, "agent_message": fromClient, "additional_tools": fromClient,
	"function_call_output": fromClient, "custom_tool_call_output": fromClient, "tool_search_output": fromClient,
	"local_shell_call_output": fromClient, "mcp_tool_call_output": fromClient, "computer_call_output": fromClient,
	"reasoning": fromModel, "function_call": fromModel, "custom_tool_call": fromModel, "web_search_call": fromModel,
	"tool_search_call": fromModel, "local_shell_call": fromModel, "image_generation_call": fromModel,
	"computer_call": fromModel, "compaction": fromModel, "compaction_summary": fromModel, "context_compaction": fromModel,
	"ghost_snapshot": bookkeeping, "compaction_trigger": bookkeeping,
}

// codexEvents has the types of the lines event_msg. Those that show something to a person repeat
// what items say.
var codexEvents = map[string]fate{
	"token_count": ofCall, "thread_rolled_back": stated, "turn_aborted": stated,
	"agent_message": bookkeeping, "agent_message_delta": bookkeeping, "agent_reasoning": bookkeeping, "agent_reasoning_raw_content": bookkeeping,
	"agent_reasoning_section_break": bookkeeping, "background_event": bookkeeping, "collab_agent_interaction_end": bookkeeping,
	"collab_agent_spawn_end": bookkeeping, "collab_close_end": bookkeeping, "collab_resume_end": bookkeeping, "collab_waiting_end": bookkeeping,
	"context_compacted": bookkeeping, "dynamic_tool_call_request": bookkeeping, "dynamic_tool_call_response": bookkeeping,
	"entered_review_mode": bookkeeping, "error": ofCall, "exec_command_begin": bookkeeping, "exec_command_end": bookkeeping,
	"exited_review_mode": bookkeeping, "guardian_assessment": bookkeeping, "image_generation_end": bookkeeping, "item_completed": bookkeeping,
	"item_started": bookkeeping, "mcp_tool_call_begin": bookkeeping, "mcp_tool_call_end": bookkeeping, "patch_apply_begin": bookkeeping,
	"patch_apply_end": bookkeeping, "plan_update": bookkeeping, "session_configured": bookkeeping, "stream_error": bookkeeping,
	"sub_agent_activity": bookkeeping, "task_complete": ofCall, "task_started": bookkeeping, "thread_goal_updated": bookkeeping,
	"thread_name_updated": bookkeeping, "thread_settings_applied": bookkeeping, "turn_complete": ofCall, "turn_diff": bookkeeping,
	"turn_started": bookkeeping, "undo_completed": bookkeeping, "undo_started": bookkeeping, "user_message": bookkeeping,
	"view_image_tool_call": bookkeeping, "warning": bookkeeping, "web_search_begin": bookkeeping, "web_search_end": bookkeeping,
}

// What of a request a rollout does not have, in the words of [series.Request].
const (
	noTools        = "tools"
	noInstructions = "system prompt"
	someLines      = "lines of the system prompt that Codex leaves out"
	noPrompt       = "prompt of the compaction"
	noOrigin       = "history of the thread that this one continues"
)

// isCodex recognizes lines of a rollout. Rollouts from before September 2025 have a line about the
// session, followed by bare items.
func isCodex(first []value) bool {
	return isBareMeta(first[0]) || slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("type", "payload", "record_type")
		return got[1].is('{') && codexRecords[got[0].text()] != unknownKind || got[2].text() == "state"
	})
}

// isBareMeta reports whether a line is the first line of an old rollout.
func isBareMeta(v value) bool {
	got := v.pick("id", "timestamp", "type", "instructions", "git", "originator")
	return got[0].is('"') && got[1].is('"') && got[2].raw == "" && listOf(v).raw == "" && (got[3].raw != "" || got[4].is('{') || got[5].is('"'))
}

// rollouts reads the rollouts of a session: a thread, those that continue it, and its agents.
type rollouts struct {
	byFile    map[string]*rollout // by the id at the end of the name
	bySession map[string]*rollout // the latest one
	sentBy    map[string]*rollout // by conversation, the one with the latest request
}

func openRollouts(*group) parser {
	return &rollouts{byFile: map[string]*rollout{}, bySession: map[string]*rollout{}, sentBy: map[string]*rollout{}}
}

func (rs *rollouts) end(context.Context) error { return nil }

func (rs *rollouts) file(ctx context.Context, rd *reader) error {
	r := &rollout{reader: rd, all: rs, settings: map[string]series.Setting{}, spawns: map[string]bool{}}
	if id, _ := rolloutID(rd.name); id != "" {
		rs.byFile[id] = r
	}
	if err := rd.lines(ctx, func(d *document) error { return r.line(d.root()) }); err != nil {
		return err
	}
	if err := r.own(); err != nil {
		return err
	}
	if err := r.hold(); err != nil {
		return err
	}
	if r.open == nil && len(r.history.items) > r.inherited { // nothing was ever answered
		r.state("answer", value{})
	}
	return r.flush()
}

// rolloutID returns the id at the end of the name of a rollout, and whether the file was begun by
// going back in a thread: then the id is that of the file, and follows that of the thread.
func rolloutID(name string) (id string, rewound bool) {
	name, _, _ = strings.Cut(path.Base(strings.ReplaceAll(name, `\`, "/")), ".jsonl")
	rest, ok := strings.CutPrefix(name, "rollout-")
	const layout = "2006-01-02T15-04-05-"
	if !ok || len(rest) <= len(layout) {
		return "", false
	}
	thread, file, rewound := strings.Cut(rest[len(layout):], "_")
	if rewound {
		return file, true
	}
	return thread, false
}
