package mcp

import (
	"context"

	"github.com/pactkit/pactkit/engine"
)

var explainTool = tool{
	name: "explain", title: "Explain a selector, a code or a word",
	doc: `Explain a selector (in words, its canonical form, how it is evaluated, and with a path how many nodes each step leaves), an error code such as E_TIME_REQUIRED, a lint rule, or a word of the language such as ttl.`,
	output: `{"type":"object","properties":{
"text":{"type":"string","description":"As pactkit explain prints it."},
"more":{"type":"array","items":{"type":"string"}}}}`,
}

// explainInput are the arguments of explain.
type explainInput struct {
	What string `json:"what" jsonschema:"a selector, an error code, a rule of the linter, or a word"`
	Path string `json:"path,omitempty" jsonschema:"a file, or FILE#NAME, to count the steps of a selector on"`
	logInputs
}

func (s *Server) explain(ctx context.Context, in explainInput) (*page, error) {
	var t *engine.Timeline
	name := ""
	if in.Path != "" {
		x, err := s.one(ctx, in.Path, in.logInputs)
		if err != nil {
			return nil, err
		}
		t, name = x.Timeline, x.Address()
	}
	text, err := s.Explain(ctx, in.What, name, t)
	if err != nil {
		return nil, err
	}
	p := &page{}
	text, isCut := cut(text, maxAnswer)
	p.set("text", text)
	if isCut {
		p.note("the text is cut")
	}
	return p, nil
}
