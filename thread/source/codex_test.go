package source_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// rolloutFiles makes rollouts from lines in a short form: "== NAME" begins a file, "u TEXT" is an
// item of the user, "a TEXT" one of the model, "S/T u TEXT" has the sequences S and T.
func rolloutFiles(t *testing.T, text string) []source.File {
	t.Helper()
	var names []string
	data := map[string]*strings.Builder{}
	name, ordinal := "in.jsonl", 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "== "); ok {
			name, ordinal = rest, 0
			continue
		}
		if line == "" {
			continue
		}
		if data[name] == nil {
			data[name] = &strings.Builder{}
			names = append(names, name)
		}
		metadata := ""
		if first, rest, ok := strings.Cut(line, " "); ok && strings.Contains(first, "/") {
			var sequence, through int
			more := ""
			if _, err := fmt.Sscanf(first, "%d/%d%s", &sequence, &through, &more); err != nil && more != "" {
				t.Fatal(err)
			}
			metadata = fmt.Sprintf(`,"metadata":{"history_sequence":%d,"sampled_through_sequence":%d`, sequence, through)
			metadata += map[string]string{"": "", "c": `,"compaction_output":true`, "i": `,"inherited_user_message":true`}[more] + "}"
			line = rest
		}
		kind, rest, _ := strings.Cut(line, " ")
		one, two, _ := strings.Cut(rest, " ")
		record, payload := "response_item", ""
		message := func(role, part string) string {
			return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, part, rest)
		}
		switch kind {
		case "meta":
			if _, end, ok := strings.Cut(two, `"end_ordinal_exclusive":`); ok { // own ordinals go on from there
				if _, err := fmt.Sscanf(end, "%d", &ordinal); err != nil {
					t.Fatal(err)
				}
			}
			record, payload = "session_meta", fmt.Sprintf(`{"id":%q,"base_instructions":{"text":"You are Codex."}%s}`, one, two)
		case "model":
			record, payload = "turn_context", fmt.Sprintf(`{"model":%q}`, one)
		case "u":
			payload = message("user", "input_text")
		case "d":
			payload = message("developer", "input_text")
		case "a":
			payload = message("assistant", "output_text")
		case "call":
			payload = fmt.Sprintf(`{"type":"function_call","name":"f","arguments":"{}","call_id":%q}`, one)
		case "custom":
			payload = fmt.Sprintf(`{"type":"custom_tool_call","name":"f","input":"","call_id":%q}`, one)
		case "out":
			payload = fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, one, two)
		case "item":
			payload = rest
		case "usage":
			record, payload = "token_usage_record", fmt.Sprintf(`{"response_id":%q,"usage":{"input_tokens":%s,"output_tokens":1,"total_tokens":%[2]s}}`, one, two)
		case "count": // of the whole session, and of the latest call
			last := ""
			if two != "" {
				last = fmt.Sprintf(`,"last_token_usage":{"input_tokens":%s,"output_tokens":1,"total_tokens":%[1]s}`, two)
			}
			record, payload = "event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%s,"output_tokens":1,"cached_input_tokens":0}%s}}`, one, last)
		case "compacted":
			record, payload = "compacted", rest
		case "event":
			record, payload = "event_msg", rest
		default:
			record, payload = kind, rest
		}
		fmt.Fprintf(data[name], `{"timestamp":"2026-01-02T10:00:%02d.000Z","ordinal":%d,"type":%q,"payload":%s%s}`+"\n", ordinal%60, ordinal, record, payload, metadata)
		ordinal++
	}
	var out []source.File
	for _, name := range names {
		out = append(out, source.Bytes(name, []byte(data[name].String())))
	}
	return out
}

// brief writes a message in the form of rolloutFiles.
func brief(m *series.Message) string {
	var v struct {
		Type, Role, CallID, Output string
		Call_ID                    string
		Content                    []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(m.Value), &v); err != nil {
		return m.Value
	}
	switch {
	case v.Role != "" && len(v.Content) > 0:
		return v.Role[:1] + ":" + v.Content[0].Text
	case strings.HasSuffix(v.Type, "_output"):
		return "out:" + v.Call_ID + ":" + v.Output
	case v.Call_ID != "":
		return "call:" + v.Call_ID
	}
	return v.Type
}

func briefs(list []*series.Message) string {
	var out []string
	for _, m := range list {
		out = append(out, brief(m))
	}
	return strings.Join(out, ", ")
}

