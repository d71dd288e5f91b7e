package source_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// TestUnknown reads the cases with an unknown word in place of one that says what a record is. Each
// text that was read before must still be there, or a note or a call must say that something is
// missing.
func TestUnknown(t *testing.T) {
	for c := range testkit.Load(t, "../../testdata/source/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			for _, file := range c.Archive.Files {
				kind, err := source.Recognize(t.Context(), file.Name, bytes.NewReader(file.Data), int64(len(file.Data)), source.Options{})
				if strings.HasPrefix(file.Name, "want") || err != nil || !slices.Contains(transcribed, kind) {
					continue
				}
				words := string(bytes.Join(kindMember.FindAll(file.Data, -1), nil))
				before, said := everything(t, kind, file.Name, file.Data)
				for _, at := range kindMember.FindAllSubmatchIndex(file.Data, -1) {
					data := slices.Concat(file.Data[:at[2]], []byte("unheard-of"), file.Data[at[3]:])
					after, saidThen := everything(t, kind, file.Name, data)
					if slices.ContainsFunc(saidThen, func(x string) bool { return !slices.Contains(said, x) }) {
						continue
					}
					for _, m := range textMember.FindAllSubmatch(file.Data, -1) {
						if text := string(m[1]); !strings.Contains(words, `"`+text+`"`) && strings.Contains(before, text) && !strings.Contains(after, text) {
							line := 1 + bytes.Count(file.Data[:at[2]], []byte("\n"))
							t.Errorf("%s:%d: without a note, %s of %s is lost", file.Name, line, text, file.Data[at[0]:at[1]])
							break
						}
					}
				}
			}
		})
	}
}

// transcribed are the kinds whose readers convert messages.
var transcribed = []source.Kind{
	source.GeminiCLI, source.Opencode, source.MiniSWE, source.SWEAgent, source.LangChain, source.PydanticAI, source.AISDK, source.Cline, source.Langfuse,
	source.LangSmith, source.Copilot, source.Agents, source.OpenHands, source.Goose,
}

var (
	kindMember = regexp.MustCompile(`"(?:type|role|kind|part_kind|status|state|action|observation|source|run_type|say|message_type)"\s*:\s*"([^"\\]+)"`)
	textMember = regexp.MustCompile(`:\s*"([^"\\]{3,})"`)
)

// everything returns all that is read of a file, and what is said to be missing.
func everything(t *testing.T, kind source.Kind, name string, data []byte) (read string, said []string) {
	var b strings.Builder
	o := source.Options{Kind: kind, Note: func(n thread.Note) { said = append(said, n.Msg) }}
	err := source.Read(t.Context(), name, bytes.NewReader(data), int64(len(data)), o, func(r *series.Request) error {
		checkJSON(t, r)
		for _, m := range slices.Concat(append(r.Choices, r.Messages, r.Reply, r.After)...) {
			b.WriteString(m.Value + m.About + m.ID + "\n")
			for _, p := range m.Parts {
				b.WriteString(p.Value + p.About + p.ID + "\n")
			}
		}
		fmt.Fprintln(&b, r.ConversationID, r.Settings, r.Kept, r.Model, r.Usage, r.Failed, r.Starts)
		said = append(said, r.Missing...)
		return nil
	})
	return b.String(), append(said, fmt.Sprint(err))
}
