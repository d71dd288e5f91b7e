package source

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// beginning describes the first record of a session file that is part of a conversation.
type beginning struct {
	agent  bool   // the record is of an agent
	id     string // of the agent; may be empty
	uuid   string
	prompt string
}

// name returns the name of the agent: from the record, otherwise from the name of the file.
func (b beginning) name(file string) string {
	base := path.Base(filepath.ToSlash(file))
	base, _, _ = strings.Cut(base, ".")
	named, ok := strings.CutPrefix(base, "agent-")
	if !ok {
		named = ""
	}
	return cmp.Or(b.id, named, b.uuid)
}

// firstRecord describes the first record that is part of a conversation.
func (rd *reader) firstRecord(ctx context.Context) (beginning, error) {
	var b beginning
	err := rd.quiet().lines(ctx, func(d *document) error {
		got := d.root().pick("uuid", "isSidechain", "agentId", "message")
		if got[0].text() == "" {
			return nil
		}
		b = beginning{got[1].is('t'), strings.Clone(got[2].text()), strings.Clone(got[0].text()), promptOf(got[3].get("content"))}
		return errStop
	})
	if err == errStop {
		err = nil
	}
	return b, err
}

// promptOf returns the text of a prompt.
func promptOf(content value) string {
	if text := content.text(); text != "" {
		return strings.Clone(text)
	}
	for _, part := range content.elements() {
		return strings.Clone(part.get("text").text())
	}
	return ""
}

// findAgents reads the beginnings of the files of agents, because the calls that started them are
// read first.
func (s *session) findAgents(ctx context.Context) error {
	s.agents = map[string]string{}
	if len(s.files) == 1 {
		return nil
	}
	for _, file := range s.files {
		err := s.reader.group.withFile(file, func(rd *reader) error {
			b, err := rd.firstRecord(ctx)
			if b.agent && b.prompt != "" {
				s.agents[b.prompt] = "agent " + b.name(file.Name)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// agentTools are the names that the tool that starts agents has or had.
var agentTools = map[string]bool{"Task": true, "Agent": true}

// agentCalls reads the calls in an answer that start agents. An agent with a file of its own is
// recognized by its prompt.
func (s *session) agentCalls(r *record, content value) {
	for _, part := range content.elements() {
		got := part.pick("type", "name", "id", "input")
		if got[0].text() != "tool_use" || !agentTools[got[1].text()] {
			continue
		}
		prompt := got[3].get("prompt").text()
		s.prompts[strings.Clone(prompt)] = strings.Clone(got[2].text())
		if agent := s.agents[prompt]; agent != "" {
			s.linkAgent(r, got[2].text(), agent)
		}
	}
}

// agentPrompt reads the prompt of an agent whose records are in the file of the session.
func (s *session) agentPrompt(r *record) {
	if s.agent != "" || r.parent != nil || !strings.HasPrefix(r.conversation.key, "agent ") {
		return
	}
	d, bad := parse(s.reader.name, r.message.Value, r.line)
	if bad != nil {
		return
	}
	if id := s.prompts[promptOf(d.root().get("content"))]; id != "" {
		s.linkAgent(s.callers[id], id, r.conversation.key)
	}
}

// agentResult reads the result of a call that started an agent, which has the id of the agent.
func (s *session) agentResult(r *record, result value) {
	agent := result.get("agentId").text()
	if agent == "" || r.message == nil || len(r.message.Answers) == 0 {
		return
	}
	s.linkAgent(s.callers[r.message.Answers[0]], r.message.Answers[0], "agent "+strings.Clone(agent))
}

// linkAgent records that an answer started an agent. If the answer was already passed on, only the
// agent refers to it.
func (s *session) linkAgent(caller *record, call, agent string) {
	if caller == nil {
		return
	}
	first := caller.idScope.apis[caller.api][0]
	if s.open != nil && s.opened == first {
		s.start(s.open, series.Start{Call: strings.Clone(call), ConversationID: agent})
	} else if s.conversations[agent] == nil || s.conversations[agent].calls == 0 {
		s.startAt(series.StartedBy{ConversationID: caller.conversation.key, Number: first.call, Call: strings.Clone(call)}, agent)
	}
}
