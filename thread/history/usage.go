package history

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// The names that providers, gateways and instrumentations give to the counts of a call; a dot leads
// into an object. The first one that is there counts.
var (
	inputNames  = []string{"input_tokens", "prompt_tokens", "promptTokenCount", "inputTokens", "promptTokens", "prompt_eval_count", "inputTokenCount", "request_tokens", "prompt", "tokensIn", "tokens.prompt", "tokens.input_tokens", "input"}
	outputNames = []string{"output_tokens", "completion_tokens", "candidatesTokenCount", "outputTokens", "completionTokens", "eval_count", "outputTokenCount", "response_tokens", "completion", "tokensOut", "tokens.completion", "tokens.output_tokens", "output"}
	readNames   = []string{
		"cache_read_input_tokens", "input_tokens_cache_read", "cached_input_tokens", "cached_tokens", "cachedContentTokenCount",
		"cacheReadInputTokens", "cachedInputTokens", "prompt_cache_hit_tokens", "cache_read.input_tokens", "prompt_details.cache_read",
		"prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens", "input_token_details.cache_read", "cache_read_tokens",
		"inputTokenDetails.cacheReadTokens", "cacheReadInputTokenCount", "cached", "cache.read", "cacheReads", "input_cache_read",
	}
	writeNames = []string{
		"cache_creation_input_tokens", "input_tokens_cache_write", "cacheWriteInputTokens", "cache_creation.input_tokens",
		"cache_write.input_tokens", "prompt_details.cache_write", "prompt_tokens_details.cache_write_tokens",
		"prompt_tokens_details.cache_creation_input_tokens", "prompt_tokens_details.cache_creation_tokens", "input_tokens_details.cache_write_tokens",
		"input_token_details.cache_creation", "cache_write_tokens", "inputTokenDetails.cacheWriteTokens", "cacheWriteInputTokenCount",
		"cache.write", "cacheWrites", "input_cache_creation",
	}
	hourNames    = []string{"cache_creation.ephemeral_1h_input_tokens"}
	thoughtNames = []string{
		"output_tokens_details.thinking_tokens", "output_tokens_details.reasoning_tokens", "completion_tokens_details.reasoning_tokens",
		"reasoning_output_tokens", "reasoning_tokens", "output_token_details.reasoning", "outputTokenDetails.reasoningTokens", "reasoningTokens",
		"output_reasoning", "thoughtsTokenCount", "thoughts", "reasoning",
	}
	totalNames = []string{"total_tokens", "totalTokenCount", "totalTokens", "total"}
	// besideNames are those of APIs whose input excludes cached tokens.
	besideNames = []string{"cache_read_input_tokens", "cache_creation_input_tokens", "cacheReadInputTokens", "cacheWriteInputTokens", "cache", "cacheReads", "cacheWrites"}
	// sumNames say that the input includes it all the same.
	sumNames = []string{"prompt_tokens", "apiProtocol"}
)

// usageOf reads the token counts of a call; nil if there are none. Input is the count of everything
// that was sent, although some providers count cached tokens separately: the total says which, or
// the names, or that more is cached than was sent. The conventions of OpenTelemetry include them
// under the names that Anthropic uses for what it excludes.
func usageOf(format, text string) *engine.Usage {
	if text == "" {
		return nil
	}
	s := canonjson.Borrow(text)
	defer s.Return()
	in, err := readFigures(s)
	if err != nil {
		return nil
	}
	session := int64(0)
	if total := in.get("total_token_usage"); total != nil && total.isObject { // of Codex, which sums the calls
		session = counts(format, total.in).Input
		last := in.get("last_token_usage")
		if in = nil; last != nil && last.isObject {
			in = last.in
		}
	}
	u := counts(format, in)
	u.Session = session
	if list := in.get("iterations"); list != nil && !list.isObject && len(list.in) > 1 {
		for _, x := range list.in {
			u.Iterations = append(u.Iterations, counts(format, x.in).Input)
		}
	}
	return u
}

