package redact

import (
	"strings"
	"testing"
)

// TestProviderKeys finds keys of providers of models that the scanner does not know, or knows in
// one length only.
func TestProviderKeys(t *testing.T) {
	body := "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
	for _, prefix := range []string{"sk-", "sk-ant-", "sk-ant-api03-", "sk-proj-", "sk-or-v1-", "xai-", "gsk_", "hf_", "r8_"} {
		key := prefix + body
		for _, text := range []string{key, "export KEY=" + key + "\n", `{"a":"` + key + `"}`, "(" + key + ")."} {
			if got := redactor(t, Options{}).Text(text); strings.Contains(got, body) {
				t.Errorf("%q is still there: %q", key, got)
			}
		}
	}
	for _, text := range []string{"task-force-one-two-three-four", "sk-learn-contrib-something-else", "risk-2024-assessment-of-plans", ".sk-circle-fade-animation-12"} {
		if got := redactor(t, Options{}).Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
