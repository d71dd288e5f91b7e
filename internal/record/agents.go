package record

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// settings changes the arguments and the variables of a program so that it uses a proxy.
type settings func(p *Proxy, args []string) (command, environment []string)

// agents are the programs that have the addresses of providers in their settings. Each function
// adds the upstreams.
var agents = map[string]func(r *Routes, at Place, args []string) settings{
	"codex": codexSettings, "opencode": opencodeSettings, "claude": claudeSettings,
}

// Agent returns the name of the program that a command runs, without its folder and extension. A
// script that node runs is the program.
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

// program returns how many arguments name the program.
func program(args []string) int {
	if Agent(args) == Agent(args[:1]) {
		return 1
	}
	return 2
}

// inPath returns a name in which only letters, digits, dots and hyphens are left.
func inPath(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}

// mostSettings limits a file of settings.
const mostSettings = 4 << 20

// readSettings returns a file of settings, or nothing if it cannot be read.
func readSettings(elements ...string) []byte {
	data, err := atomicfile.Read(filepath.Join(elements...), mostSettings)
	if err != nil {
		return nil
	}
	return data
}

// codexSettings finds the provider of Codex. It is replaced by a setting on the command line, with
// its name as it is: Codex behaves differently with others.
func codexSettings(r *Routes, at Place, args []string) settings {
	var config struct {
		ModelProvider string `toml:"model_provider"`
		OpenAIBaseURL string `toml:"openai_base_url"`
		Providers     map[string]struct {
			BaseURL string `toml:"base_url"`
		} `toml:"model_providers"`
	}
	home := cmp.Or(at.Getenv("CODEX_HOME"), filepath.Join(at.Home, ".codex"))
	_ = toml.Unmarshal(readSettings(home, "config.toml"), &config) // Codex says what is wrong with it
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
			value, _ := json.Marshal(p.Base(inPath("codex-" + key))) // a TOML string, too
			command = append(command, "-c", key+"="+string(value))
		}
		return append(command, args[n:]...), nil
	}
}

// opencodeProviders are the providers of opencode that need no settings, with the upstreams that
// they have and what their addresses end with.
var opencodeProviders = []struct{ provider, upstream, path string }{
	{"anthropic", anthropicName, "/v1"}, {"openai", "openai", ""}, {"google", "gemini", "/v1beta"},
}

// opencodeSettings finds the providers of opencode. They are replaced by a configuration in the
// environment, which is stronger than those in files.
func opencodeSettings(r *Routes, at Place, _ []string) settings {
	files := [][]byte{}
	for _, folder := range []string{filepath.Join(cmp.Or(at.Getenv("XDG_CONFIG_HOME"), filepath.Join(at.Home, ".config")), "opencode")} {
		files = append(files, readSettings(folder, "config.json"), readSettings(folder, "opencode.json"), readSettings(folder, "opencode.jsonc"))
	}
	if name := at.Getenv("OPENCODE_CONFIG"); name != "" {
		files = append(files, readSettings(name))
	}
	files = append(files, readSettings(at.Folder, "opencode.json"), readSettings(at.Folder, "opencode.jsonc"), []byte(at.Getenv("OPENCODE_CONFIG_CONTENT")))
	addresses := map[string]string{}
	for _, data := range files {
		var config struct {
			Provider map[string]struct {
				Options struct {
					BaseURL string `json:"baseURL"`
				} `json:"options"`
			} `json:"provider"`
		}
		if json.Unmarshal(data, &config) != nil {
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

// withBases adds the addresses of providers to a configuration of opencode, which may be empty. One
// that is not an object stays as it is.
func withBases(config string, base map[string]string) string {
	root := map[string]any{}
	if config != "" && json.Unmarshal([]byte(config), &root) != nil {
		return config
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

// claudeSettings finds the address that the settings of Claude Code give to its provider, which are
// stronger than the environment. It is replaced by settings on the command line.
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
