package house

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestPrograms: go install ./cmd/... installs the programs of a release, and no others.
func TestPrograms(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, module+"/cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{module + "/cmd/pact-lsp", module + "/cmd/pactfmt", module + "/cmd/pactkit"}
	if got := strings.Fields(string(out)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
