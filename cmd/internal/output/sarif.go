package output

import (
	"bufio"
	"net/url"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// The part of SARIF 2.1.0 (OASIS, section 3) that we write; a test validates it against the
// published schema.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Help    sarifText   `json:"help"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful bool `json:"executionSuccessful"`
		ExitCode   int  `json:"exitCode"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    *int               `json:"ruleIndex,omitempty"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		Place sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
		ByteOffset  int `json:"byteOffset"`
		ByteLength  int `json:"byteLength"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

// schema is where the schema of SARIF 2.1.0 is published.
const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarif prints SARIF. Paths are relative to %SRCROOT%, the root of the repository; columns count
// characters; silenced findings are included, with their reason.
func sarif(w *bufio.Writer, r *Report) error {
	driver := sarifDriver{Name: "pactkit", Version: r.Version, InformationURI: "https://github.com/pactkit/pactkit", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, rule := range r.Rules {
		index[rule.ID] = i
		driver.Rules = append(driver.Rules, sarifRule{
			ID: rule.ID, Short: sarifText{Text: rule.Summary}, Help: sarifText{Text: rule.Summary, Markdown: rule.Text},
			Default: sarifConfig{sarifLevel(rule.Level)},
		})
	}
	run := sarifRun{
		Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Invocations: []sarifInvocation{{r.Exit.Code < 2, r.Exit.Code}},
	}
	for i := range r.Files {
		f := &r.Files[i]
		prints := f.fingerprints()
		for k := range f.Findings {
			run.Results = append(run.Results, f.sarifResult(&f.Findings[k], prints[k], index))
		}
	}
	return encode(w, sarifLog{schema, "2.1.0", []sarifRun{run}})
}

func sarifLevel(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "note"
}

func (f *File) sarifResult(d *Finding, print string, index map[string]int) sarifResult {
	res := sarifResult{
		RuleID: d.name(), Level: sarifLevel(d.Severity), Message: sarifText{Text: d.sentence()},
		Locations:    []sarifLocation{{sarifPlace{f.sarifArtifact(), f.sarifRegion(d.Span)}}},
		Fingerprints: map[string]string{"pactkit/v1": print},
	}
	if i, ok := index[d.Rule]; ok {
		res.RuleIndex = &i
	}
	for _, fix := range d.Fixes {
		change := sarifChange{Artifact: f.sarifArtifact()}
		for _, e := range fix.Edits {
			change.Replacements = append(change.Replacements, sarifReplacement{f.sarifRegion(e.Span), sarifText{Text: e.Text}})
		}
		res.Fixes = append(res.Fixes, sarifFix{sarifText{Text: fix.Title}, []sarifChange{change}})
	}
	if d.Silenced != "" {
		res.Suppressions = []sarifSuppression{{"inSource", d.Silenced}}
	}
	return res
}

func (f *File) sarifArtifact() sarifArtifact {
	u := url.URL{Path: f.repo()}
	return sarifArtifact{u.EscapedPath(), "%SRCROOT%"}
}

func (f *File) sarifRegion(at ast.Span) sarifRegion {
	from, to := f.position(at.Start), f.position(at.End)
	return sarifRegion{from.Line, from.Column, to.Line, to.Column, at.Start, at.Len()}
}
