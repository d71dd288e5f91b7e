package look

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// growing is a session that is followed.
type growing struct {
	t      *testing.T
	folder string
	out    printed
	errs   printed
	run    *verb.Run
}

// printed holds what was printed since the last take.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

func (p *printed) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.text.Reset()
	return p.text.String()
}

// follow follows the file s.jsonl of a folder, and calls do meanwhile.
func follow(t *testing.T, first string, do func(g *growing), flags ...string) *growing {
	t.Helper()
	return followFile(t, "s.jsonl", first, do, flags...)
}

// followFile follows a file of a folder, which is the home folder of the user.
func followFile(t *testing.T, name, first string, do func(g *growing), flags ...string) *growing {
	t.Helper()
	g := &growing{t: t, folder: t.TempDir()}
	for variable, value := range map[string]string{"HOME": g.folder, "USERPROFILE": g.folder, "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": ""} {
		t.Setenv(variable, value)
	}
	g.write(name, first)
	synctest.Test(t, func(t *testing.T) {
		g.run = &verb.Run{Program: verb.Pactkit, Folder: g.folder, Out: bufio.NewWriter(&g.out), Err: &g.errs}
		ctx, stop := context.WithCancel(t.Context())
		cmd := Log(g.run)
		cmd.SetArgs(append([]string{"--follow", name}, flags...))
		done := make(chan error, 1)
		go func() { done <- cmd.ExecuteContext(ctx) }()
		g.wait(0)
		do(g)
		stop()
		if err := errors.Join(<-done, g.run.Out.Flush()); err != nil {
			t.Error(err)
		}
	})
	return g
}

// wait waits until the file was looked at some more times.
func (g *growing) wait(looks int) {
	for range looks {
		time.Sleep(followInterval)
	}
	synctest.Wait()
}

func (g *growing) write(name, text string) {
	g.t.Helper()
	name = filepath.Join(g.folder, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *growing) add(name, text string) {
	g.t.Helper()
	old, err := os.ReadFile(filepath.Join(g.folder, name))
	if err != nil {
		g.t.Fatal(err)
	}
	g.write(name, string(old)+text)
}

var blanks = regexp.MustCompile(` +`)

// want compares what was printed since its last call.
func (g *growing) want(lines ...string) {
	g.t.Helper()
	got := strings.Split(strings.TrimSuffix(blanks.ReplaceAllString(g.out.take()+g.errs.take(), " "), "\n"), "\n")
	if text := strings.Join(got, "\n"); text != strings.Join(lines, "\n") {
		g.t.Errorf("got\n%s\nwant\n%s", text, strings.Join(lines, "\n"))
	}
}

// turn is a prompt with its answer.
func turn(n int) string { return prompt(n) + answer(n, 5) }

func prompt(n int) string {
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"a%d"`, n-1)
	}
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"role":"user","content":"Ask %d"}}`+"\n", n, parent, n)
}

