package output

import (
	"bufio"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// The JSON that docs/schemas/findings.json describes.
type (
	jsonReport struct {
		Tool     jsonTool      `json:"tool"`
		Findings []jsonFinding `json:"findings"`
		Summary  jsonSummary   `json:"summary"`
		Exit     Exit          `json:"exit"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonSummary struct {
		Files    int `json:"files"`
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Infos    int `json:"infos"`
		Silenced int `json:"silenced"`

		Rules map[string]int `json:"rules"` // the number of findings of each rule
	}
	jsonFinding struct {
		Path        string    `json:"path"`
		Rule        string    `json:"rule"`
		Code        diag.Code `json:"code,omitempty"`
		Level       string    `json:"level"`
		Message     string    `json:"message"`
		Hint        string    `json:"hint,omitempty"`
		Range       jsonRange `json:"range"`
		Selector    string    `json:"selector,omitempty"`
		Fixes       []jsonFix `json:"fixes"`
		Fingerprint string    `json:"fingerprint"`
		Silenced    string    `json:"silenced,omitempty"`
	}
	jsonRange struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	jsonFix struct {
		Title string     `json:"title"`
		Safe  bool       `json:"safe"`
		Edits []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Range jsonRange `json:"range"`
		Text  string    `json:"text"`
	}
)

func (f *File) jsonRange(at ast.Span) jsonRange {
	return jsonRange{f.position(at.Start), f.position(at.End)}
}

func (f *File) jsonFindings() []jsonFinding {
	prints := f.fingerprints()
	out := make([]jsonFinding, len(f.Findings))
	for i, d := range f.Findings {
		j := jsonFinding{
			Path: f.Path, Rule: d.name(), Code: d.Code, Level: d.Severity.String(), Message: d.Message, Hint: d.Hint,
			Range: f.jsonRange(d.Span), Selector: d.Selector, Fixes: []jsonFix{}, Fingerprint: prints[i], Silenced: d.Silenced,
		}
		for _, fix := range d.Fixes {
			x := jsonFix{Title: fix.Title, Safe: fix.Safe, Edits: []jsonEdit{}}
			for _, e := range fix.Edits {
				x.Edits = append(x.Edits, jsonEdit{f.jsonRange(e.Span), e.Text})
			}
			j.Fixes = append(j.Fixes, x)
		}
		out[i] = j
	}
	return out
}

func writeJSON(w *bufio.Writer, r *Report) error {
	j := jsonReport{Tool: jsonTool{"pactkit", r.Version}, Findings: []jsonFinding{}, Exit: r.Exit}
	if j.Exit.Reasons == nil {
		j.Exit.Reasons = []string{}
	}
	j.Summary.Files, j.Summary.Rules = r.Checked, map[string]int{}
	for i := range r.Files {
		for _, d := range r.Files[i].jsonFindings() {
			if d.Silenced == "" {
				j.Summary.Rules[d.Rule]++
			}
			switch {
			case d.Silenced != "":
				j.Summary.Silenced++
			case d.Level == diag.Error.String():
				j.Summary.Errors++
			case d.Level == diag.Warning.String():
				j.Summary.Warnings++
			default:
				j.Summary.Infos++
			}
			j.Findings = append(j.Findings, d)
		}
	}
	return encode(w, j)
}

func writeJSONL(w *bufio.Writer, r *Report) error {
	for i := range r.Files {
		for _, d := range r.Files[i].jsonFindings() {
			if _, err := w.Write(append(canonjson.EncodeLine(d), '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode prints a value, indented.
func encode(w *bufio.Writer, v any) error {
	_, err := w.Write(canonjson.EncodeIndented(v))
	return err
}

// gitlab prints a code quality report.
func gitlab(w *bufio.Writer, r *Report) error {
	type lines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
	type location struct {
		Path  string `json:"path"`
		Lines lines  `json:"lines"`
	}
	type issue struct {
		Description string   `json:"description"`
		CheckName   string   `json:"check_name"`
		Fingerprint string   `json:"fingerprint"`
		Severity    string   `json:"severity"`
		Location    location `json:"location"`
	}
	severities := map[diag.Severity]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info", diag.Hint: "info"}
	issues := []issue{}
	for i := range r.Files {
		f := &r.Files[i]
		prints := f.fingerprints()
		for k := range f.Findings {
			if d := &f.Findings[k]; d.Silenced == "" {
				at := lines{f.position(d.Span.Start).Line, f.position(d.Span.End).Line}
				issues = append(issues, issue{d.sentence(), d.name(), prints[k], severities[d.Severity], location{f.repo(), at}})
			}
		}
	}
	return encode(w, issues)
}
