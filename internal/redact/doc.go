// Package redact finds secrets and addresses in texts and replaces them with placeholders.
//
// The rules for keys and tokens are those of gitleaks, a known scanner; the file with them says of
// which release. The package adds what a scanner of source code does not look for: passwords in
// addresses, members that are credentials, and e-mail addresses, IP addresses and home folders.
package redact
