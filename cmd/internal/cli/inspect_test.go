package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// sent is a message as Inspect's own reader gives it.
type sent struct {
	Role      string     `json:"role"`
	Text      string     `json:"text"`
	ToolCalls []sentCall `json:"tool_calls"`
	ToolCall  string     `json:"tool_call_id"`
}

type sentCall struct {
	ID        string `json:"id"`
	Function  string `json:"function"`
	Arguments any    `json:"arguments"`
}

// TestSent checks that render prints, for every call of a log, what was sent according to Inspect's
// own reader.
func TestSent(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "thread", "source", "testdata", "inspect")
	file, err := os.Open(filepath.Join(dir, "truth.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]struct{ Calls [][]sent }
	if err := json.NewDecoder(z).Decode(&truth); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for name, log := range truth {
		cycles := cyclesOf(t, dir, name)
		if len(cycles) != len(log.Calls) {
			t.Fatalf("%s: %d calls, not %d", name, len(cycles), len(log.Calls))
		}
		for i, want := range log.Calls {
			calls++
			if diff := cmp.Diff(want, rendered(t, dir, name, cycles[i])); diff != "" {
				t.Errorf("%s: call %d was sent something else (-want +got):\n%s", name, i, diff)
			}
		}
	}
	if calls != 19 {
		t.Errorf("%d calls, not 19", calls)
	}
}

// cyclesOf returns the cycles of the calls of a log, without those of states.
func cyclesOf(t *testing.T, dir, name string) (cycles []int) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(outputOf(t, dir, "log", name, "--json")))
	for {
		var line struct {
			Cycle int
			Event any
		}
		err := d.Decode(&line)
		if err == io.EOF {
			return cycles
		}
		if err != nil {
			t.Fatal(err)
		}
		if line.Event == nil {
			cycles = append(cycles, line.Cycle)
		}
	}
}

// outputOf returns what a verb prints in a folder.
func outputOf(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	r := &verb.Run{Program: verb.Pactkit, Folder: dir, In: strings.NewReader(""), Out: bufio.NewWriter(&out), Err: &errs, Args: args}
	if code := execute(t.Context(), r); code != verb.ExitClean {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	return out.Bytes()
}

// rendered returns the messages that render prints of the snapshot of a cycle.
func rendered(t *testing.T, dir, name string, cycle int) []sent {
	t.Helper()
	text := outputOf(t, dir, "render", name, "--to", "openai", "--at", fmt.Sprintf("@c%d", cycle))
	var body struct{ Messages json.RawMessage }
	if json.Unmarshal(text, &body) == nil {
		text = body.Messages
	}
	var list []struct {
		Role      string
		Content   any
		ToolCalls []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
		ToolCall string `json:"tool_call_id"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var got []sent
	for _, m := range list {
		one := sent{Role: m.Role, ToolCall: m.ToolCall, Text: textOf(m.Content)}
		for _, c := range m.ToolCalls {
			call := sentCall{ID: c.ID, Function: c.Function.Name}
			if err := json.Unmarshal([]byte(c.Function.Arguments), &call.Arguments); err != nil {
				t.Fatal(err)
			}
			one.ToolCalls = append(one.ToolCalls, call)
		}
		got = append(got, one)
	}
	return got
}

// textOf returns the text of the content of a message: all of it, or of its parts, a line each.
func textOf(content any) string {
	text, _ := content.(string)
	parts, _ := content.([]any)
	var lines []string
	for _, p := range parts {
		if part, ok := p.(map[string]any); ok && part["type"] == "text" {
			lines = append(lines, fmt.Sprint(part["text"]))
		}
	}
	return text + strings.Join(lines, "\n")
}

// TestInspectServes serves a page where no browser is installed, and then asks for the same port.
func TestInspectServes(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	begin := func(args ...string) (context.CancelFunc, *bufio.Reader, *bufio.Reader, <-chan int) {
		ctx, cancel := context.WithCancel(t.Context())
		outRead, outWrite := io.Pipe()
		errRead, errWrite := io.Pipe()
		run := &verb.Run{
			Program: verb.Pactkit, Folder: filepath.Join("..", "..", "..", "thread", "source", "testdata", "inspect"), In: strings.NewReader(""),
			Out: bufio.NewWriter(outWrite), Err: errWrite, Args: append([]string{"inspect", "edit.eval"}, args...),
		}
		ended := make(chan int, 1)
		go func() {
			ended <- execute(ctx, run)
			outWrite.Close()
			errWrite.Close()
		}()
		return cancel, bufio.NewReader(outRead), bufio.NewReader(errRead), ended
	}
	line := func(r *bufio.Reader) string {
		t.Helper()
		text, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(text)
	}
	cancel, out, errs, code := begin()
	defer cancel()
	address := line(out)
	if note := line(errs); !strings.Contains(note, "no browser was opened") || !strings.Contains(note, "open the address yourself") {
		t.Errorf("without a browser it says %q", note)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	cancelOther, _, errs, other := begin("--no-open", "--port", u.Port())
	defer cancelOther()
	if got, want := line(errs), "pactkit: the page cannot be served at port "+u.Port()+": "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " [E_PORT]") {
		t.Errorf("of a port in use it says %q", got)
	}
	if hint := line(errs); !strings.HasPrefix(hint, "hint: choose another --port") {
		t.Errorf("the hint is %q", hint)
	}
	if got := <-other; got != verb.ExitFailed {
		t.Errorf("exit code %d", got)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the first one answers %s", res.Status)
	}
	cancel()
	if got := <-code; got != verb.ExitClean {
		t.Errorf("ended with %d", got)
	}
}
