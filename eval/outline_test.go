package eval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// outline reads the short form in which cases write a history, and returns it as a JSON document.
//
//	@c4                           a snapshot of cycle 4; optional for a single snapshot
//	^seq                          a node: two blanks for each level below the root
//	  s1 seg                      id and type; the type may be left out
//	    b1 block ttl=2 tag=[a,b]  members: JSON, or else a string; lists of words need no quotes
//	@working                      the working state
//
// Regions are written with their type alone; their id is that. Blank lines and lines that begin
// with "# " are skipped.
func outline(text, specVersion string) ([]byte, error) {
	doc := map[string]any{}
	if specVersion != "" {
		doc["spec_version"] = specVersion
	}
	var snapshots []any
	var open []map[string]any // the path to the last node
	begin := func(cycle string) error {
		root := map[string]any{"children": []any{}}
		open = []map[string]any{root}
		if cycle == "working" {
			doc["working"] = map[string]any{"root": root}
			return nil
		}
		snap := map[string]any{"root": root}
		if cycle != "" {
			n, err := strconv.Atoi(strings.TrimPrefix(cycle, "c"))
			if err != nil {
				return err
			}
			snap["cycle"] = n
		}
		snapshots = append(snapshots, snap)
		return nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		trimmed := strings.TrimLeft(line, " ")
		if trimmed == "" || strings.HasPrefix(trimmed, "# ") {
			continue
		}
		if cycle, ok := strings.CutPrefix(line, "@"); ok {
			if err := begin(cycle); err != nil {
				return nil, err
			}
			continue
		}
		if open == nil {
			if err := begin(""); err != nil {
				return nil, err
			}
		}
		level := (len(line) - len(trimmed)) / 2
		if level >= len(open) {
			return nil, fmt.Errorf("%q lies too deep", trimmed)
		}
		node, err := outlineNode(trimmed)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", trimmed, err)
		}
		parent := open[level]
		list, _ := parent["children"].([]any)
		parent["children"] = append(list, node)
		open = append(open[:level+1], node)
	}
	doc["snapshots"] = snapshots
	if snapshots == nil {
		doc["snapshots"] = []any{}
	}
	return json.Marshal(doc)
}

func outlineNode(line string) (map[string]any, error) {
	id, rest, _ := strings.Cut(line, " ")
	node := map[string]any{"id": id}
	if strings.HasPrefix(id, "^") {
		node["nodeType"] = id
	}
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		name := rest[:strings.IndexAny(rest+" ", " =")]
		rest = rest[len(name):]
		if !strings.HasPrefix(rest, "=") {
			node["nodeType"] = name
			continue
		}
		rest = rest[1:]
		var v any
		dec := json.NewDecoder(bytes.NewReader([]byte(rest)))
		dec.UseNumber()
		if err := dec.Decode(&v); err == nil && (dec.InputOffset() == int64(len(rest)) || rest[dec.InputOffset()] == ' ') {
			node[name], rest = v, rest[dec.InputOffset():]
			continue
		}
		word, _, _ := strings.Cut(rest, " ")
		rest = rest[len(word):]
		if inner, ok := strings.CutPrefix(word, "["); ok && strings.HasSuffix(inner, "]") {
			list := []any{}
			for member := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ",") {
				list = append(list, member)
			}
			node[name] = list
			continue
		}
		if word == "" || strings.ContainsAny(word[:1], `"[{`) {
			return nil, fmt.Errorf("the value of %s cannot be read", name)
		}
		node[name] = word
	}
	return node, nil
}
