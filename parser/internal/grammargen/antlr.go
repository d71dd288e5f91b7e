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

// toolFile names the ANTLR tool and its hash, as sha256sum prints them.
const toolFile = "grammar/tool/antlr.sha256"

// hashFile has the hashes of the grammar that gen was made from.
const hashFile = genDir + "/grammar.sha256"

// grammars lists the grammar; the parser's needs the tokens of the lexer's.
var grammars = []string{"PactLexer.g4", "PactParser.g4"}

// runANTLR makes the files of gen in a temporary directory.
func runANTLR(root string) ([]file, error) {
	jar, err := findTool(root)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "grammargen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	for _, name := range grammars {
		text, err := os.ReadFile(filepath.Join(root, grammarDir, name))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(temp, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	args := []string{"-jar", jar, "-Dlanguage=Go", "-package", "gen", "-no-listener", "-no-visitor", "-Werror", "-encoding", "UTF-8"}
	for _, name := range grammars {
		tool := exec.Command("java", append(args, name)...)
		tool.Dir = temp
		if out, err := tool.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("ANTLR on %s: %w\n%s", name, err, out)
		}
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

// findTool returns the absolute path of the ANTLR tool after checking its hash.
func findTool(root string) (string, error) {
	pin, err := os.ReadFile(filepath.Join(root, toolFile))
	if err != nil {
		return "", err
	}
	fields := strings.Fields(string(pin))
	if len(fields) != 2 {
		return "", fmt.Errorf("%s must hold a hash and a path", toolFile)
	}
	jar, err := filepath.Abs(filepath.Join(root, path.Dir(toolFile), fields[1]))
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(jar)
	if err != nil {
		return "", fmt.Errorf("the ANTLR tool is not installed: %w", err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != fields[0] {
		return "", fmt.Errorf("%s has the hash %s, not the one in %s", jar, got, toolFile)
	}
	return jar, nil
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
