package output

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// sample is a report with what is hard to print: text outside ASCII and outside the BMP, markup,
// control characters, a byte order mark, several lines, findings of the same kind, silenced ones.
func sample() *Report {
	text := "\ufeff.ä, .mt # 𝄞 <&\">\r\n.b\x01\n"
	finding := func(start, end int, rule string, level diag.Severity, message string) Finding {
		return Finding{Diagnostic: diag.Diagnostic{Span: ast.Span{Start: start, End: end}, Severity: level, Message: message}, Rule: rule, Selector: "x"}
	}
	a := finding(8, 11, "legacy/type-name", diag.Warning, "`.mt` is old: 100 % <b>\n\x01")
	a.Code = diag.SelectorLegacy
	a.Hint = "write `.seg`"
	a.Fixes = []diag.Fix{{Title: "write `.seg`", Safe: true, Edits: []diag.Edit{{Span: a.Span, Text: ".seg"}, {Span: ast.Span{Start: 11, End: 11}}}}}
	b := finding(8, 11, "legacy/type-name", diag.Info, "again")
	c := finding(25, 27, "correctness/limit-zero", diag.Error, "silenced")
	c.Silenced = "because"
	return &Report{
		Version: "1.2.3", Checked: 3,
		Files: []File{{Path: "a b/ä%.pactsel", Text: text, Findings: []Finding{a, b, c}}},
		Rules: []Rule{{ID: "legacy/type-name", Summary: "Old.", Text: "# Old", Level: diag.Warning}, {ID: "correctness/limit-zero", Summary: "None.", Text: "# None", Level: diag.Info}},
		Exit:  Exit{Code: 1, Reasons: []string{"2 findings"}},
	}
}

func write(t *testing.T, form string, r *Report) []byte {
	t.Helper()
	var b, again bytes.Buffer
	if err := Write(&b, form, r); err != nil {
		t.Fatal(err)
	}
	if err := Write(&again, form, r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), again.String()); diff != "" {
		t.Errorf("the same report gives other bytes:\n%s", diff)
	}
	return b.Bytes()
}

func validate(t *testing.T, schema string, data []byte) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%v\n%s", err, data)
	}
}

// TestForms prints the sample, and a report without findings, in every form and checks that it has
// the shape its readers expect.
func TestForms(t *testing.T) {
	empty := &Report{Version: "1.2.3"}
	for name, doc := range Forms() {
		t.Run(name, func(t *testing.T) {
			if doc == "" {
				t.Error("no documentation")
			}
			for _, r := range []*Report{sample(), empty} {
				data := write(t, name, r)
				switch name {
				case "sarif":
					validate(t, filepath.Join("testdata", "sarif-schema-2.1.0.json"), data)
				case "json":
					validate(t, filepath.Join("..", "..", "..", "docs", "schemas", "findings.json"), data)
				case "jsonl":
					for line := range bytes.Lines(data) {
						if !json.Valid(line) {
							t.Errorf("%s", line)
						}
					}
				case "gitlab":
					gitlabShape(t, data)
				case "checkstyle", "junit":
					d := xml.NewDecoder(bytes.NewReader(data))
					for {
						if _, err := d.Token(); err == io.EOF {
							break
						} else if err != nil {
							t.Fatalf("%v\n%s", err, data)
						}
					}
				case "compact", "github":
					if lines := bytes.Count(data, []byte("\n")); lines != len(r.Files)*2 {
						t.Errorf("%d lines\n%s", lines, data)
					}
				default:
					t.Error("a form without a test")
				}
			}
		})
	}
}

func gitlabShape(t *testing.T, data []byte) {
	var issues []struct {
		Description string
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal(data, &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if i.Description == "" || i.CheckName == "" || i.Fingerprint == "" || seen[i.Fingerprint] || i.Location.Path == "" || i.Location.Lines.Begin < 1 ||
			!strings.Contains(" info minor major critical blocker ", " "+i.Severity+" ") {
			t.Errorf("%+v", i)
		}
		seen[i.Fingerprint] = true
	}
}

// TestPositions checks lines and columns: from 1, in characters, the byte order mark not counted.
func TestPositions(t *testing.T) {
	f := sample().Files[0]
	if diff := cmp.Diff([]position{{1, 5, 8}, {2, 1, 25}}, []position{f.position(8), f.position(25)}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFingerprints checks that lines above change no fingerprint, and that equal findings have
// different ones.
func TestFingerprints(t *testing.T) {
	f := sample().Files[0]
	before := f.fingerprints()
	moved := f
	moved.Text = "\n\n" + f.Text
	moved.Findings = append([]Finding(nil), f.Findings...)
	for i := range moved.Findings {
		moved.Findings[i].Span.Start += 2
		moved.Findings[i].Span.End += 2
	}
	if diff := cmp.Diff(before, moved.fingerprints()); diff != "" {
		t.Errorf("fingerprints changed:\n%s", diff)
	}
	if before[0] == before[1] {
		t.Error("two findings share a fingerprint")
	}
}
