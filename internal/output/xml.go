package output

import (
	"bufio"
	"encoding/xml"
	"fmt"

	"github.com/pactkit/pactkit/ast/diag"
)

// checkstyle prints the XML of Checkstyle 4.3.
func checkstyle(w *bufio.Writer, r *Report) error {
	type item struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
	type file struct {
		Name  string `xml:"name,attr"`
		Items []item `xml:"error"`
	}
	doc := struct {
		XMLName xml.Name `xml:"checkstyle"`
		Version string   `xml:"version,attr"`
		Files   []file   `xml:"file"`
	}{Version: "4.3"}
	severities := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "info", diag.Hint: "info"}
	for f, d := range r.each() {
		if n := len(doc.Files); n == 0 || doc.Files[n-1].Name != f.Path {
			doc.Files = append(doc.Files, file{Name: f.Path})
		}
		at := f.position(d.Span.Start)
		last := &doc.Files[len(doc.Files)-1]
		last.Items = append(last.Items, item{at.Line, at.Column, severities[d.Severity], d.sentence(), "pactkit." + d.name()})
	}
	return encodeXML(w, doc)
}

// junit prints a suite a file and a failed case a finding. A run without findings is one case that passed, for
// servers take an empty report for a broken one.
func junit(w *bufio.Writer, r *Report) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		File    string   `xml:"file,attr,omitempty"`
		Line    int      `xml:"line,attr,omitempty"`
		Failure *failure `xml:"failure"`
	}
	type suite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	doc := struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Suites   []suite  `xml:"testsuite"`
	}{Name: "pactkit"}
	for f, d := range r.each() {
		if n := len(doc.Suites); n == 0 || doc.Suites[n-1].Name != f.Path {
			doc.Suites = append(doc.Suites, suite{Name: f.Path})
		}
		s := &doc.Suites[len(doc.Suites)-1]
		at := f.position(d.Span.Start)
		place := fmt.Sprintf("%s:%d:%d", f.Path, at.Line, at.Column)
		s.Cases = append(s.Cases, testcase{f.Path, fmt.Sprintf("%s at %d:%d", d.name(), at.Line, at.Column), f.Path, at.Line,
			&failure{d.Message, d.Severity.String(), place + ": " + d.sentence()}})
		s.Tests++
		s.Failures++
		doc.Tests++
		doc.Failures++
	}
	if doc.Tests == 0 {
		doc.Tests = 1
		doc.Suites = []suite{{Name: "pactkit", Tests: 1, Cases: []testcase{{Class: "pactkit", Name: "no findings"}}}}
	}
	return encodeXML(w, doc)
}

// encodeXML prints a document. What XML cannot hold, such as most control characters, becomes U+FFFD.
func encodeXML(w *bufio.Writer, v any) error {
	if _, err := w.WriteString(xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return w.WriteByte('\n')
}
