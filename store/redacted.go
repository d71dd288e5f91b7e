package store

// Redacted returns an address for messages: without passwords.
func Redacted(address string) string { return redacted(address) }