func answer(n, out int) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"s","message":{"id":"m%d","model":"opus","role":"assistant",`+
		`"content":[{"type":"text","text":"Answer %d"}],"usage":{"input_tokens":%d,"output_tokens":%d}}}`+"\n", n, n, n, n, 100*n, out)
}

const columns = "CYCLE MODEL MSGS IN OUT CACHED WINDOW CHANGE WHAT"

// Calls are printed as they are appended, the newest one when the file rests.
func TestFollow(t *testing.T) {
	g := follow(t, turn(1), func(g *growing) {
		g.want("")
		g.wait(1)
		g.want("s.jsonl session s", columns, "@c1 opus 1 100 5 0 - +1")
		g.wait(5)
		g.want("")
		g.add("s.jsonl", prompt(2))
		g.wait(3)
		g.want("") // the answer is still to come
		g.add("s.jsonl", answer(2, 5)[:100])
		g.wait(3)
		g.want("") // half of a line
		g.add("s.jsonl", answer(2, 5)[100:]+turn(3)+prompt(4))
		g.wait(1)
		g.want("@c2 opus 3 200 5 0 - +2") // the next one waits
		g.wait(1)
		g.want("@c3 opus 5 300 5 0 - +2")
		g.add("s.jsonl", answer(4, 5))
	})
	g.want("")
}

// What waits is printed at the end, and Ctrl-C is not an error (V12).
func TestFollowEnd(t *testing.T) {
	g := follow(t, turn(1), func(*growing) {})
	g.want("s.jsonl session s", columns, "@c1 opus 1 100 5 0 - +1")
	if g.run.Code != verb.ExitClean {
		t.Errorf("exit code %d", g.run.Code)
	}
}

// A file that is replaced or cut begins anew; a line that changes comes again.
func TestFollowReplaced(t *testing.T) {
	follow(t, turn(1)+turn(2), func(g *growing) {
		g.wait(2)
		g.want("s.jsonl session s", columns, "@c1 opus 1 100 5 0 - +1", "@c2 opus 3 200 5 0 - +2")
		g.write("s.jsonl", turn(1)+prompt(2)+answer(2, 77))
		g.wait(2)
		g.want("@c2 opus 3 200 77 0 - +2")
		g.write("s.jsonl", turn(1))
		g.wait(2)
		g.want("@c1 opus 1 100 5 0 - +1", "pactkit: note: s.jsonl was replaced")
		g.write("other", turn(1)+turn(2)+turn(3))
		if err := os.Rename(filepath.Join(g.folder, "other"), filepath.Join(g.folder, "s.jsonl")); err != nil {
			g.t.Error(err)
		}
		g.wait(2)
		g.want("@c1 opus 1 100 5 0 - +1", "@c2 opus 3 200 5 0 - +2", "@c3 opus 5 300 5 0 - +2", "pactkit: note: s.jsonl was replaced")
		if err := os.Remove(filepath.Join(g.folder, "s.jsonl")); err != nil {
			g.t.Error(err)
		}
		g.wait(2)
		g.want("")
	})
}

// The files of agents that are started are followed, too. A file that does not become readable is
// reported once.
func TestFollowAgents(t *testing.T) {
	follow(t, prompt(1), func(g *growing) {
		g.wait(3)
		g.want("")
		g.write("s/subagents/agent-x.jsonl", turn(1))
		g.wait(3)
		g.want("s/subagents/agent-x.jsonl session s", columns, "@c1 opus 1 100 5 0 - +1")
		g.add("s.jsonl", answer(1, 5))
		g.wait(3)
		g.want("", "s.jsonl session s", columns, "@c1 opus 1 100 5 0 - +1")
		g.write("s/subagents/agent-y.jsonl", `{"strange":true}`)
		g.wait(5)
		if text := g.errs.take(); strings.Count(text, "agent-y.jsonl:") != 1 || g.run.Code != verb.ExitFailed {
			g.t.Errorf("%d: %s", g.run.Code, text)
		}
	})
}

// The files of agents of Codex that start later are among the other sessions.
func TestFollowCodex(t *testing.T) {
	const folder, thread, agent = ".codex/sessions/2026/01/04/", "019b0000-0000-7000-8000-000000000001", "019b0000-0000-7000-8000-000000000002"
	rollout := func(meta, prompt string) string {
		return `{"timestamp":"2026-01-04T10:00:00Z","type":"session_meta","payload":{` + meta + `}}` + "\n" +
			`{"timestamp":"2026-01-04T10:00:01Z","type":"turn_context","payload":{"model":"gpt-5","cwd":"/src"}}` + "\n" +
			`{"timestamp":"2026-01-04T10:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + prompt + `"}]}}` + "\n" +
			`{"timestamp":"2026-01-04T10:00:03Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}` + "\n"
	}
	main := folder + "rollout-2026-01-04T10-00-00-" + thread + ".jsonl"
	followFile(t, main, rollout(`"id":"`+thread+`","cwd":"/src","source":"cli"`, "Go."), func(g *growing) {
		g.wait(3)
		if text := g.out.take(); !strings.Contains(text, "@c1") {
			t.Error(text)
		}
		other := folder + "rollout-2026-01-04T10-00-09-" + agent + ".jsonl"
		g.write(other, rollout(`"id":"`+agent+`","source":{"subagent":{"thread_spawn":{"parent_thread_id":"`+thread+`"}}}`, "Look."))
		g.wait(10)
		if text := g.out.take(); !strings.Contains(text, agent) || !strings.Contains(text, "@c1") {
			t.Errorf("%s%s", text, g.errs.take())
		}
	})
}

// Each object is on a line of its own.
func TestFollowJSON(t *testing.T) {
	g := follow(t, turn(1), func(g *growing) {
		g.wait(1)
		g.add("s.jsonl", turn(2))
		g.wait(2)
	}, "--json")
	lines := strings.Split(strings.TrimSpace(g.out.take()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], `{"history":`) || !strings.Contains(lines[1], `"cycle":2,`) {
		t.Errorf("%q", lines)
	}
}
