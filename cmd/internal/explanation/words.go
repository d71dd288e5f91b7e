package explanation

import (
	"iter"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/cmd/internal/mcp"
	"github.com/pactkit/pactkit/cmd/internal/worker"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// Names yields the codes and the words, each with a few words about it.
func Names(yield func(name, about string) bool) {
	for c := range ownCodes {
		if !yield(string(c.Code), c.Title) {
			return
		}
	}
	for c := range historyCodes {
		if _, known := diag.LookupCode(diag.Code(c.Code)); !known && !yield(string(c.Code), "") {
			return
		}
	}
	for t := range allTerms {
		if !yield(t.Name, kindNames[t.Kind]) {
			return
		}
	}
}

// ownCodes yields the codes of selectors, and those of programs that check them.
func ownCodes(yield func(diag.CodeInfo) bool) {
	for _, codes := range []iter.Seq[diag.CodeInfo]{diag.Codes(), diag.ProgramCodes()} {
		for c := range codes {
			if !yield(c) {
				return
			}
		}
	}
}

// allCodes yields the codes of selectors, and those of histories and trees.
func allCodes(yield func(string) bool) {
	for c := range ownCodes {
		if !yield(string(c.Code)) {
			return
		}
	}
	for c := range historyCodes {
		if !yield(string(c.Code)) {
			return
		}
	}
}

// historyCodes yields the codes of trees, journals, workers, MCP servers and stores.
func historyCodes(yield func(engine.CodeInfo) bool) {
	for _, codes := range []iter.Seq[engine.CodeInfo]{engine.Codes(), journal.Codes(), worker.Codes(), mcp.Codes()} {
		for c := range codes {
			if !yield(c) {
				return
			}
		}
	}
	for c := range store.Codes() {
		if !yield(engine.CodeInfo{Code: engine.Code(c.Code), Doc: c.Doc}) {
			return
		}
	}
}

// kindNames are the names of the kinds of words.
var kindNames = [...]string{
	vocab.Region:    "region",
	vocab.Type:      "node type",
	vocab.Zone:      "zone",
	vocab.Pseudo:    "positional pseudo",
	vocab.Attribute: "attribute",
	vocab.Flag:      "flag",
	vocab.Operator:  "operator",
	vocab.Control:   "control",
	vocab.Instant:   "form of a time",
}

// sigils are what words are written with.
const sigils = "^.:@"

// findTerms returns the words of every kind with a spelling, with or without their sigil.
func findTerms(written string) []*vocab.Term {
	var found []*vocab.Term
	for t := range allTerms {
		bare := strings.TrimLeft(written, sigils)
		if t.Name == written || bare != "" && (t.Name == bare || slices.Contains(t.Aliases, bare)) {
			found = append(found, t)
		}
	}
	return found
}

// nearestTerms returns the words of every kind that a misspelled one may stand for.
func nearestTerms(written string) []string {
	var near []string
	for kind := range kindNames {
		t := vocab.Nearest(vocab.Kind(kind), strings.TrimLeft(written, sigils))
		if t != nil && !slices.Contains(near, t.Name) {
			near = append(near, t.Name)
		}
	}
	return near
}

// allTerms yields every word of the language.
func allTerms(yield func(*vocab.Term) bool) {
	for kind := range kindNames {
		for t := range vocab.All(vocab.Kind(kind)) {
			if !yield(t) {
				return
			}
		}
	}
}
