package thread_test

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/thread"
)

// TestRandomLogs checks the laws for random logs, valid and invalid: with repeated ids, orphans,
// unusual shapes, unknown members, and members with the names of headers.
func TestRandomLogs(t *testing.T) {
	for _, f := range thread.Formats() {
		if f.Imports() {
			t.Run(f.String(), func(t *testing.T) {
				for seed := range uint64(300) {
					randomLog(t, seed, f)
				}
			})
		}
	}
}

// FuzzLogs is TestRandomLogs with logs that the fuzzer chooses. They are short, so that it tries
// many.
func FuzzLogs(f *testing.F) {
	formats := slices.DeleteFunc(thread.Formats(), func(f thread.Format) bool { return !f.Imports() })
	gentest.AddBytes(f, 24)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60 {
			return
		}
		pick := gentest.Picker(data)
		f, byCall, other := formats[pick(len(formats))], pick(4) == 0, oneFormat(pick(256))
		checkGenerated(t, &generator{r: picker(pick), most: 4}, f, other, byCall)
	})
}

func randomLog(t *testing.T, seed uint64, f thread.Format) {
	t.Helper()
	checkGenerated(t, &generator{r: rand.New(rand.NewPCG(seed, uint64(f)))}, f, thread.Formats(), seed%4 == 0)
}

