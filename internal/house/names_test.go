package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The ways to install a package of PyPI named pactkit, and to import it.
var (
	installs = regexp.MustCompile(`(?m)\b(pip3?|pipx|uvx?|poetry|pdm|conda)\b[^\n|#]*\b(install|add|run)\b[^\n|#]*[ '"=]pactkit(\[|[=<>~!]=|['"\s\x60,]|$)|additional_dependencies: *\[['"]?pactkit\b`)
	imports  = regexp.MustCompile(`(?m)^\s*(>>> )?(import|from) pactkit\b`)
)

// TestForeignName: pactkit on PyPI is the package of another project, so nothing tells anybody to
// install it, or to import its module. Ours is pactsel.
func TestForeignName(t *testing.T) {
	for text, want := range map[string]bool{
		"pip install pactkit": true, "pip3 install -U 'pactkit[spark]'": true, "python -m pip install pactkit==1.0": true, "`pipx install pactkit`": true,
		"uv add pactkit": true, "additional_dependencies: [pactkit==VERSION]": true, "import pactkit, sys": true, ">>> from pactkit import open": true,
		"pip install pactsel": false, "pip install ./pactsel-1.whl # of pactkit": false, "go install github.com/pactkit/pactkit/cmd/...": false,
		"npm install @pactkit/cli": false, "the installation of pactkit": false, "import pactkit.toml": true,
	} {
		if got := installs.MatchString(text) || imports.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			if name == "node_modules" || name == "out" || name == "testdata" || name == ".git" {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		ways := []*regexp.Regexp{installs}
		if ext := filepath.Ext(path); ext == ".py" || ext == ".md" || ext == ".ipynb" || ext == "" {
			ways = append(ways, imports)
		}
		for _, way := range ways {
			if at := way.FindIndex(data); at != nil {
				t.Errorf("%s: %q", path, data[at[0]:at[1]])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
