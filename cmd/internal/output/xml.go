package output

import (
	"bufio"
	"encoding/xml"

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

// encodeXML prints a document. Characters that XML cannot express, such as most control characters,
// become U+FFFD.
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
