package prices_test

import (
	"testing"

	"github.com/pactkit/pactkit/internal/prices"
)

// TestOf finds the prices of models by the beginnings of their names.
func TestOf(t *testing.T) {
	table := prices.Table{
		"gpt-4o": {Input: 1}, "gpt-4o-mini": {Input: 2}, "claude-sonnet-4": {Input: 3}, "azure/gpt-4o": {Input: 4}, "llama3.1": {Input: 5},
	}
	for model, want := range map[string]float64{
		"gpt-4o": 1, "gpt-4o-2024-08-06": 1, "gpt-4o-mini-2024-07-18": 2, "openai/gpt-4o": 1, "azure/gpt-4o": 4, "azure/gpt-4o-mini": 2,
		"claude-sonnet-4-20250514": 3, "anthropic/claude-sonnet-4@20250514": 3, "llama3.1:8b": 5, "a/b/llama3.1": 5,
		"gpt-4ofoo": 0, "gpt-4": 0, "": 0, "/": 0, "claude-sonnet": 0,
	} {
		p, ok := table.Of(model)
		if p.Input != want || ok != (want > 0) {
			t.Errorf("%q costs %v, %v; want %v", model, p.Input, ok, want)
		}
	}
}
