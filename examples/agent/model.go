package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// model stands in for a provider: it reads a file for each question, then answers.
func model(request []byte) engine.Draft {
	messages := bytes.Split(request, []byte(`{"role":`))
	last := string(messages[len(messages)-1])
	if strings.Contains(last, "tool_result") {
		return engine.Draft{Role: "assistant", Content: engine.Text("I have read it.")}
	}
	id := engine.Text(fmt.Sprint("call-", len(messages)))
	return engine.Draft{Role: "assistant", Kind: "call", Content: engine.Text(`{"path":"notes.txt"}`),
		Members: map[string]engine.Value{"call_id": id, "name": engine.Text("read")}}
}

// tool stands in for the tools.
func tool(call engine.Node) engine.Draft {
	text, err := os.ReadFile("notes.txt")
	if err != nil {
		text = []byte(err.Error())
	}
	return engine.Draft{Role: "tool", Kind: "result", Content: engine.Text(string(text)),
		Members: map[string]engine.Value{"call_id": call.Header("call_id")}}
}