func counts(format string, in figures) *engine.Usage {
	u := &engine.Usage{
		Input: countIn(in, inputNames...), Output: countIn(in, outputNames...), CacheRead: countIn(in, readNames...), CacheWrite: countIn(in, writeNames...),
	}
	// Gemini counts its thoughts, and what its own tools read, separately; opencode its reasoning.
	u.Output += countIn(in, "thoughtsTokenCount", "thoughts", "reasoning")
	u.Input += countIn(in, "toolUsePromptTokenCount", "tool")
	u.Input += countIn(in, "tokens.cached") // Cline has what its cache read and wrote in one
	if u.CacheWrite == 0 {
		u.CacheWrite = countIn(in, "cache_creation.ephemeral_5m_input_tokens") + countIn(in, hourNames...)
	}
	u.CacheWrite1h = min(countIn(in, hourNames...), u.CacheWrite)
	cached := u.CacheRead + u.CacheWrite
	beside := false
	switch total := countIn(in, totalNames...); {
	case total == u.Input+u.Output: // all of it
	case total == u.Input+u.Output+cached:
		beside = true
	case total > 0 && total == u.Input+u.Output+cached+countIn(in, "output_reasoning"): // Langfuse takes the details out
		u.Output += countIn(in, "output_reasoning")
		beside = true
	case format != "otel":
		has := func(name string) bool { return in.get(name) != nil }
		beside = slices.ContainsFunc(besideNames, has) && !slices.ContainsFunc(sumNames, has)
	}
	if beside || cached > u.Input {
		u.Input += cached
	}
	// Instrumentations leave out what they do not count.
	_, isCounted := lookUp(in, readNames)
	u.CacheUnknown = format == "otel" && cached == 0 && !isCounted
	u.Thoughts = min(countIn(in, thoughtNames...), u.Output)
	return u
}

// countIn returns the number under the first of the names that exists, or 0. A name may be a path
// into an object. It ignores numbers that are negative or too large for a count.
func countIn(in figures, names ...string) int64 {
	n, _ := lookUp(in, names)
	return n
}

// lookUp is like countIn, and reports whether there is a number.
func lookUp(in figures, names []string) (n int64, ok bool) {
	for _, name := range names {
		f := in.get(name)
		if f == nil {
			if outer, inner, found := strings.Cut(name, "."); found {
				if f = in.get(outer); f != nil {
					f = f.in.get(inner)
				}
			}
		}
		if f != nil && f.n >= 0 {
			return f.n, true
		}
	}
	return 0, false
}

// figures are the members of an object, or the elements of a list. They are few, so a search is
// faster than a map.
type figures []figure

type figure struct {
	name     string
	n        int64   // -1 if it is not a count
	in       figures // of an object or a list
	isObject bool
}

// get returns the figure with a name, or nil.
func (in figures) get(name string) *figure {
	for i := range in {
		if in[i].name == name {
			return &in[i]
		}
	}
	return nil
}

// readFigures reads an object.
func readFigures(s *canonjson.Scanner) (out figures, err error) {
	const few = 8 // most have fewer members
	out = make(figures, 0, few)
	err = s.Object(func(name string, _ int) error {
		f, err := readFigure(s)
		f.name = name
		out = append(out, f)
		return err
	})
	return out, err
}

func readFigure(s *canonjson.Scanner) (f figure, err error) {
	f.n = -1
	switch s.Peek() {
	case '{':
		f.isObject = true
		f.in, err = readFigures(s)
	case '[':
		err = s.Array(func(int) error {
			x, err := readFigure(s)
			f.in = append(f.in, x)
			return err
		})
	case '"':
		var text string
		if text, err = s.Text(); err == nil {
			f.n = count(strconv.ParseInt(text, 10, 64))
		}
	default:
		var text string
		if text, err = s.Raw(); err == nil {
			if n, ok := canonjson.Int(text); ok {
				f.n = count(n, nil)
			} else if x, err := strconv.ParseFloat(text, 64); err == nil && x >= 0 && x < mostCount {
				f.n = int64(x)
			}
		}
	}
	return f, err
}

// mostCount is more than any count of tokens.
const mostCount = math.MaxInt32 * 1024

// count returns a number that is a count, and -1 for others.
func count(n int64, err error) int64 {
	if err != nil || n < 0 || n >= mostCount {
		return -1
	}
	return n
}
