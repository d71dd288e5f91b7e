package normal_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
)

func keys(t *testing.T, format, message string, isResult bool) []normal.Key {
	t.Helper()
	text, err := canonjson.Canonical(message)
	if err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	var out []normal.Key
	for _, p := range normal.Split(format, text, isResult) {
		out = append(out, p.Key(format))
	}
	return out
}

// TestEqual compares messages that are equal to a provider, and messages that are not.
func TestEqual(t *testing.T) {
	for _, test := range []struct {
		format, a, b string
		isResult     bool
		equal        bool
	}{
		{"anthropic", `{"role":"user","content":"Hi."}`, `{"content":[{"type":"text","text":"Hi.","cache_control":{"type":"ephemeral"}}],"role":"user"}`, false, true},
		{"anthropic", `{"role":"user","content":"Hi."}`, `{"role":"user","content":"Hi. "}`, false, false},
		{"anthropic", `{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"a"}]}`, `{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"b"}]}`, false, true},
		{"anthropic", `{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"a"}]}`, `{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"b"}]}`, false, false},
		{"anthropic", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":false,"content":[{"type":"text","text":"r","cache_control":{"type":"ephemeral"}}]}]}`, true, true},
		{"anthropic", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"r"}]}`, true, false},
		{"anthropic", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"d","content":"r"}]}`, true, false},
		{"anthropic", `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"index":1,"cache_control":2}}]}`, `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"index":1}}]}`, false, false},
		{"anthropic", `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":1.0}}]}`, `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":1},"cache_control":{"type":"ephemeral"}}]}`, false, true},
		{"anthropic", `{"role":"user","content":[{"type":"image","source":{"data":"a","type":"base64"}}]}`, `{"role":"user","content":[{"type":"image","source":{"data":"a","type":"base64"},"cache_control":{"type":"ephemeral"}}]}`, false, true},
		{"anthropic", `{"role":"user","content":[{"type":"image","source":{"data":"a","type":"base64"}}]}`, `{"role":"user","content":[{"type":"image","source":{"data":"b","type":"base64"}}]}`, false, false},
		{"openai", `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1,\"b\":2}"}}]}`, `{"role":"assistant","content":"","annotations":[],"refusal":null,"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\"b\": 2, \"a\": 1.0}"}}]}`, false, true},
		{"openai", `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"g","arguments":"{\"a\":1}"}}]}`, false, false},
		{"openai", `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":"}}]}`, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": "}}]}`, false, false},
		{"openai", `{"role":"tool","tool_call_id":"c","content":"r"}`, `{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"r"}]}`, true, true},
		{"openai", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":"auto"}}]}`, false, true},
		{"openai", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":"auto"}}]}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":"low"}}]}`, false, false},
		{"openai", `{"role":"tool","tool_call_id":"c","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, `{"role":"tool","tool_call_id":"c","content":[{"type":"image_url","image_url":{"detail":"auto","url":"u"}}]}`, true, true},
		{"openai-responses", `{"role":"user","content":[{"type":"input_image","image_url":"u"}]}`, `{"role":"user","content":[{"type":"input_image","image_url":"u","detail":"auto"}]}`, false, true},
		{"openai-responses", `{"role":"user","content":[{"type":"input_image","image_url":"u"}]}`, `{"role":"user","content":[{"type":"input_image","image_url":"u","detail":"high"}]}`, false, false},
		{"openai-responses", `{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"u"}]}`, `{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"u","detail":"auto"}]}`, true, true},
		{"openai-responses", `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`, `{"type":"function_call","call_id":"c","name":"f","arguments":"{\"detail\":\"auto\"}"}`, false, false},
		{"anthropic", `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"}}]}`, `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"},"citations":{"enabled":false}}]}`, false, true},
		{"anthropic", `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"}}]}`, `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"},"citations":{"enabled":true}}]}`, false, false},
		{"openai", `{"role":"user","content":"Hi.","name":"ann"}`, `{"role":"user","content":"Hi.","name":"bob"}`, false, false},
		{"openai-responses", `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi.","annotations":[],"logprobs":[]}]}`, `{"role":"assistant","content":"Hi."}`, false, true},
		{"openai-responses", `{"type":"function_call","id":"fc_1","status":"completed","call_id":"c","name":"f","arguments":"{}"}`, `{"type":"function_call","call_id":"c","name":"f","arguments":"{ }"}`, false, true},
		{"openai-responses", `{"type":"function_call_output","call_id":"c","output":"r"}`, `{"type":"function_call_output","call_id":"c","output":"s"}`, true, false},
		{"gemini", `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"x"}]}`, `{"role":"model","parts":[{"function_call":{"args":{},"name":"f"}}]}`, false, true},
		{"gemini", `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"ab+/"}]}`, `{"role":"model","parts":[{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"ab-_"}]}`, false, true},
		{"gemini", `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`, `{"role":"model","parts":[{"functionCall":{"id":"x","name":"g","args":{}}}]}`, false, false},
		{"gemini", `{"role":"model","parts":[{"text":"a","thought":false},{"functionCall":{"name":"f","args":{}}}]}`, `{"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"f","partialArgs":null,"willContinue":false}}]}`, false, true},
		{"gemini", `{"parts":[{"inlineData":{"data":"a","mimeType":"image/png"}}]}`, `{"parts":[{"inlineData":{"data":"a","mimeType":"image/png","displayName":""}}]}`, false, true},
		{"openai", `{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}`, `{"role":"user","content":[{"type":"file","file":{"file_id":"f","filename":null}}]}`, false, true},
		{"openai", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":null}}]}`, false, true},
		{"anthropic", `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"}}]}`, `{"role":"user","content":[{"type":"document","source":{"data":"a","type":"text"},"citations":{}}]}`, false, true},
		{"anthropic", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[]}]}`, true, true},
		{"anthropic", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"a":null}]}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{}]}]}`, true, false},
		{"openai-responses", `{"type":"web_search_call","id":"w","action":{"type":"search","query":"q"}}`, `{"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"q","sources":null}}`, false, true},
		{"openai-responses", `{"type":"item_reference","id":"a"}`, `{"type":"item_reference","id":"b"}`, false, false},
		{"openai-responses", `{"type":"reasoning","id":"a","summary":[],"encrypted_content":"x"}`, `{"type":"reasoning","summary":[],"encrypted_content":"x"}`, false, true},
		{"gemini", `{"parts":[{"text":"a"},{"text":"b"}]}`, `{"parts":[{"text":"ab"}]}`, false, false},
	} {
		a, b := keys(t, test.format, test.a, test.isResult), keys(t, test.format, test.b, test.isResult)
		if cmp.Equal(a, b) != test.equal {
			t.Errorf("%s: equal is %v:\n%s %q\n%s %q", test.format, !test.equal, test.a, a, test.b, b)
		}
	}
}

