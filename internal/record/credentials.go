package record

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/redact"
)

// keptHeaders are the headers that are recorded. They never hold credentials. A name that ends with
// a hyphen is a prefix of names.
var keptHeaders = strings.Fields(`content-type content-encoding user-agent anthropic-version anthropic-beta openai-beta openai-version
	openai-processing-ms x-stainless-retry-count x-stainless-lang x-stainless-package-version x-stainless-runtime x-should-retry
	retry-after retry-after-ms request-id x-request-id x-goog-request-id x-amzn-requestid apim-request-id x-ms-request-id cf-ray
	x-claude-code-session-id x-session-id session-id session_id conversation-id conversation_id thread-id thread_id
	x-conversation-id x-codex-inference-call-id x-codex-turn-id x-opencode-session x-opencode-request x-app originator version
	x-goog-api-client x-client-request-id anthropic-ratelimit- x-ratelimit- x-parent-session-id`)

// isKept reports whether a header is recorded.
func isKept(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(keptHeaders, func(k string) bool { return name == k || strings.HasSuffix(k, "-") && strings.HasPrefix(name, k) })
}

// secretHeaders are the headers that hold credentials. Their values are replaced in texts, too.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie", "Set-Cookie",
	"X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-Auth-Token", "X-Access-Token", "Cf-Aig-Authorization", "Helicone-Auth"}

// contents are the members that hold what a model reads or writes, or its schema. Their values are
// recorded as they are.
var contents = strings.Fields(`messages contents input system instructions systemInstruction system_instruction prompt content choices
	candidates output delta item part parts text arguments partial_json parameters input_schema inputSchema parametersJsonSchema
	properties schema json_schema responseSchema response_schema responseJsonSchema description thinking signature encrypted_content
	refusal logprobs content_block`)

// shapes matches credentials in any text, besides those that package redact finds: keys of
// providers, tokens of code hosts, JSON Web Tokens, the words after Bearer and Basic, passwords in
// URLs, and the values of parameters of URLs that are named like credentials. Where a group
// matches, it is the credential. The rules of package redact pass over examples and repeated
// characters, because they are for the texts of messages. Here everything that looks like a
// credential is replaced.
var shapes = regexp.MustCompile(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}|\bxai-[A-Za-z0-9]{16,}|\bgsk_[A-Za-z0-9]{16,}|\bAIza[A-Za-z0-9_-]{30,}` +
	`|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}|\bhf_[A-Za-z0-9]{16,}|\br8_[A-Za-z0-9]{16,}` +
	`|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bya29\.[A-Za-z0-9_.-]{16,}|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{20,}` +
	`|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?` +
	`|(?i:\b(?:bearer|basic|token)\s+)([A-Za-z0-9_\-.~+/=]{12,})|://([^/\s@"'?#]+)@` +
	`|(?i:[?&](?:api[-_]?key|key|(?:[a-z]+[-_])*token|sig|signature|secret|password|auth|code|x-amz-(?:signature|credential|security-token))=)([^&#\s"']+)`)

// shortest is the length of the shortest credential from a header that is replaced in texts.
const shortest = 8

// scrubber replaces credentials by placeholders.
type scrubber struct {
	numbers map[sum]int // numbers of the credentials that were replaced
	known   []string    // credentials that were seen in headers
	count   int         // number of replacements since the last call of counted
}

// placeholder returns the placeholder of a credential. Empty texts and placeholders stay as they
// are.
func (s *scrubber) placeholder(secret string) string {
	if s.numbers == nil {
		s.numbers = map[sum]int{}
	}
	if strings.HasPrefix(secret, "<credential ") || secret == "" {
		return secret
	}
	s.count++
	key := sumOf(secret)
	if s.numbers[key] == 0 {
		s.numbers[key] = len(s.numbers) + 1
	}
	return fmt.Sprintf("<credential %d>", s.numbers[key])
}

// counted returns the number of replacements since it was last called.
func (s *scrubber) counted() int {
	n := s.count
	s.count = 0
	return n
}

// learn remembers the credentials in headers.
func (s *scrubber) learn(h http.Header) {
	for _, name := range secretHeaders {
		for _, v := range h.Values(name) {
			if strings.HasSuffix(name, "ookie") {
				for pair := range strings.SplitSeq(v, ";") {
					_, value, _ := strings.Cut(pair, "=")
					s.know(value)
				}
				continue
			}
			if kind, rest, ok := strings.Cut(v, " "); ok && len(kind) < shortest {
				v = rest
			}
			s.know(v)
		}
	}
}

// know remembers a credential, unless it is too short or there are too many.
func (s *scrubber) know(secret string) {
	if secret = strings.TrimSpace(secret); len(secret) >= shortest && !slices.Contains(s.known, secret) && len(s.known) < 1000 {
		s.known = append(s.known, secret)
	}
}

// headers returns the headers that are recorded.
func (s *scrubber) headers(h http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range h {
		if isKept(name) {
			out[strings.ToLower(name)] = s.text(strings.Join(values, ", "))
		}
	}
	return out
}

// finds reports whether a text has a credential.
func (s *scrubber) finds(text string) bool {
	return shapes.MatchString(text) || redact.Credentials(text) != nil || slices.ContainsFunc(s.known, func(secret string) bool { return strings.Contains(text, secret) })
}

