package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// TestUsage reads token counts in the shapes of providers, gateways and instrumentations.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		name, format, text string
		want               *engine.Usage
	}{
		{"Anthropic", "anthropic", `{"input_tokens":5,"output_tokens":7,"cache_read_input_tokens":100,"cache_creation_input_tokens":20}`, &engine.Usage{Input: 125, Output: 7, CacheRead: 100, CacheWrite: 20}},
		{"Anthropic, the cache by lifetime", "anthropic", `{"input_tokens":50,"output_tokens":7,"cache_read_input_tokens":10,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4}}`, &engine.Usage{Input: 67, Output: 7, CacheRead: 10, CacheWrite: 7, CacheWrite1h: 4}},
		{"Anthropic, several requests", "anthropic", `{"input_tokens":900,"output_tokens":7,"iterations":[{"type":"message","input_tokens":300,"cache_read_input_tokens":50},{"type":"compaction","input_tokens":600}]}`, &engine.Usage{Input: 900, Output: 7, Iterations: []int64{350, 600}}},
		{"Anthropic, one request", "anthropic", `{"input_tokens":900,"output_tokens":7,"iterations":[{"type":"message","input_tokens":900}]}`, &engine.Usage{Input: 900, Output: 7}},
		{"OpenAI chat", "openai", `{"prompt_tokens":1300,"completion_tokens":10,"total_tokens":1310,"prompt_tokens_details":{"cached_tokens":1200}}`, &engine.Usage{Input: 1300, Output: 10, CacheRead: 1200}},
		{"a gateway with both names", "openai", `{"prompt_tokens":1300,"completion_tokens":10,"cache_read_input_tokens":1200,"cache_creation_input_tokens":50}`, &engine.Usage{Input: 1300, Output: 10, CacheRead: 1200, CacheWrite: 50}},
		{"Responses", "openai-responses", `{"input_tokens":40,"output_tokens":9,"input_tokens_details":{"cached_tokens":30},"output_tokens_details":{"reasoning_tokens":8}}`, &engine.Usage{Input: 40, Output: 9, CacheRead: 30, Thoughts: 8}},
		{"DeepSeek", "openai", `{"prompt_tokens":40,"completion_tokens":9,"prompt_cache_hit_tokens":30,"prompt_cache_miss_tokens":10}`, &engine.Usage{Input: 40, Output: 9, CacheRead: 30}},
		{"Gemini", "gemini", `{"promptTokenCount":40,"candidatesTokenCount":9,"thoughtsTokenCount":100,"cachedContentTokenCount":30,"totalTokenCount":149}`, &engine.Usage{Input: 40, Output: 109, CacheRead: 30, Thoughts: 100}},
		{"Bedrock", "", `{"inputTokens":4,"outputTokens":9,"cacheReadInputTokens":2,"cacheWriteInputTokens":1,"totalTokens":16}`, &engine.Usage{Input: 7, Output: 9, CacheRead: 2, CacheWrite: 1}},
		{"Vercel", "", `{"inputTokens":40,"outputTokens":9,"cachedInputTokens":30,"totalTokens":49}`, &engine.Usage{Input: 40, Output: 9, CacheRead: 30}},
		{"Ollama", "", `{"prompt_eval_count":40,"eval_count":9}`, &engine.Usage{Input: 40, Output: 9}},
		{"Cohere", "", `{"billed_units":{"input_tokens":3,"output_tokens":2},"tokens":{"input_tokens":66,"output_tokens":5},"cached_tokens":48}`, &engine.Usage{Input: 66, Output: 5, CacheRead: 48}},
		{"Inspect", "inspect", `{"input_tokens":4,"output_tokens":9,"total_tokens":43,"input_tokens_cache_read":30}`, &engine.Usage{Input: 34, Output: 9, CacheRead: 30}},
		{"OpenTelemetry, included", "otel", `{"input_tokens":"130213","output_tokens":"42","cache_read_input_tokens":"128955","cache_creation_input_tokens":"1253"}`, &engine.Usage{Input: 130213, Output: 42, CacheRead: 128955, CacheWrite: 1253}},
		{"OpenTelemetry, beside", "otel", `{"input_tokens":"5","output_tokens":"42","cache_read.input_tokens":"128955","cache_creation.input_tokens":"1253"}`, &engine.Usage{Input: 130213, Output: 42, CacheRead: 128955, CacheWrite: 1253}},
		{"OpenTelemetry, new names", "otel", `{"input_tokens":1300,"output_tokens":42,"cache_read.input_tokens":0,"cache_write.input_tokens":1253}`, &engine.Usage{Input: 1300, Output: 42, CacheWrite: 1253}},
		{"LangChain", "", `{"input_tokens":100,"output_tokens":5,"total_tokens":105,"input_token_details":{"cache_read":60,"cache_creation":30}}`, &engine.Usage{Input: 100, Output: 5, CacheRead: 60, CacheWrite: 30}},
		{"Pydantic AI", "", `{"input_tokens":100,"output_tokens":5,"cache_read_tokens":60,"cache_write_tokens":30}`, &engine.Usage{Input: 100, Output: 5, CacheRead: 60, CacheWrite: 30}},
		{"Vercel, with details", "", `{"inputTokens":100,"outputTokens":5,"inputTokenDetails":{"cacheReadTokens":60,"cacheWriteTokens":30}}`, &engine.Usage{Input: 100, Output: 5, CacheRead: 60, CacheWrite: 30}},
		{"DashScope", "", `{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":60,"cache_creation_input_tokens":30}}`, &engine.Usage{Input: 100, Output: 5, CacheRead: 60, CacheWrite: 30}},
		{"a log of Bedrock", "", `{"inputTokenCount":10,"outputTokenCount":5,"cacheReadInputTokenCount":60,"cacheWriteInputTokenCount":30}`, &engine.Usage{Input: 100, Output: 5, CacheRead: 60, CacheWrite: 30}},
		{"Codex", "", `{"last_token_usage":{"input_tokens":1300,"cached_input_tokens":1200,"output_tokens":10,"total_tokens":1310},"total_token_usage":{"input_tokens":2300,"cached_input_tokens":1200,"output_tokens":20,"total_tokens":2320}}`, &engine.Usage{Input: 1300, Output: 10, CacheRead: 1200, Session: 2300}},
		{"Gemini CLI", "gemini", `{"input":1100,"output":7,"cached":900,"thoughts":5,"tool":10,"total":1122}`, &engine.Usage{Input: 1110, Output: 12, CacheRead: 900, Thoughts: 5}},
		{"opencode", "openai", `{"input":100,"output":25,"reasoning":5,"cache":{"read":6000,"write":10},"total":6140}`, &engine.Usage{Input: 6110, Output: 30, CacheRead: 6000, CacheWrite: 10, Thoughts: 5}},
		{"opencode, without a total", "openai", `{"input":100,"output":25,"reasoning":5,"cache":{"read":60,"write":0}}`, &engine.Usage{Input: 160, Output: 30, CacheRead: 60, Thoughts: 5}},
		{"only the cache", "", `{"cache_read_input_tokens":5}`, &engine.Usage{Input: 5, CacheRead: 5}},
		{"not counts", "", `{"input_tokens":-4,"output_tokens":1e300,"total_tokens":"many"}`, &engine.Usage{}},
		{"no object", "", `[]`, nil},
		{"nothing", "", ``, nil},
	} {
		if diff := cmp.Diff(c.want, usageOf(c.format, c.text)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}
