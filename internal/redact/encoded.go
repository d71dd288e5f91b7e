package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// findUnescaped decodes the escapes of a text, and returns what the rules find then: the escapes of
// strings in programs and JSON, and those of URLs.
func (r *Redactor) findUnescaped(before, text string) (out []span) {
	for _, decode := range [...]func(string) (string, []int){unescapeString, unescapeURL} {
		plain, at := decode(text)
		if at == nil {
			continue
		}
		for _, s := range r.match(before, plain) {
			s.start, s.end = at[s.start], at[s.end]
			out = append(out, s)
		}
	}
	return out
}

// unescapeString decodes the escape sequences of string literals. For each byte of the result, and
// for its end, it also returns the offset in text. If text contains no escape sequence, the offsets
// are nil.
func unescapeString(text string) (string, []int) {
	if !strings.Contains(text, "\\") {
		return text, nil
	}
	out, at := make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		c, n := text[i], 1
		if c == '\\' && i+1 < len(text) {
			if short := strings.IndexByte(`nrtbf`, text[i+1]); short >= 0 {
				c, n = "\n\r\t\b\f"[short], 2
			} else if strings.IndexByte(`"'\/`, text[i+1]) >= 0 {
				c, n = text[i+1], 2
			} else if text[i+1] == 'u' {
				v, size := canonjson.EscapedRune(text[i:])
				from := len(out)
				out = utf8.AppendRune(out, v)
				at = append(at, slices.Repeat([]int{i}, len(out)-from)...)
				i += size
				continue
			}
		}
		out, at = append(out, c), append(at, i)
		i += n
	}
	return string(out), append(at, len(text))
}

// unescapeURL decodes the escapes of URLs, as unescapeString does those of strings.
func unescapeURL(text string) (string, []int) {
	if !strings.Contains(text, "%") {
		return text, nil
	}
	out, at, found := make([]byte, 0, len(text)), make([]int, 0, len(text)+1), false
	for i := 0; i < len(text); {
		c, n := text[i], 1
		if c == '%' && i+2 < len(text) {
			if v, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				c, n, found = byte(v), 3, true
			}
		}
		out, at = append(out, c), append(at, i)
		i += n
	}
	if !found {
		return text, nil
	}
	return string(out), append(at, len(text))
}

// leastLine is the length from which a line may be broken only because it is long.
const leastLine = 60

// findBroken returns the tokens that line breaks divide, as terminals and mail do it. found are
// those that are known. A token that ends at a line break is whole, unless its line is long.
func (r *Redactor) findBroken(text string, found []span) (out []span) {
	for i := strings.IndexByte(text, '\n'); i >= 0; {
		start := tokenStart(text, lineEnd(text, i))
		plain, at, end := joinTokens(text, start)
		next := strings.IndexByte(text[max(end, i+1):], '\n')
		if next >= 0 {
			next += max(end, i+1)
		}
		i = next
		if len(plain) < leastEncoded || !hasDigit(plain) {
			continue
		}
		for _, s := range r.match("", plain) {
			s.start, s.end = at[s.start], at[s.end-1]+1
			isBroken := strings.Contains(text[s.start:s.end], "\n")
			isWhole := slices.ContainsFunc(found, func(f span) bool {
				return f.start == s.start && f.end < s.end && text[f.end] <= '\r' && f.end-strings.LastIndexByte(text[:f.end], '\n') <= leastLine
			})
			if isBroken && !isWhole && isToken(s.kind) {
				out = append(out, s)
			}
		}
	}
	return out
}

// isToken reports whether a kind of secrets is known by the shape of the secret alone.
func isToken(kind string) bool {
	return kind == modelKey || kind == serviceToken || kind != generic && slices.ContainsFunc(loadRules(), func(r *rule) bool { return r.kind == kind }) && !slices.Contains(ownKinds(), kind)
}

// lineEnd returns the end of the line whose line feed is at i.
func lineEnd(text string, i int) int {
	if i > 0 && text[i-1] == '\r' {
		i--
	}
	return i
}

func isTokenByte(c byte) bool { return isWord(c) || strings.IndexByte("-.+/=", c) >= 0 }

// tokenStart returns the start of the token that ends at i.
func tokenStart(text string, i int) int {
	for i > 0 && isTokenByte(text[i-1]) {
		i--
	}
	return i
}

