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
func runANTLR(root string) ([]file, error) {
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
	hashes, err := hashGrammar(root)
	if err != nil {
		return nil, err
	}
	return append(files, file{hashFile, hashes}), nil
}

// tidy moves the statement that ANTLR puts after each return, so no label goes unused, to a place
// where go vet does not call it unreachable.
var tidy = strings.NewReplacer(
	"\tgoto errorExit // Trick to prevent compiler error if the label is not used\n", "",
	"\nerrorExit:\n", "\n\tgoto errorExit\n\nerrorExit:\n",
)

// collect reads what ANTLR wrote, with the Go code tidied.
func collect(dir fs.FS) ([]file, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		switch ext := path.Ext(entry.Name()); ext {
		case ".go", ".interp":
			data, err := fs.ReadFile(dir, entry.Name())
			if err != nil {
				return nil, err
			}
			if ext == ".go" {
				data, err = format.Source([]byte(tidy.Replace(string(data))))
				if err != nil {
					return nil, err
				}
			}
			files = append(files, file{path.Join(genDir, entry.Name()), data})
		}
	}
	return files, nil
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
	return compare(root, []file{{hashFile, want}})
}
