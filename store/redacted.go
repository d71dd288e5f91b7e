package store

// Redacted returns an address without passwords, for messages.
func Redacted(address string) string { return redacted(address) }
