package record

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// routed returns the upstreams of a command, the variables and the arguments that it gets. The
// address of the proxy is P.
func routed(t *testing.T, env map[string]string, files map[string]string, command []string, upstreams ...string) string {
	t.Helper()
	at := Place{Getenv: func(name string) string { return env[name] }, Home: t.TempDir(), Folder: filepath.Join(t.TempDir(), "app")}
	for name, text := range files {
		path := filepath.Join(at.Home, name)
		if rest, ok := strings.CutPrefix(name, "./"); ok {
			path = filepath.Join(at.Folder, rest)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := RoutesOf(at, command, upstreams)
	if err != nil {
		return err.Error()
	}
	l, err := Create(filepath.Join(t.TempDir(), "r"), Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close(nil)
	p, err := Listen(l, r.Upstreams)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	var out []string
	urls := map[string]*url.URL{}
	for _, u := range r.Upstreams {
		urls[u.Name] = u.URL
	}
	for _, name := range slices.Sorted(maps.Keys(urls)) {
		out = append(out, name+"="+urls[name].String())
	}
	args, more := r.Command(p, command)
	out = append(out, r.Environment(p, at.Getenv)...)
	out = append(append(out, more...), strings.Join(args, " "))
	own, _, _ := strings.Cut(p.Base(r.Upstreams[0].Name), "/"+r.Upstreams[0].Name)
	return strings.ReplaceAll(strings.Join(out, "\n"), own, "P")
}

// TestRoutes finds the providers of programs in their variables and settings.
func TestRoutes(t *testing.T) {
	all := routed(t, nil, nil, []string{"python", "a.py"})
	for _, want := range []string{
		"ANTHROPIC_BASE_URL=P/anthropic\n", "OPENAI_BASE_URL=P/openai/v1\n", "OPENAI_API_BASE=P/openai/v1\n", "GOOGLE_GEMINI_BASE_URL=P/gemini\n",
		"openai=https://api.openai.com/v1\n", "\npython a.py", "GROQ_BASE_URL=P/groq\n", "OPENROUTER_API_BASE=P/openrouter/api/v1\n", "PERPLEXITY_API_BASE=P/perplexity\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	for _, c := range []struct {
		env, files map[string]string
		command    string
		upstreams  []string
		want, not  []string
	}{
		{env: map[string]string{"OPENAI_API_BASE": "http://gate:8/x/v1/"}, want: []string{"OPENAI_API_BASE=P/openai/x/v1\n"}, not: []string{"OPENAI_BASE_URL"}},
		{env: map[string]string{"OPENAI_API_BASE": "http://a/v1", "OPENAI_BASE_URL": "http://b/v1"}, want: []string{"OPENAI_BASE_URL=P/openai/v1", "openai=http://b/v1", "OPENAI_API_BASE=P/openai-openai-api-base/v1", "openai-openai-api-base=http://a/v1"}},
		{env: map[string]string{"HTTP_PROXY": "http://corp:3128", "NO_PROXY": "x"}, want: []string{"\nNO_PROXY=x,127.0.0.1\n", "\nno_proxy=x,127.0.0.1\n"}},
		{env: map[string]string{"ANTHROPIC_BASE_URL": "gateway"}, want: []string{"ANTHROPIC_BASE_URL: anthropic is not the address of a provider"}},
		{upstreams: []string{"anthropic=http://g/a", "mine=https://m"}, want: []string{"anthropic=http://g/a\n", "mine=https://m\n", "ANTHROPIC_BASE_URL=P/anthropic/a\n"}},
		{upstreams: []string{"anthropic"}, want: []string{"write NAME=URL"}},
		{command: "/usr/bin/codex exec hi", want: []string{"codex-openai-base-url=https://api.openai.com/v1", "\n/usr/bin/codex -c openai_base_url=\"P/codex-openai-base-url/v1\" exec hi"}},
		{command: "node /x/codex.js exec", files: map[string]string{".codex/config.toml": "model_provider = 'g'\n[model_providers.g]\nbase_url = 'http://g:1/v1'\n", ".codex/auth.json": `{"OPENAI_API_KEY":null,"tokens":{"id_token":"x"}}`},
			want: []string{"=https://chatgpt.com/backend-api/codex\n", "\nnode /x/codex.js -c model_providers.g.base_url=\"P/codex-model-providers.g.base-url/v1\" -c openai_base_url="}},
		{command: "opencode run hi", files: map[string]string{".config/opencode/opencode.json": `{"provider":{"g":{"options":{"baseURL":"http://g/v1"}}}}`, "./opencode.json": `{"provider":{"openai":{"options":{"baseURL":"http://o/v1"}}}}`},
			want: []string{`"g":{"options":{"baseURL":"P/opencode-g/v1"}}`, `"openai":{"options":{"baseURL":"P/opencode-openai/v1"}}`, `"anthropic":{"options":{"baseURL":"P/anthropic/v1"}}`}},
		{command: "opencode", files: map[string]string{"./.git": "", "./../opencode.jsonc": "{\n// the gateway of all projects\n\"provider\":{\"g\":{\"options\":{\"baseURL\":\"http://g/v1\"},},},}", "./.opencode/opencode.json": `{"provider":{"h":{"options":{"baseURL":"http://h/v1"}}}}`},
			env: map[string]string{"OPENCODE_CONFIG_CONTENT": `{"share":"disabled",}`}, want: []string{`"g":{"options":{"baseURL":"P/opencode-g/v1"}}`, `"h":{"options":{"baseURL":"P/opencode-h/v1"}}`, `"share":"disabled"`}},
		{env: map[string]string{"CO_API_URL": "http://c/x", "HOSTED_VLLM_API_BASE": "http://gpu:8000/v1"}, want: []string{"CO_API_URL=P/cohere/x\n", "HOSTED_VLLM_API_BASE=P/vllm/v1\n"}, not: []string{"COHERE_API_BASE", "TOGETHER", "OLLAMA"}},
		{upstreams: []string{"ollama=http://127.0.0.1:11434"}, want: []string{"OLLAMA_HOST=P/ollama\n"}},
		{env: map[string]string{"OLLAMA_HOST": "0.0.0.0"}, want: []string{"ollama=http://0.0.0.0:11434\n", "OLLAMA_HOST=P/ollama\n"}},
		{env: map[string]string{"OLLAMA_HOST": "gpu:80/x"}, want: []string{"ollama=http://gpu:80/x\n"}},
		{command: "claude -p hi", want: []string{"\nclaude -p hi"}},
		{command: "claude -p hi", files: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"http://s"}}`}, want: []string{"claude-settings=http://s", `claude --settings {"env":{"ANTHROPIC_BASE_URL":"P/claude-settings"}} -p hi`}},
	} {
		got := routed(t, c.env, c.files, strings.Fields(c.command), c.upstreams...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v %v %s: %q is not in\n%s", c.env, c.upstreams, c.command, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%v: %q is in\n%s", c.env, not, got)
			}
		}
	}
}

// TestTarget keeps the path of a request, and adds the version that some libraries leave out.
func TestTarget(t *testing.T) {
	for _, c := range [][4]string{
		{"https://api.anthropic.com", "anthropic", "/v1/messages", "https://api.anthropic.com/v1/messages"},
		{"https://api.anthropic.com", "anthropic", "/messages", "https://api.anthropic.com/v1/messages"},
		{"https://gate/x", "anthropic", "/x/messages", "https://gate/x/messages"},
		{"https://api.openai.com/v1", "openai", "/v1/models/a%2Fb", "https://api.openai.com/v1/models/a%2Fb"},
	} {
		to, _ := url.Parse(c[0])
		if got := target(to, c[1], c[2], "").String(); got != c[3] {
			t.Errorf("%v: %s", c, got)
		}
	}
}
