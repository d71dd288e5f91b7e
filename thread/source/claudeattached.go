package source

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// addition is what the client adds to a turn, or only records.
type addition struct {
	kind     string
	role     string           // renderedRole; that of a version that does not record it is from the table
	texts    [][]*series.Part // each is the content of a message
	surfaced []string         // tools that are added
	plain    []*series.Part   // instead of texts, for a model without system turns, if tools are added
	isPrompt bool             // a person typed it while the model was working
	isQueued bool             // a prompt or a command while the model was working
	beside   bool             // stays beside a result
	rendered bool             // the log has the texts
	isFile   bool             // the text of a file; it is one text for a model with system turns
	isLate   bool             // while it is new, it stands beside the result of a tool
	lacks    bool             // it is sent, and the log does not have the text
}

// silentAttachments are the kinds of attachments that are never sent.
var silentAttachments = map[string]bool{
	"prompt_snapshot": true, "deferred_tools_record": true, "session_context": true, "command_permissions": true, "already_read_file": true,
	"edited_image_file": true, "structured_output": true, "dynamic_skill": true, "max_turns_reached": true, "hook_success": true, "hook_cancelled": true,
	"hook_error_during_execution": true, "hook_non_blocking_error": true, "hook_system_message": true, "hook_permission_decision": true,
	"thinking_stripped": true,
}

// attachmentOf reads an attachment. The log of version 2.1.332 has the texts; for earlier ones they
// are made as the client makes them.
func (s *session) attachmentOf(in *recordLine) *addition {
	v := value{raw: in.attached}
	a := &addition{kind: strings.Clone(v.get("type").text()), role: in.renderedRole, beside: in.beside, rendered: in.rendered != ""}
	switch a.kind {
	case "prompt_snapshot":
		return a
	case "queued_command":
		a.isQueued = true
		origin := v.get("origin", "kind").text()
		a.isPrompt = v.get("commandMode").text() == "prompt" && (origin == "" || origin == "human")
	case "deferred_tools_delta":
		for _, name := range v.get("surfacedNames").elements() {
			a.surfaced = append(a.surfaced, strings.Clone(name.text()))
		}
	}
	var texts []value
	if a.rendered {
		for _, x := range (value{raw: in.rendered}).elements() {
			if x.is('{') {
				x = x.get("content")
			}
			texts = append(texts, x)
		}
	} else {
		texts = s.template(a, v)
		a.lacks = len(texts) == 0 && !silentAttachments[a.kind]
		if len(texts) > 0 && a.role == "" {
			if a.role = "system"; a.kind == "file" && v.get("content", "type").text() == "image" {
				a.role = "user"
			}
			a.isFile = a.kind == "file" && a.role == "system"
			a.isLate = a.kind == "hook_additional_context" && strings.HasPrefix(v.get("hookName").text(), "PostToolUse")
		}
	}
	for _, x := range texts {
		var list []*series.Part
		if x.is('"') {
			list = append(list, newText(x.text()))
		}
		for _, p := range x.elements() {
			list = append(list, &series.Part{Value: p.canonical()})
		}
		if len(list) > 0 { // what is rendered without a content is not sent
			a.texts = append(a.texts, list)
		}
	}
	if len(a.surfaced) > 0 && len(texts) > 0 {
		text := texts[0].text()
		head, _, _ := strings.Cut(text[max(strings.Index(text, "The following deferred tools are now available"), 0):], "\n")
		a.plain = []*series.Part{newText(reminder(head + "\n" + strings.Join(words(v.get("addedLines")), "\n")))}
	}
	return a
}

func words(v value) (out []string) {
	for _, w := range v.elements() {
		out = append(out, w.text())
	}
	return out
}

// jsonText returns a string as JSON.
func jsonText(text string) value {
	raw, _ := json.Marshal(text) // cannot fail
	return value{raw: string(raw)}
}