// joinTokens returns the token at start without the line breaks in it, the offsets of its bytes,
// and its end.
func joinTokens(text string, start int) (plain string, at []int, end int) {
	var out []byte
	i := start
	for i < len(text) {
		c := text[i]
		switch {
		case isTokenByte(c):
			out, at = append(out, c), append(at, i)
		case c == '\n' || c == '\r' && strings.HasPrefix(text[i:], "\r\n"):
		default:
			return string(out), at, i
		}
		i++
	}
	return string(out), at, i
}

// leastEncoded is the length from which a run of characters is decoded as base64 or hex.
const leastEncoded = 16

// leastBinary is the length from which decoded data cannot be an identifier.
const leastBinary = 256

// wrapped is the length of the shortest line of base64 that the next line continues.
const wrapped = 60

// findEncoded decodes runs of base64 and hex. It searches the decoded text, and returns the whole
// run if there is a secret in it. Other data is left out.
func (r *Redactor) findEncoded(text string, depth int) (out []span) {
	for i := 0; i < len(text); {
		if !isBase64[text[i]] {
			i++
			continue
		}
		end := runEnd(text, i)
		if end-i >= leastEncoded {
			if s, ok := r.decode(text[i:end], strings.HasSuffix(text[:i], ";base64,"), depth); ok {
				s.start, s.end = i, end
				out = append(out, s)
			}
		}
		i = end
	}
	return out
}

var isBase64 = func() (t [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		t[c] = true
	}
	return
}()

// runEnd returns the end of the base64 that begins at i, which may be broken into lines.
func runEnd(text string, i int) int {
	for {
		start := i
		for i < len(text) && isBase64[text[i]] {
			i++
		}
		for n := 0; n < 2 && i < len(text) && text[i] == '='; n++ {
			i++
		}
		next := i
		if strings.HasPrefix(text[next:], "\r\n") {
			next++
		}
		if i-start < wrapped || next+1 >= len(text) || text[next] != '\n' || !isBase64[text[next+1]] {
			return i
		}
		i = next + 1
	}
}

// decode returns what replaces a run of base64 or hex. It returns false if the run stays.
func (r *Redactor) decode(run string, isData bool, depth int) (span, bool) {
	data, isHex := decoded(run)
	kind := http.DetectContentType(data)
	isKnown := len(data) >= 32 && !isHex && kind != "application/octet-stream" && kind != "image/bmp" && !strings.HasPrefix(kind, "text/")
	switch {
	case len(data) == 0:
		return span{}, false
	case isText(data) && depth >= maxDecodings:
		return r.leaveOut(run, "data"), true
	case isText(data):
		if found := r.find("", string(data), depth+1); len(found) > 0 {
			return span{secret: found[0].secret}, true
		}
		return span{}, false
	case isData || isKnown || len(data) >= leastBinary:
		if !isKnown {
			kind = "data"
		}
		return r.leaveOut(run, kind), true
	}
	if found := r.match("", strings.ToValidUTF8(string(data), "\n")); len(found) > 0 {
		return span{secret: found[0].secret}, true
	}
	return span{}, false
}

// decoded decodes base64 of either alphabet, or hex. It returns nil for other text.
func decoded(run string) (data []byte, isHex bool) {
	if strings.ContainsAny(run, "\r\n") {
		run = strings.NewReplacer("\r", "", "\n", "").Replace(run)
	}
	run = strings.TrimRight(run, "=")
	if data, err := hex.DecodeString(run); err == nil {
		return data, true
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(run)%4 == 1 { // the last character belongs to the text after it
		run = run[:len(run)-1]
	}
	data, err := encoding.DecodeString(run)
	if err != nil {
		return nil, false
	}
	return data, false
}

// isText reports whether bytes are text.
func isText(data []byte) bool {
	for _, c := range data {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(data)
}

// leaveOut counts data that cannot be scanned, and returns what replaces it.
func (r *Redactor) leaveOut(run, kind string) span {
	sum := sha256.Sum256([]byte(run))
	if key := string(sum[:]); !r.left[key] {
		r.left[key] = true
		if strings.HasPrefix(kind, "image/") {
			r.images++
		} else {
			r.others++
		}
	}
	return span{secret: secret{kind: fmt.Sprintf("%s of %d characters left out", kind, len(run))}}
}
