// Package agent is a sample whose selectors have mistakes on purpose.
package agent

import "context"

// PactContext is the context that a PACT library gives an agent.
type PactContext interface {
	Select(ctx context.Context, selector string) ([]string, error)
}

// Questions returns what the user asked.
func Questions(ctx context.Context, c PactContext) ([]string, error) {
	return c.Select(ctx, "^seq .mt +question")
}

// Policies returns the rules of the house.
func Policies(ctx context.Context, c PactContext) ([]string, error) {
	return c.Select(ctx, "^sys .block+polcy")
}

// Results returns the results of tools that are about to expire.
func Results(ctx context.Context, c PactContext) ([]string, error) {
	return c.Select(ctx, `d1..d3 .block[kind="tool_result"]`)
}