// template returns the contents that the client makes of an attachment whose texts are not in the
// log, as version 2.1.197 does.
func (s *session) template(a *addition, v value) []value {
	wrapped := func(format string, args ...any) value { return jsonText(reminder(fmt.Sprintf(format, args...))) }
	switch a.kind {
	case "hook_additional_context":
		text := v.get("content").text()
		if v.get("content").is('[') {
			text = strings.Join(words(v.get("content")), "\n")
		}
		return []value{wrapped("%s hook additional context: %s", v.get("hookName").text(), text)}
	case "skill_listing":
		return []value{wrapped("The following skills are available for use with the Skill tool:\n\n%s", v.get("content").text())}
	case "agent_listing_delta":
		var out []string
		if lines := words(v.get("addedLines")); len(lines) > 0 {
			head := "New agent types are now available for the Agent tool:"
			if v.get("isInitial").is('t') {
				head = "Available agent types for the Agent tool:"
			}
			out = append(out, head+"\n"+strings.Join(lines, "\n"))
		}
		if gone := words(v.get("removedTypes")); len(gone) > 0 {
			out = append(out, "The following agent types are no longer available:\n- "+strings.Join(gone, "\n- "))
		}
		switch {
		case !v.get("isInitial").is('t'):
			if len(out) > 0 {
				out = append(out, "This is ambient context — do not narrate it to the user unless they ask or it is directly relevant to their request.")
			}
		case v.get("showConcurrencyNote").is('t'):
			out = append(out, "When you launch multiple agents for independent work, send them in a single message with multiple tool uses so they run concurrently.")
		}
		if len(out) > 0 {
			return []value{wrapped("%s", strings.Join(out, "\n\n"))}
		}
	case "file":
		file := v.get("content", "file")
		read := wrapped(`Called the Read tool with the following input: {"file_path":"%s"}`, v.get("filename").text())
		switch v.get("content", "type").text() {
		case "image":
			image := object(map[string]value{
				"type": jsonText("image"), "source": {raw: object(map[string]value{
					"type": jsonText("base64"), "data": {raw: file.get("base64").canonical()}, "media_type": {raw: file.get("type").canonical()},
				})},
			})
			return []value{read, {raw: "[" + image + "]"}}
		case "text":
			first, _ := file.get("startLine").integer()
			lines := strings.Split(file.get("content").text(), "\n")
			for i := range lines {
				lines[i] = fmt.Sprintf("%d\t%s", first+i, lines[i])
			}
			return []value{read, wrapped("Result of calling the Read tool:\n%s", strings.Join(lines, "\n"))}
		}
	case "nested_memory":
		return []value{wrapped("Contents of %s:\n\n%s", v.get("path").text(), v.get("content", "content").text())}
	case "date_change":
		return []value{wrapped("The date has changed. Today's date is now %s. DO NOT mention this to the user explicitly because they are already aware.", v.get("newDate").text())}
	case "hook_success":
		event, text := v.get("hookEvent").text(), v.get("content").text()
		if text != "" && (event == "SessionStart" || event == "UserPromptSubmit") {
			return []value{wrapped("%s hook success: %s", v.get("hookName").text(), text)}
		}
	case "task_reminder":
		if v.get("content").raw == "[]" {
			return []value{wrapped("%s", taskReminder)}
		}
	case "queued_command":
		return []value{wrapped("The user sent a new message while you were working:\n%s\n\nIMPORTANT: After completing your current task, you MUST address the user's message above. Do not ignore it.", v.get("prompt").text())}
	}
	return nil
}

// taskReminder is what a model is told that keeps no list of tasks.
const taskReminder = "The task tools haven't been used recently. If you're working on tasks that would benefit from tracking progress, consider using TaskCreate " +
	"to add new tasks and TaskUpdate to update task status (set to in_progress when starting, completed when done). Also consider cleaning up the task list " +
	"if it has become stale. Only use these if relevant to the current work. This is just a gentle reminder - ignore if not applicable.\n"

// hasSystemTurns reports whether a client sends a model system messages amid the others, if the log
// does not say it. It was seen of opus 4.8 and 5.5, and not of sonnet 4.5.
func hasSystemTurns(model string) bool {
	numbers := make([]int, 0, 8)
	for part := range strings.SplitSeq(model, "-") {
		n, isNumber := 0, part != "" && len(part) < 3
		for _, c := range part {
			isNumber = isNumber && c >= '0' && c <= '9'
			n = 10*n + int(c-'0')
		}
		if isNumber {
			numbers = append(numbers, n)
		}
	}
	return slices.Compare(numbers, []int{4, 8}) >= 0 && strings.HasPrefix(model, "claude-")
}