// checkGenerated checks the laws for a log and, if byCall is set, which doubles the cost, for its
// histories by call.
func checkGenerated(t *testing.T, g *generator, f thread.Format, others []thread.Format, byCall bool) {
	t.Helper()
	log, name := g.log(f)
	logs, err := thread.Import(t.Context(), name, []byte(log), f, thread.ImportOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	for _, l := range logs {
		checkLog(t, l, f, others)
	}
	if byCall {
		checkByCall(t, name, []byte(log), logs, f, others, thread.ImportOptions{})
	}
}

// TestStreams checks that a log, complete or cut off, gives the same histories, notes and errors
// however its bytes arrive.
func TestStreams(t *testing.T) {
	show := func(name string, f thread.Format, r io.Reader) string {
		var b strings.Builder
		logs, err := importFrom(t.Context(), name, r, f, thread.ImportOptions{})
		for _, l := range logs {
			fmt.Fprintf(&b, "%s %s\n%s", l.Name, l.Context.AppendJSON(nil), lines(l.Notes))
		}
		fmt.Fprint(&b, err)
		return b.String()
	}
	for _, f := range thread.Formats() {
		if !f.Imports() {
			continue
		}
		for seed := range uint64(60) {
			g := &generator{r: rand.New(rand.NewPCG(seed, uint64(f)))}
			log, name := g.log(f)
			if g.r.IntN(2) == 0 {
				name = "log"
			}
			log = log[:len(log)-g.r.IntN(len(log)+1)*g.r.IntN(2)]
			want := show(name, f, strings.NewReader(log))
			if d := gocmp.Diff(want, show(name, f, iotest.OneByteReader(strings.NewReader(log)))); d != "" {
				t.Errorf("%s, seed %d: byte by byte (-want +got)\n%s", f, seed, d)
			}
		}
	}
}

// generator makes random logs.
type generator struct {
	r    interface{ IntN(n int) int }
	most int // maximum number of messages of a log; 0 for the usual one
}

// picker makes the choices of a generator from the bytes of a fuzz input.
type picker func(n int) int

func (p picker) IntN(n int) int { return p(n) }

func (g *generator) one(choices ...string) string { return choices[g.r.IntN(len(choices))] }

func (g *generator) maybe(s string) string {
	if g.r.IntN(3) == 0 {
		return s
	}
	return ""
}

func (g *generator) list(most int, item func() string) string {
	var out []string
	for range g.r.IntN(most + 1) {
		out = append(out, item())
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (g *generator) id() string { return g.one("a", "b", "c", "call_1", "block:2", "root") }

func (g *generator) extra() string {
	return g.maybe(g.one(`,"id":"x"`, `,"key":1`, `,"name":"n"`, `,"x":{"b":1,"a":[1.0]}`, `,"tag":["t"]`, `,"":0`, `,"call_id":"q"`,
		`,"kind":"k"`, `,"arg_p":1`, `,"children":[]`, `,"provenance":{"from":"openai"}`, `,"timestamp":"2025-01-01T00:00:00Z"`,
		`,"message_id":3,"part_id":4`, `,"created_at":1700000000.5`))
}

func (g *generator) value() string {
	return g.one(`"hi"`, `"hi"`, `"two\nlines"`, `""`, `" "`, `null`, `7`, `true`, `{"a":1}`, `{"output":"o"}`, `[]`, `[1]`, `[{"type":"text","text":"t"}]`)
}

func (g *generator) text() string {
	return g.one(`"hi"`, `"\ud83d\ude00"`, `"{\"a\":1}"`, `"[2]"`, `""`)
}

func (g *generator) log(f thread.Format) (log, name string) {
	messages := func(item func() string) string { return g.list(cmp.Or(g.most, 7), item) }
	switch f {
	case thread.OpenAI:
		list := messages(g.openAI)
		if g.r.IntN(4) == 0 {
			return `{"messages":` + list + g.extra() + `}`, "log.json"
		}
		return list, "log.json"
	case thread.OpenAIResponses:
		list := messages(g.item)
		if g.r.IntN(3) == 0 {
			return `{"input":` + g.one(list, list, g.text()) + g.maybe(`,"instructions":"i"`) + g.extra() + `}`, "log.json"
		}
		return list, "log.json"
	case thread.Anthropic:
		list := messages(func() string {
			return `{"role":"` + g.one("user", "assistant", "user", "assistant", "system") + `","content":` + g.anthropicContent() + g.extra() + `}`
		})
		if g.r.IntN(4) == 0 {
			return list, "log.json"
		}
		system := g.maybe(`,"system":` + g.one(`"s"`, `[{"type":"text","text":"s"`+g.extra()+`}]`, `[]`, `[{"type":"text","text":"s"},{"type":"odd"}]`, `3`, `null`))
		return `{"messages":` + list + system + g.extra() + `}`, "log.json"
	case thread.Gemini:
		list := messages(func() string {
			role := g.one(`"role":"user"`, `"role":"model"`, `"role":"model"`, `"role":"function"`, `"n":0`)
			return `{` + role + g.one("", `,"parts":`+g.list(3, g.geminiPart), `,"parts":`+g.list(3, g.geminiPart)) + g.extra() + `}`
		})
		if g.r.IntN(4) == 0 {
			return list, "log.json"
		}
		system := g.maybe(`,"` + g.one("systemInstruction", "system_instruction") + `":` +
			g.one(`{"parts":`+g.list(2, g.geminiPart)+g.extra()+`}`, `"s"`, `4`, `{}`))
		return `{"contents":` + list + system + g.extra() + `}`, "log.json"
	case thread.Flat:
		list := messages(func() string {
			return `{"role":"` + g.one("user", "assistant", "system", "tool", "other") + `"` + g.one("", `,"content":`+g.value()) +
				g.maybe(`,"kind":"`+g.one("call", "result", "text")+`"`) + g.maybe(`,"x":1`) + `}`
		})
		return g.one(list, `{"flat_log":`+list+g.extra()+`}`), "log.json"
	case thread.ShareGPT:
		list := messages(func() string {
			return `{"from":"` + g.one("human", "gpt", "system", "function_call", "observation", "tool", "bing", "user", "x") + `"` +
				g.one("", `,"value":`+g.value(), `,"value":"{\"name\":\"f\",\"arguments\":{\"p\":1}}"`) + g.extra() + `}`
		})
		return `{"conversations":` + list + g.extra() + `}`, "log.json"
	default:
		var b strings.Builder
		for i := range g.r.IntN(cmp.Or(g.most, 8) + 1) {
			kind := g.one("user", "assistant")
			record := fmt.Sprintf(`{"type":"%s","uuid":"%s","message":{"role":"%s","content":%s%s},"isSidechain":%s%s}`,
				kind, g.one("u1", "u2", fmt.Sprint(i)), g.one(kind, kind, "x"), g.anthropicContent(), g.extra(), g.one("false", "true"),
				g.maybe(`,"timestamp":"`+g.one("2025-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "x")+`"`))
			b.WriteString(g.one(record, record, record, `{"type":"summary","summary":"s"}`, `{"type":"user","message":1}`, `half {`, `3`, `{}`,
				`{"type":"system","content":"c","key":1,"children":2}`, "\"\xff\"") + g.one("\n", "\r\n", "\n\n"))
		}
		return b.String(), "log.jsonl"
	}
}

func (g *generator) openAI() string {
	content := g.one("", `,"content":`+g.value(), `,"content":`+g.text(), `,"content":null`, `,"content":`+g.list(3, func() string {
		return g.one(`{"type":"text","text":`+g.text()+g.extra()+`}`, `{"type":"image_url","image_url":{"url":"https://u"}}`, `{"type":"text","text":1}`, `"loose"`,
			`{"type":"refusal","refusal":"no"}`)
	}))
	switch role := g.one("user", "assistant", "assistant", "tool", "tool", "system", "developer", "function", "x"); role {
	case "tool":
		return `{"role":"tool"` + g.one("", `,"tool_call_id":"`+g.id()+`"`, `,"tool_call_id":"`+g.id()+`"`, `,"tool_call_id":5`) + content + g.extra() + `}`
	case "assistant":
		calls := g.one("", "", `,"function_call":{"name":"f","arguments":"{}"}`, `,"tool_calls":`+g.list(3, func() string {
			return g.one(`{"id":"`+g.id()+`","type":"function","function":{"name":"f","arguments":`+g.value()+`}}`,
				`{"id":"`+g.id()+`","function":{"name":"f","arguments":"{\"p\":1}"`+g.maybe(`,"strict":true`)+`}`+g.maybe(`,"index":0`)+`}`,
				`{"type":"custom","custom":{"name":"f","input":"x"}}`, `{"type":"spell"}`, `1`)
		}), `,"tool_calls":null`)
		return `{"role":"assistant"` + content + calls + g.extra() + `}`
	default:
		return `{"role":"` + role + `"` + content + g.extra() + `}`
	}
}

func (g *generator) item() string {
	id := g.one("", `,"call_id":"`+g.id()+`"`, `,"call_id":"`+g.id()+`"`)
	return g.one(
		`{"role":"`+g.one("user", "assistant", "system")+`"`+g.maybe(`,"type":"message"`)+`,"content":`+g.one(g.value(), g.list(3, func() string {
			return g.one(`{"type":"input_text","text":"x"`+g.extra()+`}`, `{"type":"output_text","text":"x"}`, `{"type":"input_image"}`)
		}))+g.maybe(`,"status":"completed"`)+`}`,
		`{"type":"function_call"`+id+`,"name":"f","arguments":`+g.value()+g.maybe(`,"id":"fc"`)+`}`,
		`{"type":"function_call_output"`+id+`,"output":`+g.value()+g.maybe(`,"status":"x"`)+`}`,
		`{"type":"custom_tool_call"`+id+`,"name":"f","input":"x"}`, `{"type":"custom_tool_call_output"`+id+`,"output":"y"}`,
		`{"type":"reasoning","summary":[]}`, `{"type":"web_search_call","id":"ws"}`)
}

func (g *generator) anthropicContent() string {
	return g.one(g.text(), g.list(4, func() string {
		return g.one(`{"type":"text","text":`+g.text()+g.maybe(`,"cache_control":{}`)+`}`, `{"type":"thinking","thinking":"t"}`,
			`{"type":"thinking","thinking":"","signature":"s"}`,
			`{"type":"tool_use","id":"`+g.id()+`","name":"f","input":`+g.value()+g.maybe(`,"key":2,"x":[]`)+`}`, `{"type":"tool_use","name":"f"}`,
			`{"type":"tool_result","tool_use_id":"`+g.id()+`","content":`+g.value()+g.maybe(`,"is_error":true`)+`}`, `{"type":"tool_result"}`,
			`{"type":"image","source":{}}`, `"loose"`)
	}), g.value())
}

func (g *generator) geminiPart() string {
	id := g.one("", "", `,"id":"`+g.id()+`"`)
	return g.one(`{"text":`+g.value()+g.maybe(`,"thoughtSignature":"s"`)+`}`, `{"text":"t","thought":true}`, `{"inlineData":{}}`, `{}`, `5`,
		`{"functionCall":{"name":"`+g.one("f", "g")+`","args":`+g.value()+id+`}`+g.maybe(`,"thoughtSignature":"s"`)+`}`,
		`{"functionCall":{}}`, `{"function_response":{"name":"f","response":{}}}`,
		`{"functionResponse":{"name":"`+g.one("f", "g")+`","response":`+g.value()+id+`}}`)
}
