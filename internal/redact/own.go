package redact

import (
	"encoding/base64"
	"net/netip"
	"regexp"
	"strings"
)

// ownRules returns the rules that the scanner does not have.
func ownRules() []*rule {
	return []*rule{
		(&rule{kind: "bearer", keywords: []string{"bearer"}, entropy: 3, accept: hasDigit,
			pattern: `(?i)\bbearer[ \t]+([a-z0-9._~+/=-]{8,})`}).prepare(),
		(&rule{kind: "basic", keywords: []string{"basic"}, accept: isBasic,
			pattern: `(?i)\bbasic[ \t]+([a-z0-9+/=_-]{4,})`}).prepare(),
		(&rule{kind: "url-password", keywords: []string{"://"},
			pattern: `(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]{0,100}:([^\s/@"'<>]{1,200})@`}).prepare(),
		(&rule{kind: "email", keywords: []string{"@"}, common: true,
			pattern: `(?i)\b[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.[a-z]{2,24}\b`}).prepare(),
		(&rule{kind: "home-folder", keywords: []string{"/home/", "/users/", `\users\`, `\\users\\`}, common: true,
			pattern: `(?:/home/|/Users/|(?i:[a-z]:/|[a-z]:\\{1,4})(?i:users)[/\\]{1,4})([^\s/\\"'` + "`" + `<>:|?*,;()\[\]{}]{1,64})`}).prepare(),
		// Claude Code names the folder of a project after its path.
		(&rule{kind: "home-folder", keywords: []string{"-home-", "-users-"}, common: true,
			pattern: `\B-(?:home|Users)-([A-Za-z0-9_]{1,64})`}).prepare(),
		(&rule{kind: credential, keywords: paramWords, accept: isParamValue,
			pattern: `(?i)[?&](?:[a-z0-9_.-]{0,40}(?:token|secret|password|passwd|signature|api[-_]?key|credential)|auth|sig|hmac|jwt|pwd|sas|key)=([^&#\s"'` + "`" + `<>\\]{8,})`}).prepare(),
		(&rule{kind: credential, keywords: []string{"cookie"}, accept: hasDigit,
			pattern: `(?i)\bcookie2?["']?[ \t]{0,4}:[ \t]{0,4}["']?([!#$%&*+.^_|~0-9a-z-]{1,64}=[^\s;,"']{6,}(?:; ?[^\s;"'=]+(?:=[^\s;"']*)?){0,16})`}).prepare(),
		(&rule{kind: credential, keywords: []string{"password"}, accept: hasDigit,
			pattern: `(?i)\blogin[ \t]+\S{1,100}\s{1,20}password[ \t]+(\S{4,99})`}).prepare(), // netrc
		(&rule{kind: "password-hash", keywords: []string{"$"}, entropy: 3,
			pattern: `\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|scrypt|argon2(?:id|i|d)|pbkdf2[a-z0-9-]{0,10})\$[./A-Za-z0-9$=,+-]{20,300}`}).prepare(),
		// The scanner misses short keys, and those whose end is not there.
		(&rule{kind: "private-key", keywords: []string{"private key"},
			pattern: `(?i)-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:[^-]+-----END[ A-Z0-9_-]{0,100}KEY(?: BLOCK)?-----|\s*(?:[a-z0-9+/=]{16,}\s*)+)`}).prepare(),
		(&rule{kind: credential, keywords: flagNames, accept: isAssigned,
			pattern: `(?i)(?:^|[\s"'` + "`" + `\[(])-[a-z0-9_-]{0,40}(?:` + strings.Join(flagNames, "|") + `)` + between + value}).prepare(),
		(&rule{kind: credential, keywords: programs, accept: isArgument,
			pattern: `\b(?:(?:mysql|mariadb)[a-z-]{0,12}\b[^\n|;&]{0,300}?\s-p|` +
				`(?:sshpass|docker login|podman login|mongo[a-z]{0,8})\b[^\n|;&]{0,300}?\s-p` + between + `|` +
				`redis-cli\b[^\n|;&]{0,300}?\s-a` + between + `|ldap(?:search|modify|add|delete|whoami|passwd)\b[^\n|;&]{0,300}?\s-w` + between + `)` + value}).prepare(),
	}
}

// paramWords are the ends of the names of parameters of addresses whose values are credentials.
var paramWords = []string{"token=", "secret=", "password=", "passwd=", "signature=", "key=", "credential=", "auth=", "sig=", "hmac=", "jwt=", "pwd=", "sas="}

// flagNames are the ends of flags whose values are credentials.
var flagNames = []string{"-password", "-passwd", "-passphrase", "-secret", "-token", "-api-key", "-api_key", "-apikey", "-secret-key", "-access-key", "-auth-key"}

// programs have flags of one letter whose values are credentials.
var programs = []string{"mysql", "mariadb", "sshpass", "docker login", "podman login", "mongo", "redis-cli", "ldap"}

const (
	// between matches the text between a flag and its value, in commands and in lists of arguments.
	between = `(?:[ \t]+|["'],\s*)`
	// value matches a value that is not a variable or a flag.
	value = `(?:"([^"$\n]{4,99})"|'([^'$\n]{4,99})'|([^\s"'$<>{}()\[\]\\;|&%-][^\s"'<>{}()\[\]\\;|&]{3,99}))`
)

// isArgument reports whether the value of a flag of one letter can be a credential. It rejects
// mappings of ports.
func isArgument(s string) bool {
	return !strings.Contains(s, ":") || strings.Trim(s, "0123456789:") != ""
}

// tokens are the shapes of tokens of services that the scanner does not know, or knows only beside
// the name of the service.
var tokens = []struct{ begin, rest string }{
	// of services that agents use
	{"tvly-", `[A-Za-z0-9-]{20,}`}, {"nvapi-", `[A-Za-z0-9_-]{40,}`}, {"pcsk_", `[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}`}, {"pplx-", `[A-Za-z0-9]{32,}`},
	{"lsv2_", `(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`}, {"fw_", `[A-Za-z0-9]{22,}`}, {"e2b_", `[0-9a-f]{40}`}, {"bb_live_", `[A-Za-z0-9_-]{20,}`}, {"fc-", `[0-9a-f]{32}`},
	// of others
	{"sbp_", `[0-9a-f]{40}`}, {"sb_secret_", `[A-Za-z0-9_-]{22,}`}, {"vercel_blob_rw_", `[A-Za-z0-9]{16}_[A-Za-z0-9]{20,}`}, {"nfp_", `[A-Za-z0-9]{36}`},
	{"rnd_", `[A-Za-z0-9]{28}`}, {"ntn_", `[A-Za-z0-9]{40,}`}, {"figd_", `[A-Za-z0-9_-]{40}`}, {"phx_", `[A-Za-z0-9_]{40,}`}, {"dckr_", `[op]at_[A-Za-z0-9_-]{20,}`},
	{"sntry", `[su]_[A-Za-z0-9+/=_-]{40,}`}, {"ATBB", `[A-Za-z0-9_=.-]{24,}`}, {"NRAK-", `[A-Z0-9]{27}`}, {"whsec_", `[A-Za-z0-9+/=]{24,}`}, {"key-", `[0-9a-f]{32}`},
	{"re_", `[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}`}, {"access-", `(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`},
	{"pat", `[A-Za-z0-9]{14}\.[0-9a-f]{64}`}, {"", `[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`}, {"", `discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}`},
}

// serviceTokens returns the rule for tokens.
func serviceTokens() *rule {
	r := &rule{kind: serviceToken, keywords: []string{":aa", "discord"}, entropy: 3, accept: hasDigit}
	var shapes []string
	for _, t := range tokens {
		if t.begin != "" {
			r.keywords = append(r.keywords, strings.ToLower(t.begin))
		}
		shapes = append(shapes, t.begin+t.rest)
	}
	r.pattern = `\b(?:` + strings.Join(shapes, "|") + `)`
	return r.prepare()
}

// modelKeys returns the rule for keys of model providers. The scanner knows some, in certain
// lengths.
func modelKeys() *rule {
	return (&rule{kind: modelKey, keywords: []string{"sk-", "xai-", "gsk_", "hf_", "r8_"}, entropy: 3, accept: hasDigit,
		pattern: `(?:^|[^A-Za-z0-9_.-])((?:sk-|xai-|gsk_|hf_|r8_)[A-Za-z0-9_-]{20,})`}).prepare()
}

// assignments returns the rule for values that are assigned to names of credentials in text that is
// not JSON.
func assignments() *rule {
	return (&rule{kind: credential, keywords: []string{"passw", "passphrase", "secret", "_auth"}, accept: isAssigned,
		pattern: `(?i)(?:password|passwd|passphrase|secret(?:[_-]?key)?|_auth(?:token)?)["']?[ \t]{0,4}[:=][ \t]{0,4}(?:"([^"\s]{8,99})"|'([^'\s]{8,99})'|["']?([^\s"'` + "`" + `,;$<>{}()\[\]\\%*]{5,99}[^\s"'` + "`" + `,;$<>{}()\[\]\\%*:.!?])[:.!?]*(?:[\s"',;]|$))`}).prepare()
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// isAssigned reports whether a value that is assigned to the name of a credential can be one. It
// rejects types and expressions.
func isAssigned(s string) bool {
	return hasDigit(s) && !strings.HasPrefix(s, "int") && !strings.HasPrefix(s, "uint") && s[0] != '=' && !strings.Contains(s, "://") && !isTemplate(s)
}

// isParamValue reports whether the value of a parameter of an address that is named like a
// credential can be one. It rejects words, numbers and dates.
func isParamValue(s string) bool {
	return hasDigit(s) && strings.ContainsFunc(s, func(c rune) bool { return c > '9' }) && entropyOf(s) >= 2.5 && !isTemplate(s)
}

// isBasic reports whether a text is the base64 of a name and a password.
func isBasic(s string) bool {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && strings.Contains(string(text), ":")
}

// findIPs calls found with the positions of IP addresses, without those of this machine itself.
func findIPs(text string, found func(start, end int)) {
	part := func(c byte) bool {
		return c == '.' || c == ':' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
	}
	for i := 0; i < len(text); {
		next := strings.IndexAny(text[i:], ".:")
		if next < 0 {
			return
		}
		at := i + next
		start, end := at, at
		for start > i && part(text[start-1]) {
			start--
		}
		for end < len(text) && part(text[end]) {
			end++
		}
		if i = end; end-start >= 4 && end-start < 200 && (start == 0 || !isWord(text[start-1])) && (end == len(text) || !isWord(text[end])) {
			findIP(text, start, end, found)
		}
	}
}

func isWord(c byte) bool { return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

var port = regexp.MustCompile(`^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$`)

// findIP is findIPs for a run of the characters of addresses.
func findIP(text string, start, end int, found func(start, end int)) {
	for end > start && (text[end-1] == '.' || text[end-1] == ':' && !strings.HasSuffix(text[start:end], "::")) {
		end--
	}
	if m := port.FindStringSubmatchIndex(text[start:end]); m != nil {
		end = start + m[3]
	}
	for start < end && text[start] == '.' {
		start++
	}
	// A word before :: is a name in a program.
	first, _, isV6 := strings.Cut(text[start:end], ":")
	if isV6 && !hasDigit(first) {
		return
	}
	if a, err := netip.ParseAddr(text[start:end]); err == nil && !a.IsLoopback() && !a.IsUnspecified() {
		found(start, end)
	}
}
