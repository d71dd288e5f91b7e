package output

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
)

// Suite is a group of test cases in a JUnit report.
type Suite struct {
	Name  string
	Class string // of its cases
	File  string // that contains its cases
	Cases []Case
}

// Case is one test case. It passed if it has neither a failure nor an error.
type Case struct {
	Name    string
	Line    int      // from 1; 0 for none
	Failure *Problem // the test ran and found something wrong
	Error   *Problem // the test could not run
}

// Problem says what is wrong with a case.
type Problem struct {
	Message string
	Type    string
	Text    string
}

// The elements of a JUnit report.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr,omitempty"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit prints suites as JUnit XML under a name, which may be empty. The same suites give the
// same bytes.
func WriteJUnit(w io.Writer, name string, suites []Suite) error {
	b := bufio.NewWriter(w)
	if err := writeSuites(b, name, suites); err != nil {
		return err
	}
	return b.Flush()
}

func writeSuites(w *bufio.Writer, name string, suites []Suite) error {
	doc := junitSuites{Name: name}
	for _, s := range suites {
		one := junitSuite{Name: s.Name, Tests: len(s.Cases)}
		for _, c := range s.Cases {
			if c.Failure != nil {
				one.Failures++
			}
			if c.Error != nil {
				one.Errors++
			}
			one.Cases = append(one.Cases, junitCase{c.Name, s.Class, s.File, c.Line, (*junitProblem)(c.Failure), (*junitProblem)(c.Error)})
		}
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+one.Tests, doc.Failures+one.Failures, doc.Errors+one.Errors
		doc.Suites = append(doc.Suites, one)
	}
	return encodeXML(w, doc)
}

// junit prints a suite for each file and a failed case for each finding. A run without findings is
// one case that passed: servers take an empty report for a broken one.
func junit(w *bufio.Writer, r *Report) error {
	var suites []Suite
	for f, d := range r.each() {
		if n := len(suites); n == 0 || suites[n-1].Name != f.Path {
			suites = append(suites, Suite{Name: f.Path, Class: f.Path, File: f.Path})
		}
		s := &suites[len(suites)-1]
		at := f.position(d.Span.Start)
		s.Cases = append(s.Cases, Case{
			Name: fmt.Sprintf("%s at %d:%d", d.name(), at.Line, at.Column), Line: at.Line,
			Failure: &Problem{d.Message, d.Severity.String(), fmt.Sprintf("%s:%d:%d: %s", f.Path, at.Line, at.Column, d.sentence())},
		})
	}
	if len(suites) == 0 {
		suites = []Suite{{Name: "pactkit", Class: "pactkit", Cases: []Case{{Name: "no findings"}}}}
	}
	return writeSuites(w, "pactkit", suites)
}
