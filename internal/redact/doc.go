// Package redact finds secrets and addresses in texts and replaces them with placeholders.
//
// The rules for keys and tokens are those of gitleaks, a scanner for source code; the head of
// gitleaks/gitleaks.toml names the release. The package adds rules for passwords in URLs, members
// that are credentials by their names, e-mail addresses, IP addresses and home folders.
package redact
