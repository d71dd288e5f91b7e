package record

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/redact"
)

// keptHeaders are the headers that are recorded. A name that ends with a hyphen stands for those
// that begin like it. None of them has a credential.
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

// secretHeaders are the headers whose values are credentials wherever else they are found.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie", "Set-Cookie",
	"X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-Auth-Token", "X-Access-Token", "Cf-Aig-Authorization", "Helicone-Auth"}

// contents are the members whose values are what a model reads or writes, or describe that. They
// are recorded as they are.
var contents = strings.Fields(`messages contents input system instructions systemInstruction system_instruction prompt content choices
	candidates output delta item part parts text arguments partial_json parameters input_schema inputSchema parametersJsonSchema
	properties schema json_schema responseSchema response_schema responseJsonSchema description thinking signature encrypted_content
	refusal logprobs content_block`)

// shapes are texts that are credentials wherever they stand: the keys of providers, tokens of
// hosts of code, JSON web tokens, what follows Bearer and Basic, passwords in addresses, and
// parameters of addresses that are named like credentials.
var shapes = regexp.MustCompile(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}|\bxai-[A-Za-z0-9]{16,}|\bgsk_[A-Za-z0-9]{16,}|\bAIza[A-Za-z0-9_-]{30,}` +
	`|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}|\bhf_[A-Za-z0-9]{16,}|\br8_[A-Za-z0-9]{16,}` +
	`|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bya29\.[A-Za-z0-9_.-]{16,}|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{20,}` +
	`|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?` +
	`|(?i:\b(?:bearer|basic|token)\s+)([A-Za-z0-9_\-.~+/=]{12,})|://([^/\s@"'?#]+)@` +
	`|(?i:[?&](?:api[-_]?key|key|(?:[a-z]+[-_])*token|sig|signature|secret|password|auth|code|x-amz-(?:signature|credential|security-token))=)([^&#\s"']+)`)

// shortest is the length from which a known credential is replaced wherever it stands.
const shortest = 8

// scrubber replaces credentials by placeholders.
type scrubber struct {
	numbers map[sum]int
	known   []string // credentials that were seen in headers
	count   int      // replaced since the last call of counted
}

// placeholder returns what stands for a credential.
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

// counted returns how many credentials were replaced since it was called last.
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

// text replaces the known credentials in a text, and what has the shape of one.
func (s *scrubber) text(text string) string {
	for _, secret := range s.known {
		if strings.Contains(text, secret) {
			text = strings.ReplaceAll(text, secret, s.placeholder(secret))
		}
	}
	found := shapes.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	var changes []change
	for _, m := range found {
		at := span{m[0], m[1]}
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				at = span{m[i], m[i+1]}
			}
		}
		changes = append(changes, change{at, s.placeholder(at.of(text))})
	}
	return apply(text, changes)
}

// address returns an address without credentials.
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
		if plain, err := url.QueryUnescape(name); has && (err != nil || redact.IsParam(plain)) {
			p = name + "=" + s.placeholder(value)
		} else if plain, err := url.QueryUnescape(value); err == nil && s.text(plain) != plain {
			p = name + "=" + s.placeholder(value)
		}
		params = append(params, p)
	}
	return text + "?" + strings.Join(params, "&")
}

// command returns the arguments of a command without credentials.
func (s *scrubber) command(args []string) []string {
	out := make([]string, len(args))
	after := false // a flag whose value is a credential
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

// body returns a JSON text without the credentials in it. What a model reads or writes stays.
func (s *scrubber) body(text string) string {
	i := space(text, 0)
	return apply(text, s.value(nil, text, span{i, len(text)}, false))
}

// value appends the changes of a value. If all is set, every string in it is a credential.
func (s *scrubber) value(changes []change, text string, at span, all bool) []change {
	switch text[at.from] {
	case '"':
		was := canonjson.Unquote(text[at.from:stringEnd(text, at.from)])
		now := ""
		if all {
			now = s.placeholder(was)
		} else {
			now = s.text(was)
		}
		if now != was {
			changes = append(changes, change{span{at.from, stringEnd(text, at.from)}, string(canonjson.AppendString(nil, now))})
		}
	case '[':
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

// headersIn appends the changes of a member with headers: all values but those that are recorded.
func (s *scrubber) headersIn(changes []change, text string, at span) []change {
	if text[at.from] != '{' {
		return s.value(changes, text, at, true)
	}
	for name, v := range members(text, at.from) {
		changes = s.value(changes, text, v, !isKept(name))
	}
	return changes
}

// stream returns the text of a stream without the credentials in it.
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

// Scrubber replaces credentials in texts that are not requests or answers. The same credential gets
// the same placeholder. The zero value is ready to use; it must not be used concurrently.
type Scrubber struct{ scrubber scrubber }

// Text returns a text without what has the shape of a credential.
func (s *Scrubber) Text(text string) string { return s.scrubber.text(text) }

// Secret returns what stands for a credential.
func (s *Scrubber) Secret(text string) string { return s.scrubber.placeholder(text) }

// Header returns the value of a header, or what stands for it if it may be a credential.
func (s *Scrubber) Header(name, value string) string {
	if isKept(name) {
		return s.scrubber.text(value)
	}
	return s.scrubber.placeholder(value)
}
