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

// tool is the ANTLR tool; npm checks it against grammar/tool/package-lock.json when it installs it.
const tool = "grammar/tool/node_modules/antlr4ng-cli/antlr4-4.13.2-SNAPSHOT-complete.jar"

// hashFile has the hashes of the grammar that gen was made from.
const hashFile = genDir + "/grammar.sha256"

// grammars lists the grammar; the parser's needs the tokens of the lexer's.
var grammars = []string{"PactLexer.g4", "PactParser.g4"}

// runANTLR makes the files of gen in a temporary directory.
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
	args := []string{"-jar", jar, "-Dlanguage=Go", "-package", "gen", "-no-listener", "-no-visitor", "-Werror", "-encoding", "UTF-8", "-o", temp}
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

// tidy moves the statement that ANTLR puts after each return, so no label goes unused, to a place
// where go vet does not call it unreachable.
var tidy = strings.NewReplacer(
	"\tgoto errorExit // Trick to prevent compiler error if the label is not used\n", "",
	"\nerrorExit:\n", "\n\tgoto errorExit\n\nerrorExit:\n",
)

// collect reads what ANTLR wrote, with the Go code tidied.
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

// hashGrammar returns the hashes of the grammar, as sha256sum prints them.
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

// checkGrammar fails when the grammar has changed since ANTLR ran on it.
func checkGrammar(root string) error {
	want, err := hashGrammar(root)
	if err != nil {
		return err
	}
	return compare(root, map[string][]byte{hashFile: want})
}
