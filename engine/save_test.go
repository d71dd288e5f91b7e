package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestSaveDeep nests a live tree until the engine refuses. Everything that it accepts can be saved,
// before and after it is sealed.
func TestSaveDeep(t *testing.T) {
	for _, start := range []string{"core", "^ah", "^sys"} {
		c, err := engine.New(engine.Options{System: true})
		if err != nil {
			t.Fatal(err)
		}
		pos := engine.Under(start, 1)
		if start == "core" {
			pos = engine.AtDepth(0, 0)
		}
		made := 0
		for ; ; made++ {
			id := fmt.Sprint("n", made)
			if _, err = c.Insert(pos, engine.Draft{ID: id, Type: "cont", Children: []engine.Draft{{}}}); err != nil {
				break
			}
			pos = engine.Under(id, 1)
		}
		if !errors.Is(err, engine.ErrTreeDepth) || made < 900 {
			t.Fatalf("%s: after %d levels: %v", start, made, err)
		}
		for range 2 {
			var out bytes.Buffer
			if err := c.History().Save(&out, engine.ReadOptions{}); err != nil {
				t.Fatalf("%s: %v", start, err)
			}
			if _, err := c.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSaveLimit checks that Save refuses what cannot be read back, and writes nothing.
func TestSaveLimit(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text(strings.Repeat("x", 1000))}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.History().Save(&out, engine.ReadOptions{MaxBytes: 500}); !errors.Is(err, engine.ErrFileLimit) || out.Len() > 0 {
		t.Errorf("too large: %v, %d bytes written", err, out.Len())
	}
	deep := `{"root":` + strings.Repeat(`{"id":"a`, 1) + `","children":[{"id":"s","nodeType":"^sys","children":[` + nested(1200) + `]}]}}`
	tl, err := engine.Read("deep.json", strings.NewReader(deep), engine.ReadOptions{MaxDepth: 3000})
	if err != nil {
		t.Fatal(err)
	}
	if err := tl.Save(&out, engine.ReadOptions{}); !errors.Is(err, engine.ErrTreeDepth) || out.Len() > 0 {
		t.Errorf("too deep: %v, %d bytes written", err, out.Len())
	}
	if err := tl.Save(&out, engine.ReadOptions{MaxDepth: 3000}); err != nil || out.Len() == 0 {
		t.Errorf("with the depth it was read with: %v, %d bytes written", err, out.Len())
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"c%d","nodeType":"cont","children":[`, i)
	}
	return b.String() + strings.Repeat(`]}`, n)
}
