package config

import "github.com/pactkit/pactkit/internal/redact"

// Redact returns the options in the table [redact].
func (c *Config) Redact() redact.Options {
	return redact.Options{Patterns: c.list("redact.patterns"), Names: c.list("redact.names"), Allow: c.list("redact.allow"), Off: c.list("redact.off")}
}
