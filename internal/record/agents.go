package record

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// settings returns the arguments and the further variables with which a program uses a proxy.
type settings func(p *Proxy, args []string) (command, environment []string)

// agents are the programs whose settings can name the addresses of providers. Each function adds
// the upstreams to the routes.
var agents = map[string]func(r *Routes, at Place, args []string) settings{
	"codex": codexSettings, "opencode": opencodeSettings, "claude": claudeSettings,
}

// Agent returns the name of the program that a command runs, without its folder and extension. If
// node, bun or npx runs a script, the script is the program.
func Agent(args []string) string {
	if len(args) > 1 && slices.Contains([]string{"node", "bun", "npx"}, filepath.Base(args[0])) {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	name := filepath.Base(args[0])
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd"), ".js")
}

// program returns the number of arguments that name the program.
func program(args []string) int {
	if Agent(args) == Agent(args[:1]) {
		return 1
	}
	return 2
}

// inPath returns the name of an upstream, which is a part of a path.
func inPath(name string) string { return plainName(name, ".") }

// plainName replaces all characters of a name by hyphens, except letters, digits and those in also.
func plainName(name, also string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(also, r) {
			return r
		}
		return '-'
	}, name)
}

// mostSettings limits the size of a file of settings.
const mostSettings = 4 << 20

// readSettings returns the content of a file of settings, or nil if it cannot be read.
func readSettings(elements ...string) []byte {
	data, err := atomicfile.Read(filepath.Join(elements...), mostSettings)
	if err != nil {
		return nil
	}
	return data
}

// codexSettings finds the providers of Codex. Settings on the command line replace their addresses
// and keep their names: Codex behaves differently with providers that have other names.
func codexSettings(r *Routes, at Place, args []string) settings {
	var config struct {
		ModelProvider string `toml:"model_provider"`
		OpenAIBaseURL string `toml:"openai_base_url"`
		Providers     map[string]struct {
			BaseURL string `toml:"base_url"`
		} `toml:"model_providers"`
	}
	home := cmp.Or(at.Getenv("CODEX_HOME"), filepath.Join(at.Home, ".codex"))
	_ = toml.Unmarshal(readSettings(home, "config.toml"), &config) // Codex reports the errors
	var login struct {
		Key    string          `json:"OPENAI_API_KEY"`
		Tokens json.RawMessage `json:"tokens"`
	}
	_ = json.Unmarshal(readSettings(home, "auth.json"), &login)
	address := "https://api.openai.com/v1"
	if login.Key == "" && len(login.Tokens) > len("null") && at.Getenv("CODEX_API_KEY") == "" {
		address = "https://chatgpt.com/backend-api/codex"
	}
	found := map[string]string{"openai_base_url": cmp.Or(config.OpenAIBaseURL, at.Getenv("OPENAI_BASE_URL"), address)}
	for name, p := range config.Providers {
		if p.BaseURL != "" {
			found["model_providers."+name+".base_url"] = p.BaseURL
		}
	}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(key string) bool { return r.add(inPath("codex-"+key), found[key]) != nil })
	return func(p *Proxy, args []string) ([]string, []string) {
		n := program(args)
		command := slices.Clone(args[:n])
		for _, key := range keys {
			value, _ := json.Marshal(p.Base(inPath("codex-" + key))) // also a TOML string
			command = append(command, "-c", key+"="+string(value))
		}
		return append(command, args[n:]...), nil
	}
}

// opencodeProviders are the providers that opencode knows without settings, their upstreams, and
// the ends of their addresses.
var opencodeProviders = []struct{ provider, upstream, path string }{
	{"anthropic", anthropicName, "/v1"}, {"openai", "openai", ""}, {"google", "gemini", "/v1beta"},
}

