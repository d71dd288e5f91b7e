package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/format"
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

// generated has the files of ANTLR that are kept.
var generated = []string{"PactLexer.interp", "PactParser.interp", "pact_lexer.go", "pact_parser.go"}

// runANTLR runs ANTLR in a temporary directory and adds what it writes to files, with the Go code
// tidied.
func runANTLR(root string, files map[string][]byte) error {
	jar, err := filepath.Abs(filepath.Join(root, tool))
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "grammargen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	args := []string{"-jar", jar, "-Dlanguage=Go", "-package", "gen", "-no-listener", "-no-visitor", "-Werror",
		"-encoding", "UTF-8", "-o", temp}
	java := exec.Command("java", append(args, grammars...)...)
	java.Dir = filepath.Join(root, grammarDir)
	if out, err := java.CombinedOutput(); err != nil {
		return fmt.Errorf("ANTLR: %w\n%s", err, out)
	}
	for _, name := range generated {
		data, err := os.ReadFile(filepath.Join(temp, name))
		if err == nil && path.Ext(name) == ".go" {
			data, err = format.Source([]byte(tidy.Replace(string(data))))
		}
		if err != nil {
			return err
		}
		files[path.Join(genDir, name)] = data
	}
	return nil
}

// tidy moves the statement that ANTLR puts after each return, to use the label, to a place where go
// vet does not report unreachable code.
var tidy = strings.NewReplacer(
	"\tgoto errorExit // Trick to prevent compiler error if the label is not used\n", "",
	"\nerrorExit:\n", "\n\tgoto errorExit\n\nerrorExit:\n",
)

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