// TestSplit checks which parts a message has.
func TestSplit(t *testing.T) {
	for _, test := range []struct{ format, message, want string }{
		{"anthropic", `{"content":[{"content":"r","tool_use_id":"c","type":"tool_result"},{"text":"t","type":"text"}],"role":"user"}`, "result c|text"},
		{"anthropic", `{"content":[],"role":"user"}`, ""},
		{"openai", `{"content":"Hm.","role":"assistant","tool_calls":[{"id":"c"},{"id":"d"}]}`, "text|call c|call d"},
		{"openai", `{"content":"","role":"assistant","tool_calls":[{"id":"c"}]}`, "call c"},
		{"openai", `{"content":"","role":"assistant"}`, "text"},
		{"openai", `{"role":"user"}`, ""},
		{"openai", `"text"`, "text"},
		{"openai", `7`, ""},
		{"openai", `{"content":7,"role":"user"}`, "other"},
		{"openai-responses", `{"summary":[],"type":"reasoning"}`, "reasoning"},
		{"otel", `{"parts":[{"id":"c","type":"tool_call"},{"content":"t","type":"text"},{"id":"b","type":"tool_call_response"}],"role":"assistant"}`, "result b|text|call c"},
		{"atif", `{"message":"Now.","source":"agent","tool_calls":[{"tool_call_id":"c"}]}`, "text|call c"},
		{"gemini", `{"parts":[{"text":"t","thought":true},{"functionResponse":{"id":"c"}}]}`, "thinking|result c"},
	} {
		var got []string
		for _, p := range normal.Split(test.format, test.message, false) {
			got = append(got, strings.TrimSpace(p.Kind+" "+p.ID))
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s %s: %s, want %s", test.format, test.message, s, test.want)
		}
	}
}

// TestValue compares tools and system prompts.
func TestValue(t *testing.T) {
	same := [][2]string{
		{`[{"cache_control":{"type":"ephemeral"},"name":"a"},{"name":"b"}]`, `[{"name":"a"},{"name":"b"}]`},
		{`[{"text":"s","type":"text"}]`, `"s"`},
	}
	for _, s := range same {
		if a, b := normal.Value(s[0]), normal.Value(s[1]); a != b {
			t.Errorf("%s and %s differ", a, b)
		}
	}
	schema := `[{"input_schema":{"properties":{"cache_control":{}}},"name":"a"}]`
	if normal.Value(schema) == normal.Value(strings.Replace(schema, "cache_control", "x", 1)) {
		t.Error("the members of a schema are those of a tool")
	}
}

