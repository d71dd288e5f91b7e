// Grammargen compiles the grammar of the selector language to Go.
//
// With -antlr it first runs the ANTLR tool that grammar/tool pins on grammar/PactLexer.g4 and
// grammar/PactParser.g4, and writes parser/internal/gen. It then compiles the automata in there to
// the tables of parser/internal/ll1, and the automaton of the lexer to those of
// editors/tree-sitter-pactsel as well. With -check it writes nothing, and fails if a committed file
// differs.
//
// Run it in the root of the repository, usually through make:
//
//	make generate
//	make generate-check
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

const (
	grammarDir = "grammar"
	genDir     = "parser/internal/gen"
	tablesFile = "parser/internal/ll1/tables.go"

	lexiconFile = "editors/tree-sitter-pactsel/common/lexicon.h"
)

func main() {
	antlr := flag.Bool("antlr", false, "run the ANTLR tool first")
	check := flag.Bool("check", false, "write nothing, and fail if a file is stale")
	flag.Parse()
	if err := run(".", *antlr, *check); err != nil {
		fmt.Fprintln(os.Stderr, "grammargen:", err)
		os.Exit(1)
	}
}

// run generates the files under root, and writes or checks them.
func run(root string, antlr, check bool) error {
	hashes, err := hashGrammar(root)
	if err != nil {
		return err
	}
	files := map[string][]byte{hashFile: hashes} // by name, relative to root
	if antlr {
		err = runANTLR(root, files)
	} else {
		err = compare(root, files) // the grammar must not have changed since ANTLR ran on it
	}
	if err != nil {
		return err
	}
	files[tablesFile], files[lexiconFile], err = compile(func(name string) ([]byte, error) {
		name = path.Join(genDir, name)
		if data, ok := files[name]; ok {
			return data, nil
		}
		return os.ReadFile(filepath.Join(root, name))
	})
	if err != nil {
		return err
	}
	if check {
		return compare(root, files)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compile makes the tables and the lexicon from the .interp files that read returns.
func compile(read func(name string) ([]byte, error)) (goTables, lexicon []byte, err error) {
	var networks []*network
	for _, name := range []string{"PactLexer.interp", "PactParser.interp"} {
		text, err := read(name)
		if err != nil {
			return nil, nil, err
		}
		n, err := readNetwork(string(text))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		networks = append(networks, n)
	}
	lexer, parser := networks[0], networks[1]
	d, err := buildLexer(lexer)
	if err != nil {
		return nil, nil, err
	}
	sc, err := d.scanner()
	if err != nil {
		return nil, nil, err
	}
	m, err := buildMachine(parser)
	if err != nil {
		return nil, nil, err
	}
	goTables, err = emitTables(lexer.symbols[1:], d, sc, m)
	return goTables, emitLexicon(lexer, d), err
}

// compare returns an error if a file under root differs from what was generated.
func compare(root string, files map[string][]byte) error {
	var stale []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, err := os.ReadFile(filepath.Join(root, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !bytes.Equal(have, files[name]) {
			stale = append(stale, fmt.Errorf("%s is stale: run make generate", name))
		}
	}
	return errors.Join(stale...)
}
