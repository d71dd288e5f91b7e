package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store/journal"
)

// generate appends a text that an expression matches. Long repetitions are short.
func generate(random *rand.Rand, b *strings.Builder, re *syntax.Regexp) {
	repeat := func(least, most int) {
		if most < 0 || most > least+24 {
			most = least + 24
		}
		for range least + random.IntN(most-least+1) {
			generate(random, b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcXYZ019 "[random.IntN(10)])
	case syntax.OpCharClass:
		var all []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for c := max(re.Rune[i], ' '); c <= min(re.Rune[i+1], '~'); c++ {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			all = []rune{re.Rune[0]}
		}
		b.WriteRune(all[random.IntN(len(all))])
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpAlternate:
		generate(random, b, re.Sub[random.IntN(len(re.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			generate(random, b, sub)
		}
	}
}

// planted is a generated text that has a secret.
type planted struct{ kind, text, secret string }

// corpus returns generated secrets for all rules of the scanner, up to a number for each.
func corpus(each int) (out []planted) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range loadRules() {
		parsed, err := syntax.Parse(r.pattern, syntax.Perl)
		if err != nil {
			panic(err)
		}
		for tries, n := 0, 0; tries < 60 && n < each; tries++ {
			var b strings.Builder
			generate(random, &b, parsed)
			text := b.String()
			at := r.compiled().FindStringSubmatchIndex(text)
			lower := strings.ToLower(text)
			if at == nil || !containsAny(lower, r.keywords) || strings.ContainsAny(text, "\x00\r") {
				continue
			}
			s := r.secretOf(at)
			if value := text[s[0]:s[1]]; r.accepts(text, [2]int{at[0], at[1]}, s) && len(value) >= 8 {
				out = append(out, planted{r.kind, text, value})
				n++
			}
		}
	}
	return out
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// matches reports whether the rule finds the secret in another text.
func (p planted) matches(text string) bool {
	i := slices.IndexFunc(loadRules(), func(r *rule) bool { return r.kind == p.kind })
	r := loadRules()[i]
	return slices.ContainsFunc(r.compiled().FindAllStringSubmatchIndex(text, -1), func(at []int) bool {
		s := r.secretOf(at)
		return text[s[0]:s[1]] == p.secret && r.accepts(text, [2]int{at[0], at[1]}, s)
	})
}

// png returns a picture with a text in its metadata.
func png(text string) []byte {
	chunk := append([]byte("tEXtComment\x00"), text...)
	out := []byte("\x89PNG\r\n\x1a\n")
	out = append(out, byte(len(chunk)-4>>24), byte((len(chunk)-4)>>16), byte((len(chunk)-4)>>8), byte(len(chunk)-4))
	out = append(out, chunk...)
	sum := crc32.ChecksumIEEE(chunk)
	return append(out, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
}

func marshal(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type object = map[string]any

// places return messages that have a secret, each in another place.
var places = map[string]func(i int, p planted) []any{
	"text": func(_ int, p planted) []any {
		return []any{object{"role": "user", "content": "look at this:\n" + p.text + "\nplease"}}
	},
	"arguments": func(i int, p planted) []any {
		return call(fmt.Sprintf("call_%d", i), marshal(object{"cmd": "run\n" + p.text + "\n", "n": i}), "done")
	},
	"nested": func(i int, p planted) []any {
		return call(fmt.Sprintf("call_%d", i), marshal(object{"body": marshal(object{"env": []any{" " + p.text + " "}})}), "done")
	},
	"result": func(i int, p planted) []any { return call(fmt.Sprintf("call_%d", i), "{}", "out "+p.text+"\n") },
	"id":     func(_ int, p planted) []any { return call(p.text, "{}", "done") },
	"path": func(i int, p planted) []any {
		path := "/srv/" + p.text + "/x"
		if !p.matches(path) { // the rule demands something before the secret, or after it
			path = p.text
		}
		return call(fmt.Sprintf("call_%d", i), marshal(object{"path": path}), "done")
	},
	"metadata": func(_ int, p planted) []any {
		return []any{object{"role": "user", "content": []any{object{"type": "image_url", "image_url": object{"url": "data:image/png;base64," + base64.StdEncoding.EncodeToString(png(p.text))}}}}}
	},
	"base64": func(_ int, p planted) []any {
		return []any{object{"role": "user", "content": "decode " + base64.StdEncoding.EncodeToString([]byte(p.text+"\n"))}}
	},
	"escaped": func(_ int, p planted) []any {
		return []any{object{"role": "user", "content": `x = "` + strings.ReplaceAll(strings.ReplaceAll(marshal(p.text+"\n"), "-", `\u002d`), "/", `\/`) + `"`}}
	},
	"url": func(_ int, p planted) []any {
		return []any{object{"role": "user", "content": "GET " + strings.ReplaceAll(url.QueryEscape(p.text), "+", "%20") + " now"}}
	},
}

func call(id, arguments, result string) []any {
	return []any{
		object{"role": "assistant", "content": nil, "tool_calls": []any{object{"id": id, "type": "function", "function": object{"name": "run", "arguments": arguments}}}},
		object{"role": "tool", "tool_call_id": id, "content": result},
	}
}

// history imports a log of messages.
func history(t *testing.T, o sessions.Options, messages []any) *engine.Timeline {
	t.Helper()
	text := marshal(messages)
	one, err := sessions.ReadOne(t.Context(), "log.json", strings.NewReader(text), int64(len(text)), o)
	if err != nil {
		t.Fatal(err)
	}
	return one.Timeline
}

// output returns everything that can be written of a history.
func output(t *testing.T, of *engine.Timeline) string {
	t.Helper()
	frames, _, err := journal.NewHead(journal.About{}).Append(of)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.Write(of.AppendJSON(nil))
	for _, f := range frames {
		text.WriteString("\n" + f.Body)
	}
	return text.String()
}

// TestCorpus plants secrets for all rules in all places of a log.
func TestCorpus(t *testing.T) {
	list := corpus(3)
	if len(list) < 500 {
		t.Fatalf("%d secrets", len(list))
	}
	kinds := map[string]bool{}
	for place, plant := range places {
		t.Run(place, func(t *testing.T) {
			r := redactor(t, Options{})
			n := 0
			for some := range slices.Chunk(list, 40) {
				messages := []any{object{"role": "user", "content": "begin"}}
				for _, p := range some {
					kinds[p.kind] = true
					messages = append(messages, plant(n, p)...)
					n++
				}
				out := output(t, history(t, sessions.Options{Redact: r}, messages))
				for _, p := range some {
					if hasSecret(out, p.secret) {
						t.Errorf("%s is still there: %q in %q", p.kind, p.secret, p.text)
					}
				}
				if place != "text" {
					continue
				}
				if again := output(t, history(t, sessions.Options{Redact: r}, messages)); again != out {
					t.Error("the second time, placeholders differ")
				}
			}
			t.Logf("%d secrets of %d kinds: %s", n, len(kinds), r.Report())
		})
	}
}

// hasSecret reports whether a text has a secret in any spelling of JSON.
func hasSecret(text, secret string) bool {
	for range 4 {
		if strings.Contains(text, secret) {
			return true
		}
		secret = quote(secret)
	}
	return false
}

// TestWindows compares what rules find around their keywords with what they find in whole texts.
func TestWindows(t *testing.T) {
	list := corpus(2)
	random := rand.New(rand.NewPCG(3, 4))
	filler := strings.Fields("the key of an api is not a token=1 but access to /usr/lib/x.so : \n\n auth secret, { } password = ; x9Kq2LmZ7vRtY4 0123456789")
	for i := range 10 {
		var b strings.Builder
		for range 20 {
			for range random.IntN(200) {
				b.WriteString(filler[random.IntN(len(filler))] + " \n"[i%2:i%2+1])
			}
			b.WriteString(list[random.IntN(len(list))].text + "\n"[:random.IntN(2)])
		}
		text := b.String()
		r := redactor(t, Options{})
		for one, windows := range r.windows(text) {
			m := one.compiled()
			find := func(w [2]int) (out []string) {
				for _, at := range m.FindAllStringSubmatchIndex(text[w[0]:w[1]], -1) {
					if !containsAny(strings.ToLower(text[w[0]+at[0]:w[0]+at[1]]), one.keywords) {
						continue // such as a digest in a text that names a service
					}
					if s := one.secretOf(at); one.accepts(text[w[0]:w[1]], [2]int{at[0], at[1]}, s) {
						out = append(out, text[w[0]+s[0]:w[0]+s[1]])
					}
				}
				return out
			}
			var near []string
			for _, w := range windows {
				near = append(near, find(w)...)
			}
			if diff := cmp.Diff(find([2]int{0, len(text)}), near); diff != "" && one.kind != generic {
				t.Errorf("%s: -whole +near\n%s", one.kind, diff)
			}
		}
	}
}

var literal = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// TestEveryString plants a secret in every string of a history, one after the other, and checks
// that nothing that is written has it.
func TestEveryString(t *testing.T) {
	for one, err := range sessions.All(t.Context(), []string{"../../testdata/journal/example.jsonl"}, sessions.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		frames, _, err := journal.NewHead(journal.About{}).Append(one.Timeline)
		if err != nil {
			t.Fatal(err)
		}
		// Set all members that a record of a call can have.
		frames[1].Body = regexp.MustCompile(`"call":\{[^}]*\}[^}]*\}`).ReplaceAllString(frames[1].Body, `"call":{"by":{"call":"a","cycle":1,"history":"b"},`+
			`"failed":"c","file":"d","missing":["e"],"model":"f","sample":"g","starts":[{"call":"h","history":"i"}],"time":"j"},"event":{"kind":"k","trigger":"l"},"side":{"kind":"m","of":1}`)
		frames[1].Body = strings.Replace(frames[1].Body, `"snapshot":{`, `"snapshot":{"forks":[{"cycle":1,"history":"r"}],`, 1)
		frames[1].Body = `{"causes":{"m":{"by":"n","cause":"o","rule":"p","saved":1,"trigger":"q"}},` +
			`"policy":{"after":1,"before":2,"budget":3,"failed":["s"],"trigger":"t"},` + frames[1].Body[1:]
		planted, skipped := 0, map[string]bool{}
		for i, f := range frames {
			for _, at := range literal.FindAllStringIndex(f.Body, -1) {
				body := f.Body[:at[1]-1] + " " + githubPAT + f.Body[at[1]-1:]
				of := decode(frames, i, body)
				if of == nil {
					skipped[f.Body[at[0]:at[1]]] = true
					continue
				}
				planted++
				got, err := redactor(t, Options{}).History(of)
				if err != nil {
					t.Errorf("%s: %v", f.Body[at[0]:at[1]], err)
				} else if out := output(t, got); strings.Contains(out, githubPAT) {
					t.Errorf("after %s, the secret is still there:\n%s", f.Body[at[0]:at[1]], out)
				}
			}
		}
		t.Logf("%s: %d strings with a secret; the format does not let %d others differ", one.Path, planted, len(skipped))
		if planted < 160 {
			t.Errorf("only %d strings", planted)
		}
	}
}

// decode returns a history with another body of a frame, or nil if that is not a history.
func decode(frames []journal.Frame, changed int, body string) *engine.Timeline {
	d := journal.NewDecoder("", engine.ReadOptions{})
	var before journal.Digest
	for i, f := range frames {
		if i == changed {
			f.Body = body
		}
		f.Digest = journal.Chain(before, f.Body)
		before = f.Digest
		if d.Add(f) != nil {
			return nil
		}
	}
	of, err := d.Timeline()
	if err != nil {
		return nil
	}
	return of
}
