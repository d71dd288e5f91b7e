package normal

import "strings"

// billing begins a line that Claude Code puts before its system prompt, with a hash of the request:
// it is for the provider, which does not show it to the model.
const billing = `"x-anthropic-billing-header:`

// textValue returns the normal form of a text.
func textValue(raw string) string {
	if !strings.HasPrefix(raw, billing) {
		return raw
	}
	_, rest, ok := strings.Cut(raw, `\n`)
	if !ok {
		return billing + `"`
	}
	return `"` + rest
}
