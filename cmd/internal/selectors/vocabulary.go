package selectors

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/store"
)

const vocabularyLong = `Print the words of histories or logs: their types, tags, keys and attributes, without those of the language. The default is
the fixtures of the configuration. Ids of calls are not among the keys.

Name the file in known.files of the configuration: then a word in a selector that the file lacks is a finding, with the word
that was probably meant. With closed = false in the file, only a word close to a listed one is a finding.

If the file of -o exists, its words, its comments and its value of closed are kept; --prune removes comments and the words that
no history has. Controls are always kept, because histories do not have any.`

const vocabularyExample = `  pactkit vocabulary session.jsonl                 print the words of a log
  pactkit vocabulary -o words.toml session.jsonl   write them, for known.files of the configuration`

// Vocabulary returns the verb vocabulary.
func Vocabulary(r *verb.Run) *cobra.Command {
	var files verb.FileFlags
	history := &open.HistoryFlags{}
	out, prune := "", false
	cmd := &cobra.Command{
		Use:     "vocabulary [FILE]...",
		Short:   "Write the words of histories to a file",
		Long:    vocabularyLong,
		Example: vocabularyExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if prune && out == "" {
				return errors.New("--prune requires -o")
			}
			c, err := verb.NewCollector(r, &files)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				cfg, ok := c.ConfigFor(filepath.Join(r.Folder, "any.pactsel"))
				if !ok {
					return nil
				}
				if args = cfg.Fixtures(); len(args) == 0 {
					return errors.New("name a history, or set fixtures in the configuration")
				}
			}
			v, src, ok := readWords(r, out)
			if !ok {
				return nil
			}
			var list []fixtures.Fixture
			for _, path := range args {
				t := open.History(cmd.Context(), r, path, history)
				if t == nil {
					return nil
				}
				list = append(list, fixtures.Fixture{Path: store.Redacted(path), Timeline: t})
			}
			words := wordsIn(list, v, prune)
			text := words.Bytes()
			if !prune && strings.Contains(src, "#") {
				text = words.AddTo(src) // there may be comments, which stay
			}
			r.Put(out, text)
			return nil
		},
	}
	verb.AddOut(cmd, &out, "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&prune, "prune", false, "remove the words of the file that no history has")
	history.Add(cmd)
	files.AddConfig(cmd)
	return cmd
}

// readWords reads the vocabulary that will be rewritten, if it exists, and its text. It reports
// problems.
func readWords(r *verb.Run, name string) (v config.Vocabulary, src string, ok bool) {
	if name == "" {
		v, _ := config.ReadVocabulary("", "")
		return v, "", true
	}
	path := r.Abs(name)
	data, err := atomicfile.Read(path, verb.MaxFileSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.FailFile(name, err)
		return config.Vocabulary{}, "", false
	}
	v, problems := config.ReadVocabulary(path, string(data))
	for _, p := range problems {
		r.ReportProblem(p)
	}
	return v, string(data), len(problems) == 0
}

// wordsIn returns the words of histories. Without prune, it adds those of the old vocabulary.
func wordsIn(list []fixtures.Fixture, before config.Vocabulary, prune bool) config.Vocabulary {
	known := fixtures.New(list, nil)
	calls := callKeys(list)
	out := config.Vocabulary{Closed: before.Closed, Words: map[lint.WordKind][]string{}}
	if controls, ok := before.Words[lint.ControlWord]; ok {
		out.Words[lint.ControlWord] = controls
	}
	for _, kind := range []lint.WordKind{lint.TypeWord, lint.TagWord, lint.KeyWord, lint.AttributeWord} {
		words := slices.DeleteFunc(slices.Collect(known.Words(kind)), func(w string) bool {
			return w == "" || isOfLanguage(kind, w) || kind == lint.KeyWord && calls[w]
		})
		if !prune {
			words = append(words, before.Words[kind]...)
		}
		out.Words[kind] = words
	}
	return out
}

// callKeys returns the keys that only calls of tools have: a provider made them up for one call, so
// no selector of a project names them.
func callKeys(list []fixtures.Fixture) map[string]bool {
	calls := map[string]bool{}
	for _, x := range list {
		for n := range x.Timeline.Distinct() {
			if key, ok := n.Key(); ok {
				id, _ := n.Header("call_id").Text()
				only, seen := calls[key]
				calls[key] = id == key && (only || !seen)
			}
		}
	}
	return calls
}

// isOfLanguage reports whether a word belongs to the language, so every project knows it.
func isOfLanguage(kind lint.WordKind, word string) bool {
	return kind == lint.TypeWord && vocab.Lookup(vocab.Type, word) != nil ||
		kind == lint.AttributeWord && vocab.Lookup(vocab.Attribute, word) != nil
}
