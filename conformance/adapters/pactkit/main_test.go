package main

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pactkit/pactkit/conformance"
)

// TestConformance runs the suite on pactkit, with every line checked against the schema of the
// protocol. No case may be left out.
func TestConformance(t *testing.T) {
	suite, err := conformance.Load()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := jsonschema.NewCompiler().Compile("../../protocol.json#/$defs/answer")
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(func() (*conformance.Peer, error) {
		requests, in := io.Pipe()
		answers, out := io.Pipe()
		go func() { _ = out.CloseWithError(serve(requests, checked{t, answer, out})) }()
		return conformance.Connect(in, answers)
	}, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range report.Outcomes {
		if o.Status != conformance.Passed {
			t.Errorf("%s %s: %s", name, o.Status, o.Detail)
		}
	}
	const golden = "../../results/pactkit.json"
	got := report.JSON()
	if os.Getenv("PACTKIT_UPDATE") == "1" && !t.Failed() {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("results/pactkit.json is stale: PACTKIT_UPDATE=1 go test ./conformance/... writes it")
	}
}

// checked is a writer of answers that reports those that do not fit the schema.
type checked struct {
	t      *testing.T
	schema *jsonschema.Schema
	out    io.Writer
}

func (c checked) Write(line []byte) (int, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = c.schema.Validate(v)
	}
	if err != nil {
		c.t.Errorf("%s%v", line, err)
	}
	return c.out.Write(line)
}