// opencodeSettings finds the providers of opencode. A configuration in the environment, which
// overrides the files, replaces their addresses.
func opencodeSettings(r *Routes, at Place, _ []string) settings {
	home := filepath.Join(cmp.Or(at.Getenv("XDG_CONFIG_HOME"), filepath.Join(at.Home, ".config")), "opencode")
	files := [][]byte{readSettings(home, "config.json"), readSettings(home, "opencode.json"), readSettings(home, "opencode.jsonc")}
	if name := at.Getenv("OPENCODE_CONFIG"); name != "" {
		files = append(files, readSettings(name))
	}
	for _, folder := range above(at.Folder) { // the nearest one counts
		files = append(files, readSettings(folder, "opencode.json"), readSettings(folder, "opencode.jsonc"))
	}
	for _, folder := range above(at.Folder) {
		files = append(files, readSettings(folder, ".opencode", "opencode.json"), readSettings(folder, ".opencode", "opencode.jsonc"))
	}
	files = append(files, []byte(at.Getenv("OPENCODE_CONFIG_CONTENT")))
	addresses := map[string]string{}
	for _, data := range files {
		var config struct {
			Provider map[string]struct {
				Options struct {
					BaseURL string `json:"baseURL"`
				} `json:"options"`
			} `json:"provider"`
		}
		data, err := hujson.Standardize(data) // opencode allows comments
		if err != nil || json.Unmarshal(data, &config) != nil {
			continue
		}
		for name, p := range config.Provider {
			if p.Options.BaseURL != "" {
				addresses[name] = p.Options.BaseURL
			}
		}
	}
	for name, address := range addresses {
		if r.add(inPath("opencode-"+name), address) != nil {
			delete(addresses, name)
		}
	}
	return func(p *Proxy, args []string) ([]string, []string) {
		base := map[string]string{}
		for _, x := range opencodeProviders {
			if _, ok := p.upstreams[x.upstream]; ok {
				base[x.provider] = p.Base(x.upstream) + x.path
			}
		}
		for name := range addresses {
			base[name] = p.Base(inPath("opencode-" + name))
		}
		content := at.Getenv("OPENCODE_CONFIG_CONTENT")
		return args, []string{"OPENCODE_CONFIG_CONTENT=" + withBases(content, base)}
	}
}

// above returns a folder and those above it, the outermost first.
func above(folder string) []string {
	out := []string{folder}
	for up := filepath.Dir(folder); up != folder; folder, up = up, filepath.Dir(up) {
		out = append(out, up)
	}
	slices.Reverse(out)
	return out
}

// withBases sets the addresses of providers in a configuration of opencode, which may be empty. A
// configuration that is not an object stays as it is.
func withBases(config string, base map[string]string) string {
	root := map[string]any{}
	if config != "" {
		plain, err := hujson.Standardize([]byte(config))
		if err != nil || json.Unmarshal(plain, &root) != nil {
			return config
		}
	}
	in := func(m map[string]any, name string) map[string]any {
		o, ok := m[name].(map[string]any)
		if !ok {
			o = map[string]any{}
			m[name] = o
		}
		return o
	}
	for provider, address := range base {
		in(in(in(root, "provider"), provider), "options")["baseURL"] = address
	}
	out, _ := json.Marshal(root)
	return string(out)
}

// claudeSettings finds the address of the provider in the settings of Claude Code, which override
// the environment. Settings on the command line replace it.
func claudeSettings(r *Routes, at Place, args []string) settings {
	const variable = "ANTHROPIC_BASE_URL"
	folder := cmp.Or(at.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(at.Home, ".claude"))
	address := ""
	for _, data := range [][]byte{
		readSettings(folder, "settings.json"), readSettings(at.Folder, ".claude", "settings.json"), readSettings(at.Folder, ".claude", "settings.local.json"),
	} {
		var config struct{ Env map[string]string }
		if json.Unmarshal(data, &config) == nil {
			address = cmp.Or(config.Env[variable], address)
		}
	}
	const name = "claude-settings"
	if address == "" || slices.Contains(args, "--settings") || r.add(name, address) != nil {
		return nil
	}
	return func(p *Proxy, args []string) ([]string, []string) {
		more, _ := json.Marshal(map[string]any{"env": map[string]string{variable: p.Base(name)}})
		n := program(args)
		return slices.Concat(args[:n], []string{"--settings", string(more)}, args[n:]), nil
	}
}
