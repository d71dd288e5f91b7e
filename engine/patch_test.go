package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// FuzzJSONPatch checks that a patch, applied to the older content, gives exactly the newer content,
// and that the patch of equal contents is empty.
func FuzzJSONPatch(f *testing.F) {
	for _, s := range []string{
		`9007199254740992`, `9007199254740993`, `{"n":1}`, `{"n":1.0}`, `{"n":1e400}`, `[1e400,2]`, `null`, `""`, `"a"`, `{}`, `[]`,
		`{"":{"/~":[1,{"~0":"<>&"}]}}`, `[[1,2,3],[4],null]`, `[[1,3],[4,5],null,{}]`, `{"a":null}`, `{"a":[null,null]}`,
	} {
		for _, t := range []string{s, `{"n":9007199254740993}`, `[1,2,[3]]`} {
			f.Add(s, t)
			f.Add(t, s)
		}
	}
	f.Fuzz(func(t *testing.T, older, newer string) {
		a, errA := engine.JSON([]byte(older))
		b, errB := engine.JSON([]byte(newer))
		if errA != nil || errB != nil {
			return
		}
		x, y := twoStates(t, a.String(), b.String(), "")
		d, err := engine.DiffContent(x, y, engine.ContentOptions{Mode: engine.ModeJSONPatch})
		if err != nil {
			t.Fatal(err)
		}
		var patch []patchOperation
		if err := decodeExact(d.Patch, &patch); err != nil {
			t.Fatal(err)
		}
		if a == b && len(patch) != 0 {
			t.Errorf("the patch of %s and itself is %s", a, d.Patch)
		}
		var doc any
		if err := decodeExact([]byte(a.String()), &doc); err != nil {
			t.Fatal(err)
		}
		for _, op := range patch {
			if doc, err = op.apply(doc, strings.Split(op.Path, "/")[1:]); err != nil {
				t.Fatalf("%s to %s: %s: %v", a, b, d.Patch, err)
			}
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := engine.JSON(text); err != nil || got != b {
			t.Errorf("%s patched with %s is %s, want %s", a, d.Patch, got, b)
		}
	})
}

func decodeExact(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(to)
}

// patchOperation is one operation of RFC 6902.
type patchOperation struct {
	Op, Path string
	Value    any
}

// apply returns doc after the operation at a path in doc.
func (op patchOperation) apply(doc any, path []string) (any, error) {
	if len(path) == 0 {
		if op.Op == "remove" {
			return nil, fmt.Errorf("the document cannot be removed")
		}
		return op.Value, nil
	}
	name, last := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0]), len(path) == 1
	switch doc := doc.(type) {
	case map[string]any:
		old, ok := doc[name]
		switch {
		case last && op.Op == "remove" && ok:
			delete(doc, name)
			return doc, nil
		case !ok && (!last || op.Op != "add"):
			return nil, fmt.Errorf("no member %q", name)
		}
		var err error
		doc[name], err = op.apply(old, path[1:])
		return doc, err
	case []any:
		at, err := strconv.Atoi(name)
		if name == "-" {
			at, err = len(doc), nil
		}
		switch {
		case err != nil || at < 0 || at > len(doc) || at == len(doc) && (!last || op.Op != "add"):
			return nil, fmt.Errorf("no element %s", name)
		case last && op.Op == "remove":
			return slices.Delete(doc, at, at+1), nil
		case last && op.Op == "add":
			return slices.Insert(doc, at, op.Value), nil
		}
		doc[at], err = op.apply(doc[at], path[1:])
		return doc, err
	}
	return nil, fmt.Errorf("nothing below a scalar")
}
