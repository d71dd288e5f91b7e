// Package tokens counts the tokens of texts and of nodes for a language model.
//
// For OpenAI models the count of a text is exact: their vocabularies are public and part of the
// program. For other models it is an estimate with the newest of these vocabularies.
// [Counter.Exact] tells them apart. Nothing is downloaded at run time. A program for a browser
// (GOOS=js) has no vocabularies, which are large: there every count is an estimate, of four bytes a
// token.
package tokens

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
)

// families lists prefixes of the names of models with a public vocabulary. The first match wins, so
// longer prefixes come first.
var families = []struct {
	prefix   string
	encoding func() *vocabulary
}{
	{"gpt-4o", o200k},
	{"gpt-4.1", o200k},
	{"gpt-4.5", o200k},
	{"gpt-5", o200k},
	{"gpt-oss", o200k},
	{"chatgpt-4o", o200k},
	{"codex-mini", o200k},
	{"o1", o200k},
	{"o3", o200k},
	{"o4-mini", o200k},
	{"gpt-4", cl100k},
	{"gpt-3.5", cl100k},
	{"gpt-35", cl100k}, // as Azure spells it
	{"text-embedding-3", cl100k},
	{"text-embedding-ada-002", cl100k},
}

// Counter counts the tokens of one vocabulary. It is safe for concurrent use.
type Counter struct {
	vocabulary *vocabulary
	exact      bool
	cache      *Cache
}

// For returns the counter for a model, such as gpt-4o-2024-08-06. It ignores the prefixes of
// providers (openai/gpt-4o) and fine-tuned models (ft:gpt-4o:…). The counter for a model without a
// public vocabulary estimates.
func For(model string) *Counter {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimPrefix(name, "ft:")
	for _, f := range families {
		if rest, ok := strings.CutPrefix(name, f.prefix); ok && (rest == "" || strings.Contains("-:@.", rest[:1])) {
			return &Counter{f.encoding(), hasVocabularies, nil}
		}
	}
	return &Counter{o200k(), false, nil}
}

// Exact reports whether the counter has the vocabulary of its model, so the count of a text is
// exact rather than an estimate. It is false after the counter's [Cache] has estimated a text.
func (c *Counter) Exact() bool { return c.exact && !c.cache.Sampled() }

// Encoding returns the name of the vocabulary, such as o200k_base.
func (c *Counter) Encoding() string { return c.vocabulary.name }

// window is the size of the pieces in which a long text is counted. It bounds the memory that
// counting needs.
const window = 64 << 10

// Count returns the number of tokens of a text. Names of control tokens in it are ordinary text.
// Invalid UTF-8 counts as U+FFFD. The time is linear, about a second for 10 MB. A text longer than
// 64 KiB is counted in pieces, which are cut between words if possible.
func (c *Counter) Count(text string) int {
	if c.cache != nil {
		return c.cache.count(c, text)
	}
	return c.encode(text)
}

func (c *Counter) encode(text string) int {
	text = strings.ToValidUTF8(text, "\uFFFD")
	total := 0
	for len(text) > window {
		cut := wordEnd(text[:window])
		total, text = total+c.vocabulary.count(text[:cut]), text[cut:]
	}
	return total + c.vocabulary.count(text)
}

// wordEnd returns where to cut a text: before the last single space between letters in its second
// half, which begins a token in every vocabulary, or else before its last rune.
func wordEnd(text string) int {
	letter := func(b byte) bool { return b|0x20-'a' < 26 }
	for i := len(text) - 2; i > len(text)/2; i-- {
		if text[i] == ' ' && letter(text[i-1]) && letter(text[i+1]) {
			return i
		}
	}
	end := len(text)
	for end > 0 && !utf8.RuneStart(text[end-1]) {
		end--
	}
	return end - 1
}

// Node returns the number of tokens of the content of a node, without its children: of the text if
// the content is a string, otherwise of its JSON without the media that [Media] counts, encrypted
// reasoning and signatures. It does not include the tokens that a provider adds to each message.
func (c *Counter) Node(n engine.Node) int { return c.Count(Text(n)) }
