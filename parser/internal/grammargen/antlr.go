package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// tool is the ANTLR tool. When npm installs it, it checks it against
// grammar/tool/package-lock.json.
const tool = "grammar/tool/node_modules/antlr4ng-cli/antlr4-4.13.2-SNAPSHOT-complete.jar"

// hashFile has the hashes of the grammar that the files in genDir were made from.
const hashFile = genDir + "/grammar.sha256"

// grammars has the files of the grammar. The parser comes last, because it needs the tokens of the
// lexer.
var grammars = []string{"PactLexer.g4", "PactParser.g4"}

// runANTLR runs ANTLR in a temporary directory and returns the files of genDir.
func runANTLR(root string) (map[string][]byte, error) {
	jar, err := filepath.Abs(filepath.Join(root, tool))
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "grammargen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	args := []string{"-jar", jar, "-Dlanguage=Go", "-package", "gen", "-no-listener", "-no-visitor", "-Werror",
		"-encoding", "UTF-8", "-o", temp}
	java := exec.Command("java", append(args, grammars...)...)
	java.Dir = filepath.Join(root, grammarDir)
	if out, err := java.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ANTLR: %w\n%s", err, out)
	}
	files, err := collect(os.DirFS(temp))
	if err != nil {
		return nil, err
	}
	files[hashFile], err = hashGrammar(root)
	return files, err
}

// tidy moves the statement that ANTLR puts after each return, to use the label, to a place where go
// vet does not report unreachable code.
var tidy = strings.NewReplacer(
	"\tgoto errorExit // Trick to prevent compiler error if the label is not used\n", "",
	"\nerrorExit:\n", "\n\tgoto errorExit\n\nerrorExit:\n",
)

// collect returns the files that ANTLR has written, with the Go code tidied.
func collect(dir fs.FS) (map[string][]byte, error) {
	names, err := fs.Glob(dir, "*.*")
	files := map[string][]byte{}
	for _, name := range names {
		ext := path.Ext(name)
		if ext != ".go" && ext != ".interp" {
			continue
		}
		data, err := fs.ReadFile(dir, name)
		if err == nil && ext == ".go" {
			data, err = format.Source([]byte(tidy.Replace(string(data))))
		}
		if err != nil {
			return nil, err
		}
		files[path.Join(genDir, name)] = data
	}
	return files, err
}

// hashGrammar returns the hashes of the grammar in the format of sha256sum.
func hashGrammar(root string) ([]byte, error) {
	var out bytes.Buffer
	for _, name := range grammars {
		text, err := os.ReadFile(filepath.Join(root, grammarDir, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(text), path.Join(grammarDir, name))
	}
	return out.Bytes(), nil
}

// checkGrammar returns an error if the grammar has changed since ANTLR ran on it.
func checkGrammar(root string) error {
	want, err := hashGrammar(root)
	if err != nil {
		return err
	}
	return compare(root, map[string][]byte{hashFile: want})
}
