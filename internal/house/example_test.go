package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamples checks that every public package shows how it is used.
func TestExamples(t *testing.T) {
	example := regexp.MustCompile(`(?m)^func Example`)
	for name := range mayImport {
		if strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "conformance/") || strings.HasPrefix(name, "examples/") || strings.HasSuffix(name, "/e2e") || strings.Contains("/"+name+"/", "/internal/") {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", "..", name, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || example.Match(data)
		}
		if !found {
			t.Errorf("package %s has no Example", shown(name))
		}
	}
}