// text replaces the known credentials in a text, and the parts that have the shape of a credential.
func (s *scrubber) text(text string) string {
	for _, secret := range s.known {
		if strings.Contains(text, secret) {
			text = strings.ReplaceAll(text, secret, s.placeholder(secret))
		}
	}
	var found []span
	for _, m := range shapes.FindAllStringSubmatchIndex(text, -1) {
		at := span{m[0], m[1]}
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				at = span{m[i], m[i+1]}
			}
		}
		found = append(found, at)
	}
	for _, at := range redact.Credentials(text) {
		found = append(found, span{at[0], at[1]})
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var changes []change
	for i := 0; i < len(found); {
		at := found[i]
		for i++; i < len(found) && found[i].from < at.to; i++ {
			at.to = max(at.to, found[i].to)
		}
		changes = append(changes, change{at, s.placeholder(at.of(text))})
	}
	return apply(text, changes)
}

// address returns a URL without credentials, user and fragment.
func (s *scrubber) address(u *url.URL) string {
	v := *u
	v.User, v.Fragment = nil, ""
	text := v.String()
	address, query, ok := strings.Cut(text, "?")
	text = s.text(address)
	if !ok {
		return text
	}
	var params []string
	for p := range strings.SplitSeq(query, "&") {
		name, value, has := strings.Cut(p, "=")
		plain, err := url.QueryUnescape(name)
		isSecret := has && (err != nil || redact.IsParam(plain))
		if plain, err := url.QueryUnescape(value); isSecret || err == nil && s.finds(plain) {
			p = name + "=" + s.placeholder(value)
		}
		params = append(params, p)
	}
	return text + "?" + strings.Join(params, "&")
}

// command returns the arguments of a command without credentials.
func (s *scrubber) command(args []string) []string {
	out := make([]string, len(args))
	after := false // the argument before is a flag whose value is a credential
	for i, arg := range args {
		name, value, has := strings.Cut(arg, "=")
		switch {
		case after && !strings.HasPrefix(arg, "-"):
			out[i] = s.placeholder(arg)
		case has && redact.IsSetting(strings.Trim(name, "- ")):
			out[i] = name + "=" + s.placeholder(value)
		default:
			out[i] = s.text(arg)
		}
		after = !has && strings.HasPrefix(arg, "-") && redact.IsSetting(strings.TrimLeft(arg, "-"))
	}
	return out
}

// body returns a JSON text without credentials. It keeps what a model reads or writes.
func (s *scrubber) body(text string) string {
	i := space(text, 0)
	return apply(text, s.value(nil, text, span{i, len(text)}, false))
}

// value appends the changes that remove the credentials from the value at a span of a text. If all
// is set, every string in the value is a credential.
func (s *scrubber) value(changes []change, text string, at span, all bool) []change {
	switch text[at.from] {
	case '"':
		was := canonjson.Unquote(text[at.from:stringEnd(text, at.from)])
		replace := s.text
		if all {
			replace = s.placeholder
		}
		now := replace(was)
		if now != was {
			changes = append(changes, change{span{at.from, stringEnd(text, at.from)}, string(canonjson.AppendString(nil, now))})
		}
	case '[':
		if !all && isStrings(text, at) {
			return s.arguments(changes, text, at)
		}
		for e := range elements(text, at.from) {
			changes = s.value(changes, text, e, all)
		}
	case '{':
		for name, v := range members(text, at.from) {
			switch {
			case slices.Contains(contents, name):
			case strings.HasSuffix(strings.ToLower(name), "headers"):
				changes = s.headersIn(changes, text, v)
			default:
				changes = s.value(changes, text, v, all || redact.IsSetting(name))
			}
		}
	}
	return changes
}

// isStrings reports whether a list has only strings.
func isStrings(text string, at span) bool {
	for e := range elements(text, at.from) {
		if text[e.from] != '"' {
			return false
		}
	}
	return true
}

// arguments appends the changes of a list of strings, which may be the arguments of a command, such
// as that of a server of tools.
func (s *scrubber) arguments(changes []change, text string, at span) []change {
	var was []string
	for e := range elements(text, at.from) {
		was = append(was, canonjson.Unquote(e.of(text)))
	}
	now, i := s.command(was), 0
	for e := range elements(text, at.from) {
		if now[i] != was[i] {
			changes = append(changes, change{e, string(canonjson.AppendString(nil, now[i]))})
		}
		i++
	}
	return changes
}

// headersIn appends the changes of a member that holds headers. Only the headers that are recorded
// keep their values.
func (s *scrubber) headersIn(changes []change, text string, at span) []change {
	if text[at.from] != '{' {
		return s.value(changes, text, at, true)
	}
	for name, v := range members(text, at.from) {
		changes = s.value(changes, text, v, !isKept(name))
	}
	return changes
}

// stream returns the text of a stream without credentials. Events that are JSON keep what a model
// writes.
func (s *scrubber) stream(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		start := 0
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			start = len(line) - len(strings.TrimLeft(rest, " "))
		}
		end := len(strings.TrimRight(line, "\r\n"))
		data := line[min(start, end):end]
		switch {
		case data == "":
		case (data[0] == '{' || data[0] == '[') && isJSON(data):
			lines[i] = line[:start] + s.body(data) + line[end:]
		default:
			lines[i] = s.text(line)
		}
	}
	return strings.Join(lines, "")
}

// Scrubber replaces credentials in texts other than requests and answers. A credential always gets
// the same placeholder. The zero value is ready to use; it must not be used concurrently.
type Scrubber struct{ scrubber scrubber }

// Text returns a text in which everything that has the shape of a credential is replaced.
func (s *Scrubber) Text(text string) string { return s.scrubber.text(text) }

// Secret returns the placeholder of a credential.
func (s *Scrubber) Secret(text string) string { return s.scrubber.placeholder(text) }

// Header returns the value of a header, or a placeholder if the header may hold a credential.
func (s *Scrubber) Header(name, value string) string {
	if isKept(name) {
		return s.scrubber.text(value)
	}
	return s.scrubber.placeholder(value)
}
