// Package provider stands for the providers of models in tests, and for an agent that asks them.
package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
)

// Serve starts a server that answers requests to the Messages API of Anthropic, as a stream if they
// ask for one. The caller closes it. A request whose last message has the word refuse gets the
// status 429.
func Serve() *httptest.Server { return httptest.NewServer(http.HandlerFunc(serve)) }

func serve(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Stream   bool
		Messages []struct{ Content any }
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Messages) == 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Request-Id", fmt.Sprintf("req_%d", len(body.Messages)))
	w.Header().Set("Content-Type", "application/json")
	question := fmt.Sprint(body.Messages[len(body.Messages)-1].Content)
	if strings.Contains(question, "refuse") {
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}`)
		return
	}
	words := []string{"You", " said:", " " + question}
	usage := fmt.Sprintf(`{"input_tokens":%d,"output_tokens":%d}`, 100*len(body.Messages), len(words))
	if !body.Stream {
		text, _ := json.Marshal(strings.Join(words, ""))
		fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude-stub","content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":%s}`, text, usage)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind, rest string) {
		fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest)
		w.(http.Flusher).Flush()
	}
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-stub","content":[],"usage":`+usage+`}`)
	event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	for _, word := range words {
		text, _ := json.Marshal(word)
		event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":`+string(text)+`}`)
	}
	event("content_block_stop", `,"index":0`)
	event("message_delta", `,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}`)
	event("message_stop", "")
}

// With starts a server, runs a command with its address in the environment, and returns the exit
// code.
func With(args []string) int {
	s := Serve()
	defer s.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "ANTHROPIC_BASE_URL="+s.URL)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run() // the code says it
	return cmd.ProcessState.ExitCode()
}

// Ask is an agent: it asks each question in one conversation, every other one for a stream, and
// prints the answers. It returns the exit code: 1 if a request fails.
func Ask(questions []string) int {
	var messages []any
	for i, q := range questions {
		messages = append(messages, map[string]any{"role": "user", "content": q})
		body, _ := json.Marshal(map[string]any{
			"model": "claude-stub", "max_tokens": 100, "system": "You repeat what you are told.", "messages": messages, "stream": i%2 == 1,
		})
		r, err := http.NewRequest(http.MethodPost, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", bytes.NewReader(body))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		r.Header.Set("X-Api-Key", "sk-ant-api03-a-secret-key")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			fmt.Fprintln(os.Stderr, resp.Status, err)
			return 1
		}
		answer := "You said: " + q
		if !bytes.Contains(data, []byte(q)) {
			fmt.Fprintln(os.Stderr, "an odd answer:", string(data))
			return 1
		}
		fmt.Println(answer)
		messages = append(messages, map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": answer}}})
	}
	return 0
}
