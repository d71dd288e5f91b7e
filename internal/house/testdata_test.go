package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTestdata: each folder of testdata has a README that names the test that reads the folder, and
// the index of testdata leads to it. The tests that a README names exist.
func TestTestdata(t *testing.T) {
	root := filepath.Join("..", "..")
	index, err := os.ReadFile(filepath.Join(root, "testdata", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	leads := map[string]bool{}
	for _, m := range regexp.MustCompile(`\]\((\w+)/README\.md\)`).FindAllStringSubmatch(string(index), -1) {
		leads[m[1]] = true
	}
	folders, err := os.ReadDir(filepath.Join(root, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`\\s+of\\s+`([\\w/]+)`")
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		page := filepath.Join("testdata", folder.Name(), "README.md")
		if !leads[folder.Name()] {
			t.Errorf("testdata/README.md does not lead to %s", page)
		}
		delete(leads, folder.Name())
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Errorf("%s: what is in the folder, which test reads it, how to add a case, and how to update one: %v", page, err)
			continue
		}
		tests := named.FindAllStringSubmatch(string(text), -1)
		if len(tests) == 0 {
			t.Errorf("%s does not name the test, such as: `TestCases` of `parser`", page)
		}
		for _, m := range tests {
			if !declares(t, filepath.Join(root, m[2]), m[1]) {
				t.Errorf("%s: there is no test %s in %s", page, m[1], m[2])
			}
		}
	}
	for folder := range leads {
		t.Errorf("testdata/README.md leads to %s, which does not exist", folder)
	}
}

// declares reports whether a package has a test.
func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

// TestArchitecture: the packages and tests that docs/ARCHITECTURE.md names exist.
func TestArchitecture(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(\w+)/\{([\w ]+)`).ReplaceAllStringFunc(string(page), func(group string) string {
		folder, names, _ := strings.Cut(group, "/{")
		return folder + "/" + strings.Join(strings.Fields(names), " "+folder+"/")
	})
	for _, name := range regexp.MustCompile(`\b(parser/|cmd/)?(cmd|internal|ast|store|thread)/[\w/-]+`).FindAllString(text, -1) {
		if _, ok := mayImport[strings.TrimSuffix(name, "/")]; !ok && name != "cmd/internal" {
			t.Errorf("docs/ARCHITECTURE.md names the package %s, which does not exist", name)
		}
	}
	for _, m := range regexp.MustCompile("`([\\w/]+)` `(Test\\w+)`").FindAllStringSubmatch(text, -1) {
		if !declares(t, filepath.Join(root, m[1]), m[2]) {
			t.Errorf("docs/ARCHITECTURE.md: there is no test %s in %s", m[2], m[1])
		}
	}
}
