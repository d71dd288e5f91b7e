package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The largest file and function that one reads without scrolling back, and the widest comment, with
// four columns for a tab.
const (
	maxFileLines = 500
	maxFuncLines = 80
	maxColumns   = 100
)

// TestSizes refuses long files, long functions and wide comments. Functions of tests may be long:
// they are lists of cases. A type may have many fields: most that have describe something that has
// as many parts, such as a node.
func TestSizes(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			if name == "node_modules" || name == "out" || name == "testdata" || path != root && name[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		files := token.NewFileSet()
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(files, path, src, parser.ParseComments)
		if err == nil && !ast.IsGenerated(file) {
			checkSizes(t, path, files, file)
			checkComments(t, path, string(src), files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkSizes(t *testing.T, path string, files *token.FileSet, file *ast.File) {
	line := func(at token.Pos) int { return files.Position(at).Line }
	if n := line(file.FileEnd); n > maxFileLines+1 {
		t.Errorf("%s has %d lines; at most %d: split it by what it does", path, n-1, maxFileLines)
	}
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok || strings.HasSuffix(path, "_test.go") {
			continue
		}
		if n := line(decl.End()) - line(decl.Pos()) + 1; n > maxFuncLines {
			t.Errorf("%s:%d: %s has %d lines; at most %d", path, line(decl.Pos()), decl.Name.Name, n, maxFuncLines)
		}
	}
}

// checkComments checks the lines that hold nothing but a comment. One with an address may be wider.
func checkComments(t *testing.T, path, src string, files *token.FileSet, file *ast.File) {
	for _, group := range file.Comments {
		if strings.HasPrefix(group.List[0].Text, "// Output:") { // of an example, which must match
			continue
		}
		for _, c := range group.List {
			at := files.Position(c.Pos())
			indent := src[at.Offset-at.Column+1 : at.Offset]
			width := 4*len(indent) + utf8.RuneCountInString(c.Text)
			if width > maxColumns && strings.Trim(indent, "\t") == "" && !strings.Contains(c.Text, "://") {
				t.Errorf("%s:%d: a comment of %d columns; at most %d", path, at.Line, width, maxColumns)
			}
		}
	}
}