// readRollouts reads the groups of files and describes the requests.
func readRollouts(t *testing.T, files []source.File, withMissing bool) (string, []string) {
	t.Helper()
	var b strings.Builder
	var notes []string
	o := source.Options{Note: func(n thread.Note) { notes = append(notes, n.Msg) }}
	groups, err := source.Group(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		sent := map[string][]*series.Message{}
		err := source.ReadFiles(t.Context(), group, o, func(r *series.Request) error {
			list := append(sent[r.ConversationID][:r.Base:r.Base], r.Messages...)
			sent[r.ConversationID] = list
			what := "call"
			if e := r.Event; e != nil {
				what = e.Kind
				if e.Trigger != "" {
					what += " " + e.Trigger
				}
				if e.Before+e.After > 0 {
					what += fmt.Sprintf(" %d to %d", e.Before, e.After)
				}
			}
			if r.Side != "" {
				what = r.Side + " call"
			}
			if r.Failed != "" {
				what = "failed call (" + r.Failed + ")"
			}
			var usage struct {
				In int `json:"input_tokens"`
			}
			if r.Usage != "" {
				if err := json.Unmarshal([]byte(r.Usage), &usage); err != nil {
					t.Error(err)
				}
				what += fmt.Sprintf(" in %d", usage.In)
			}
			fmt.Fprintf(&b, "%s: %s", what, briefs(list))
			if len(r.Reply) > 0 {
				b.WriteString(" => " + briefs(r.Reply))
			}
			if len(r.After) > 0 {
				b.WriteString(" then " + briefs(r.After))
			}
			if withMissing {
				b.WriteString(" without " + strings.Join(r.Missing, "; "))
			}
			b.WriteByte('\n')
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), notes
}

func TestRollouts(t *testing.T) {
	const parent = "== rollout-2026-01-02T10-00-00-p.jsonl\nmeta p ,\"history_mode\":\"paginated\"\n1/0 u one\n2/1 a 1\nusage r1 10\n3/1 u two\n4/3 a 2\nusage r2 20\n"
	base := func(id string, end int, more string) string {
		return fmt.Sprintf(`,"history_mode":"paginated","history_base":{"thread_id":%q,"end_ordinal_exclusive":%d}%s`, id, end, more)
	}
	tests := []struct{ name, in, want, note string }{
		{name: "fork", in: parent + "== rollout-2026-01-02T10-01-00-f.jsonl\nmeta f " + base("p", 4, `,"forked_from_id":"p","timestamp":"2"`) + "\n3/1 u three\n4/3 a 3\nusage r3 30",
			want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\nrewind fork: u:one, a:1 then u:three\ncall in 30: u:one, a:1, u:three => a:3\n"},
		{name: "rewind of a rewind", in: parent + "== rollout-2026-01-02T10-01-00-p_q.jsonl\nmeta p " + base("p", 4, `,"timestamp":"2"`) + "\n3/1 u three\n4/3 a 3\n" +
			"== rollout-2026-01-02T10-02-00-p_r.jsonl\nmeta p " + base("q", 6, `,"timestamp":"3"`) + "\n4/3 a other",
			want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\nrewind: u:one, a:1 then u:three\ncall: u:one, a:1, u:three => a:3\nrewind: u:one, a:1, u:three\ncall: u:one, a:1, u:three => a:other\n"},
		{name: "rewind to the beginning", in: parent + "== rollout-2026-01-02T10-01-00-p_q.jsonl\nmeta p ,\"history_mode\":\"paginated\",\"timestamp\":\"2\"\n1/0 u again\n2/1 a yes",
			want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\nrewind:  then u:again\ncall: u:again => a:yes\n"},
		{name: "trailing rewind", in: parent + "== rollout-2026-01-02T10-01-00-p_q.jsonl\nmeta p " + base("p", 4, `,"timestamp":"2"`),
			want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\nrewind: u:one, a:1\n"},
		{name: "fork alone", in: "== rollout-2026-01-02T10-01-00-f.jsonl\nmeta f " + base("p", 4, `,"forked_from_id":"p"`) + "\n3/1 u three\n4/3 a 3",
			want: "call: u:three => a:3\n", note: `the session continues "p", which is not among the files that are read`},
		{name: "inherited items", in: "meta c ,\"source\":{\"subagent\":\"x\"}\nmeta p\n1/0i u one\n2/1i a 1\n3/2 u task\n4/3 a done",
			want: "call: u:one, a:1, u:task => a:done\n"},
		{name: "steering while the model answers", in: "meta x\n1/0 u one\n2/1 call c\n3/1 u hurry\n4/1 a soon\nusage r1 10\n5/1 out c x\n6/5 a done\nusage r2 20",
			want: "call in 10: u:one => call:c, a:soon then u:hurry, out:c:x\ncall in 20: u:one, call:c, u:hurry, a:soon, out:c:x => a:done\n"},
		{name: "an answer sampled before an input", in: "meta x\n1/0 u one\n2/0 u two\n3/1 a early\nusage r1 10",
			want: "call in 10: u:one => a:early then u:two\n"},
		{name: "a message of Codex itself", in: "meta x\n1/0 u <user_action>review</user_action>\n2/0 a Fine.\n3/0 u one\n4/3 a 1",
			want: "call: u:<user_action>review</user_action>, a:Fine., u:one => a:1\n"},
		{name: "a refused request", in: "meta x\nu one\nevent {\"type\":\"error\",\"message\":\"429\"}\nevent {\"type\":\"task_complete\",\"error\":{\"message\":\"429\"}}\nu two\na 2\nevent {\"type\":\"task_complete\",\"error\":{\"message\":\"late\"}}",
			want: "failed call (429): u:one then u:two\ncall: u:one, u:two => a:2\n"},
		{name: "an error that is not about a request", in: "meta x\nu one\nevent {\"type\":\"error\",\"message\":\"no\",\"codex_error_info\":\"sandbox_error\"}\na 1",
			want: "call: u:one => a:1\n"},
		{name: "no output", in: "meta x\nu one\ncall c\nevent {\"type\":\"turn_aborted\",\"reason\":\"interrupted\"}\nu two\na 2",
			want: "call: u:one => call:c\ninterrupt interrupted: u:one, call:c, out:c:aborted then u:two\ncall: u:one, call:c, out:c:aborted, u:two => a:2\n"},
		{name: "an output that says what was sent without it", in: "meta x\nu one\ncall c\nevent {\"type\":\"turn_aborted\",\"reason\":\"interrupted\"}\nout c aborted\nu two\na 2",
			want: "call: u:one => call:c\ninterrupt interrupted: u:one, call:c, out:c:aborted then u:two\ncall: u:one, call:c, out:c:aborted, u:two => a:2\n"},
		{name: "late output", in: "meta x\n1/0 u one\n2/1 custom c\n3/1 u hurry\n4/3 a soon\n5/3 item {\"type\":\"custom_tool_call_output\",\"call_id\":\"c\",\"output\":\"x\"}\n6/5 a done",
			want: "call: u:one => call:c then u:hurry\ncall: u:one, call:c, out:c:aborted, u:hurry => a:soon then out:c:x\ncall: u:one, call:c, u:hurry, a:soon, out:c:x => a:done\n"},
		{name: "output of no call", in: "meta x\nu one\nout c x\na 1", want: "call: u:one => a:1\n"},
		{name: "ghost", in: "meta x\nu one\nitem {\"type\":\"ghost_snapshot\",\"ghost_commit\":{}}\na 1", want: "call: u:one => a:1\n"},
		{name: "agent message", in: "meta x\n1/0 u one\n2/1 call c\n3/1 out c x\n4/1 item {\"type\":\"agent_message\",\"content\":[]}\n5/4 a 1",
			want: "call: u:one => call:c then out:c:x, agent_message\ncall: u:one, call:c, out:c:x, agent_message => a:1\n"},
		{name: "local compaction", in: "meta x\n1/0 u one\n2/1 a 1\nusage r1 10\n3/1c a SUM\nusage r2 12\n" +
			`compacted {"message":"X SUM","compaction_response_id":"r2","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"X SUM"}]}],"replacement_history_metadata":[{"history_sequence":4}]}` + "\ncount 22 0\n5/4 u two\n6/5 a 2\nusage r3 5",
			want: "call in 10: u:one => a:1\ncompaction call in 12: u:one, a:1 => a:SUM\ncompaction 12 to 0: u:X SUM then u:two\ncall in 5: u:X SUM, u:two => a:2\n"},
		{name: "remote compaction", in: "meta x\n1/0 u one\n2/1 a 1\nusage r1 10\nusage r2 12\n" +
			`compacted {"message":"","compaction_response_id":"r2","replacement_history":[{"type":"compaction","encrypted_content":"e"}]}` + "\n5/4 u two",
			want: "call in 10: u:one => a:1\ncompaction call in 12: u:one, a:1, compaction_trigger => compaction\ncompaction 12 to 0: compaction then u:two\n"},
		{name: "remote compaction after a cut answer", in: "meta x\n1/0 u one\n2/1 a half\nusage r2 12\n" +
			`compacted {"message":"","compaction_response_id":"r2","replacement_history":[{"type":"compaction","encrypted_content":"e"}]}`,
			want: "call: u:one => a:half\ncompaction call in 12: u:one, a:half, compaction_trigger => compaction\ncompaction 12 to 0: compaction\n"},
		{name: "an answer without items", in: "meta x\n1/0 u one\nusage r1 10\n2/0 u two\n3/2 a 2\nusage r2 20",
			want: "call in 10: u:one then u:two\ncall in 20: u:one, u:two => a:2\n"},
		{name: "old compaction twice", in: "meta x\nu # AGENTS.md instructions\nu one\na 1\ncompacted {\"message\":\"S1\"}\nu two\na 2\ncompacted {\"message\":\"S2\"}",
			want: "call: u:# AGENTS.md instructions, u:one => a:1\ncompaction: u:one, u:S1 then u:two\ncall: u:one, u:S1, u:two => a:2\ncompaction: u:one, u:two, u:S2\n",
			note: "the history after the compaction is not recorded; it is assumed to be what the user typed and the summary"},
		{name: "compaction before the first call", in: "meta x\nu one\ncompacted {\"message\":\"S\",\"replacement_history\":[]}",
			want: "answer: u:one\ncompaction: \n"},
		{name: "nothing answered", in: "meta x\nu one", want: "answer: u:one\n"},
		{name: "rollback past interrupts", in: "meta x\nu one\na 1\nu two\ncall c\nu <turn_aborted>x\nu <environment_context>y\nevent {\"type\":\"thread_rolled_back\",\"num_turns\":1}\nu three",
			want: "call: u:one => a:1 then u:two\ncall: u:one, a:1, u:two => call:c then u:<turn_aborted>x, u:<environment_context>y\nrollback: u:one, a:1 then u:three\n"},
		{name: "rollback of all", in: "meta x\nu one\na 1\nevent {\"type\":\"thread_rolled_back\",\"num_turns\":9}", want: "call: u:one => a:1\nrollback: \n"},
		{name: "counts repeated", in: "meta x\nu one\na 1\ncount 10 10\ncount 10 10\nu two\ncount 10 10\na 2\ncount 30 20", want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\n"},
		{name: "counts before items", in: "meta x\nu one\ncount 10 10\na 1\nu two\ncount 30 20\na 2", want: "call in 10: u:one => a:1 then u:two\ncall in 20: u:one, a:1, u:two => a:2\n"},
		{name: "counts of the session alone", in: "meta x\nu one\na 1\ncount 10\nu two\na 2\ncount 40", want: "call in 10: u:one => a:1 then u:two\ncall in 30: u:one, a:1, u:two => a:2\n"},
		{name: "counts beside records", in: "meta x\n1/0 u one\n2/1 a 1\nusage r1 10\ncount 10 10\n3/1 u two\n4/3 a half\ncount 12 2\n5/3 u three\n6/5 a 3\nusage r3 30",
			want: "call in 10: u:one => a:1 then u:two\ncall: u:one, a:1, u:two => a:half then u:three\ncall in 30: u:one, a:1, u:two, a:half, u:three => a:3\n"},
		{name: "a count of an old compaction", in: "meta x\nu one\na 1\ncount 10 10\ncount 25 15\ncompacted {\"message\":\"S\",\"replacement_history\":[]}",
			want: "call in 10: u:one => a:1\ncompaction call in 15: u:one, a:1\ncompaction 15 to 0: \n"},
		{name: "a count after an old compaction", in: "meta x\nu one\na 1\ncount 10 10\ncompacted {\"message\":\"S\",\"replacement_history\":[]}\ncount 10 7\ncount 10 8",
			want: "call in 10: u:one => a:1\ncompaction 10 to 7: \n"},
		{name: "a count repeated after an old compaction", in: "meta x\nu one\na 1\ncount 10 10\ncount 10 90\ncompacted {\"message\":\"S\",\"replacement_history\":[]}\ncount 10 90",
			want: "call in 10: u:one => a:1\ncompaction 10 to 0: \n"},
		{name: "unknown item", in: "meta x\nu one\nitem {\"type\":\"new_thing\",\"text\":\"x\"}\na 1", want: "call: u:one, new_thing => a:1\n",
			note: `items of the unknown type "new_thing" are taken as sent, and not as written by the model`},
		{name: "unknown event", in: "meta x\nu one\nevent {\"type\":\"new_event\",\"text\":\"x\"}\na 1", want: "call: u:one => a:1\n",
			note: `events of the unknown type "new_event" are kept outside the conversation`},
		{name: "unknown line", in: "meta x\nu one\nnew_line {\"text\":\"x\"}\na 1", want: "call: u:one => a:1\n",
			note: `lines of the unknown type "new_line" are kept outside the conversation`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, notes := readRollouts(t, rolloutFiles(t, test.in), false)
			notes = slices.Compact(notes)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if said := strings.Join(notes, "\n"); said != test.note {
				t.Errorf("noted %q, not %q", said, test.note)
			}
		})
	}
}
