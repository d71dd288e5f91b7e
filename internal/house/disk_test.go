package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// diskPackage is the only package that uses disks itself.
const diskPackage = "internal/atomicfile"

// mayUseDisk are the other packages that do, with the reason.
var mayUseDisk = map[string]string{
	"internal/gendocs":           "writes this repository",
	"internal/sitegen":           "writes the site",
	"internal/test/testkit":      "reads and writes cases of tests",
	"internal/test/pgserver":     "starts servers for tests",
	"parser/internal/grammargen": "writes this repository",
	"tools":                      "programs of this repository",
	"conformance/mutants":        "writes a broken file for the compiler",
	"bench":                      "benchmarks",
	"examples/agent":             "a tool of an agent, as a user writes it",
}

// diskCalls are the functions that open, change or describe files by name. They wait for named
// pipes, follow links out of a folder, or lose the owner of a file.
var diskCalls = map[string]string{
	"os": " Chmod Chown Chtimes CopyFS Create CreateTemp DirFS Lchown Link Lstat Mkdir MkdirAll MkdirTemp Open OpenFile OpenInRoot OpenRoot" +
		" ReadDir ReadFile Readlink Remove RemoveAll Rename Stat Symlink Truncate WriteFile ",
	"filepath": " EvalSymlinks Glob Walk WalkDir ",
	"ioutil":   " ReadAll ReadDir ReadFile TempDir TempFile WriteFile ",
	"syscall":  " Open Mkfifo Rename Unlink ",
	"unix":     " Open Openat Mkfifo Rename Unlink ",
}

// TestDisk refuses to use disks other than through one package, which opens only regular files and
// replaces them as a whole.
func TestDisk(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "out" || d.Name() == "testdata" || name == diskPackage || name != "." && d.Name()[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			in, ok := call.X.(*ast.Ident)
			if !ok || in.Obj != nil || !strings.Contains(diskCalls[in.Name], " "+call.Sel.Name+" ") {
				return true
			}
			for folder := range mayUseDisk {
				if strings.HasPrefix(name, folder+"/") {
					used[folder] = true
					return true
				}
			}
			t.Errorf("%s: %s.%s: use package %s", files.Position(call.Pos()), in.Name, call.Sel.Name, diskPackage)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder := range mayUseDisk {
		if !used[folder] {
			t.Errorf("%s does not use disks: remove it from the list", folder)
		}
	}
}
