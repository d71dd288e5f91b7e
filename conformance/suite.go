// Package conformance runs the conformance suite of the PACT specification on any implementation.
//
// The cases are JSON files that do not depend on Go: README.md describes them, schema.json checks
// them, and protocol.json describes the lines that this package exchanges with an implementation.
package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:embed cases histories rulings.json
var files embed.FS

// Group is one file of cases.
type Group struct {
	Name  string  `json:"-"` // of the file, without .json
	Title string  `json:"title"`
	Cases []*Case `json:"cases"`
}

// Case is one sentence of the specification, with what follows from it.
type Case struct {
	ID      string          `json:"id"`      // unique in its group
	Source  string          `json:"source"`  // the document and section of the sentence
	Says    string          `json:"says"`    // the sentence
	Ruling  string          `json:"ruling"`  // the ruling that decides where the text does not
	Why     string          `json:"why"`     // how the expected results follow, if that is not obvious
	Edition string          `json:"edition"` // empty: the implementation recognizes it
	History string          `json:"history"` // the file that is opened first
	Live    json.RawMessage `json:"live"`    // options of the live context that is made first
	Steps   []Step          `json:"steps"`
}

// Step is one request with the expected answer.
type Step struct {
	Request map[string]any
	As      string // the name that later steps use for the id in the answer
	Want    map[string]any
}

// UnmarshalJSON reads a request with two more members: as and want.
func (s *Step) UnmarshalJSON(data []byte) error {
	if err := decode(data, &s.Request); err != nil {
		return err
	}
	s.As, _ = s.Request["as"].(string)
	s.Want, _ = s.Request["want"].(map[string]any)
	delete(s.Request, "as")
	delete(s.Request, "want")
	return nil
}

// Suite is all groups, in the order of their names, and what they refer to.
type Suite struct {
	Groups    []*Group
	Histories map[string]json.RawMessage
	Rulings   map[string]string
}

// Load reads the suite that is part of this package.
func Load() (*Suite, error) {
	s := &Suite{Histories: map[string]json.RawMessage{}}
	if err := s.read("rulings.json", &s.Rulings); err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "histories/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var history json.RawMessage
		if err := s.read(name, &history); err != nil {
			return nil, err
		}
		s.Histories[baseName(name)] = history
	}
	names, err = fs.Glob(files, "cases/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		g := &Group{Name: baseName(name)}
		if err := s.read(name, g); err != nil {
			return nil, err
		}
		s.Groups = append(s.Groups, g)
	}
	return s, nil
}

func (s *Suite) read(name string, v any) error {
	data, err := files.ReadFile(name)
	if err == nil {
		err = decode(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func baseName(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// decode reads one JSON value. Numbers keep their digits.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("there is text after the value")
	}
	return nil
}
