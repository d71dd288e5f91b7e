package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestList checks that each mutant still changes its file.
func TestList(t *testing.T) {
	for _, m := range txtar.Parse(list).Files {
		source, _, _ := strings.Cut(m.Name, " ")
		data, err := os.ReadFile(filepath.Join("..", "..", source))
		if err != nil {
			t.Error(err)
			continue
		}
		if broken, err := apply(string(data), string(m.Data)); err != nil || broken == string(data) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
