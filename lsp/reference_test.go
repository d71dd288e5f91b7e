package lsp

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// TestMethodsDocumented compares the methods in the reference with those that the server answers.
func TestMethodsDocumented(t *testing.T) {
	page := string(must(os.ReadFile(filepath.Join("..", "docs", "reference", "lsp.md"))))
	_, section, _ := strings.Cut(page, "\n## Methods\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	want := slices.AppendSeq([]string{protocol.MethodCancelRequest, protocol.MethodExit}, maps.Keys(methodTable()))
	slices.Sort(want)
	slices.Sort(listed)
	if d := cmp.Diff(want, listed); d != "" {
		t.Errorf("docs/reference/lsp.md, Methods: change the list (-server +page):\n%s", d)
	}
}

// TestEveryMethod checks that each request that the server announces is sent in a case.
func TestEveryMethod(t *testing.T) {
	var scripts strings.Builder
	for _, file := range must(filepath.Glob(filepath.Join("..", "testdata", "lsp", "*.txtar"))) {
		scripts.Write(must(os.ReadFile(file)))
	}
	for _, list := range provided {
		for _, m := range list {
			line := regexp.MustCompile(`(?m)^(request ` + m + `|` + strings.TrimPrefix(m, "textDocument/") + `) `)
			if !strings.Contains(m, "/did") && !line.MatchString(scripts.String()) {
				t.Errorf("no case of testdata/lsp sends %s: add one", m)
			}
		}
	}
}