// TestSetting compares members of requests that are the same to a provider, and members that are
// not. A missing one is "".
func TestSetting(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		equal      bool
	}{
		{"tools", `[{"function":{"name":"f"},"type":"function"}]`, `[{"function":{"description":"","name":"f","parameters":{},"strict":null},"type":"function"}]`, true},
		{"tools", `[{"function":{"name":"f"},"type":"function"}]`, `[{"function":{"name":"f","parameters":{"properties":{},"type":"object"},"strict":false}}]`, true},
		{"tools", `[{"function":{"name":"f"},"type":"function"}]`, `[{"function":{"name":"f","strict":true},"type":"function"}]`, false},
		{"tools", `[{"name":"f","parameters":{},"strict":null,"type":"function"}]`, `[{"defer_loading":false,"description":null,"name":"f","output_schema":null,"parameters":null,"type":"function"}]`, true},
		{"tools", `[{"name":"f","strict":false,"type":"function"}]`, `[{"name":"f","type":"function"}]`, false}, // strict by default
		{"tools", `[{"name":"f","type":"custom"}]`, `[{"name":"f","type":"function"}]`, false},
		{"tools", `[{"input_schema":{},"name":"f"}]`, `[{"allowed_callers":["direct"],"cache_control":null,"defer_loading":false,"description":"","input_examples":[],"input_schema":{},"name":"f","strict":false,"type":"custom"}]`, true},
		{"tools", `[{"input_schema":{},"name":"f"}]`, `[{"defer_loading":true,"input_schema":{},"name":"f"}]`, false},
		{"tools", `[{"input_schema":{"description":""},"name":"f"}]`, `[{"input_schema":{},"name":"f"}]`, false}, // shown to the model
		{"tools", `[{"functionDeclarations":[{"name":"f"}]}]`, `[{"function_declarations":[{"behavior":null,"description":"","name":"f","parameters":null}],"googleSearch":null}]`, true},
		{"tools", `[{"googleSearch":{}}]`, `[{"urlContext":{}}]`, false},
		{"tools", "", "[]", true},
		{"functions", "", "null", true},
		{"tool_choice", "", `"auto"`, true},
		{"tool_choice", `"auto"`, `{"disable_parallel_tool_use":false,"type":"auto"}`, true},
		{"tool_choice", "", `"required"`, false},
		{"tool_choice", "", `"none"`, false},
		{"response_format", "", `{"type":"text"}`, true},
		{"response_format", "", `{"type":"json_object"}`, false},
		{"text", "", `{"format":{"type":"text"}}`, true},
		{"text", `{"verbosity":"low"}`, `{"format":{"type":"text"},"verbosity":"low"}`, true},
		{"text", "", `{"format":null}`, true},
		{"toolConfig", "", `{"functionCallingConfig":{"mode":"AUTO"}}`, true},
		{"toolConfig", "", `{"functionCallingConfig":{"mode":"ANY"}}`, false},
		{"toolConfig", `{"tools":[{"toolSpec":{"name":"f"}}]}`, `{"toolChoice":{"auto":{}},"tools":[{"toolSpec":{"name":"f","strict":false}}]}`, true},
		{"parallel_tool_calls", "", "true", true},
		{"parallel_tool_calls", "", "false", false},
		{"thinking", "", "null", true},
		{"thinking", "", `{"type":"disabled"}`, false}, // some models think by default
		{"stop", "", "[]", true},
		{"metadata", "", "{}", true},
	} {
		a, b := normal.Setting(test.name, test.a), normal.Setting(test.name, test.b)
		if (a == b) != test.equal {
			t.Errorf("%s: equal is %v:\n%s %q\n%s %q", test.name, !test.equal, test.a, a, test.b, b)
		}
	}
}

// FuzzKey checks that any JSON has parts.
func FuzzKey(f *testing.F) {
	for _, s := range []string{`{"role":"user","content":[{"type":"tool_use","name":7,"input":"{"}]}`, `{"tool_calls":[7,{"function":{"name":[]}}],"function_call":{}}`, `[1]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text, err := canonjson.Canonical(text)
		if err != nil {
			return
		}
		for _, format := range []string{"anthropic", "openai", "openai-responses", "gemini", "inspect", "otel", "atif", "x"} {
			parts := normal.Split(format, text, len(text)%2 == 0)
			if len(parts) == 0 {
				t.Fatalf("%s has no parts", text)
			}
			for i, p := range normal.Split(format, text, len(text)%2 == 0) {
				if p.Key(format) != parts[i].Key(format) {
					t.Fatal("a key depends on more than its part")
				}
			}
		}
		normal.Value(text)
		normal.Setting("tools", text)
		normal.Setting("text", text)
		normal.Content("", "call", text)
		normal.Content("openai-responses", "image", text)
	})
}
