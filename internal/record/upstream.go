package record

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// anthropicName is the name of the upstream whose libraries do not agree on the path.
const anthropicName = "anthropic"

// variables are the variables of the environment in which programs look for the address of a
// provider. If a program has one of a family, only those that it has are set: libraries prefer
// one to another. Without a default, a variable is replaced only if the program has it: libraries
// do not agree on the path of the address, or it is a server of the user's.
var variables = []struct{ name, family, upstream, fallback string }{
	{"ANTHROPIC_BASE_URL", "anthropic", anthropicName, "https://api.anthropic.com"},
	{"ANTHROPIC_API_BASE", "anthropic", "anthropic-api-base", ""},
	{"ANTHROPIC_VERTEX_BASE_URL", "vertex", "anthropic-vertex", ""},
	{"ANTHROPIC_FOUNDRY_BASE_URL", "foundry", "anthropic-foundry", ""},
	{"OPENAI_BASE_URL", "openai", "openai", "https://api.openai.com/v1"},
	{"OPENAI_API_BASE", "openai", "openai", "https://api.openai.com/v1"},
	{"AZURE_OPENAI_ENDPOINT", "azure", "azure", ""},
	{"GOOGLE_GEMINI_BASE_URL", "gemini", "gemini", "https://generativelanguage.googleapis.com"},
	{"GEMINI_BASE_URL", "gemini", "gemini", "https://generativelanguage.googleapis.com"},
	{"GEMINI_API_BASE", "gemini", "gemini-api-base", ""},
	{"GOOGLE_VERTEX_BASE_URL", "google-vertex", "google-vertex", ""},
	{"CODE_ASSIST_ENDPOINT", "code-assist", "code-assist", "https://cloudcode-pa.googleapis.com"},
	{"MISTRAL_BASE_URL", "mistral", "mistral", ""},
	{"GROQ_BASE_URL", "groq", "groq", "https://api.groq.com"},
	{"GROQ_API_BASE", "groq-api", "groq-api-base", ""},
	{"DEEPSEEK_API_BASE", "deepseek", "deepseek", ""},
	{"OPENROUTER_API_BASE", "openrouter", "openrouter", "https://openrouter.ai/api/v1"},
	{"XAI_API_BASE", "xai", "xai", "https://api.x.ai/v1"},
	{"FIREWORKS_API_BASE", "fireworks", "fireworks", "https://api.fireworks.ai/inference/v1"},
	{"PERPLEXITY_API_BASE", "perplexity", "perplexity", "https://api.perplexity.ai"},
	{"CEREBRAS_API_BASE", "cerebras", "cerebras", "https://api.cerebras.ai/v1"},
	{"TOGETHER_BASE_URL", "together", "together", ""},
	{"TOGETHER_AI_API_BASE", "together-api", "together-api-base", ""},
	{"CO_API_URL", "cohere", "cohere", ""},
	{"COHERE_API_BASE", "cohere-api", "cohere-api-base", ""},
	{"NVIDIA_NIM_API_BASE", "nvidia-nim", "nvidia-nim", ""},
	{"HOSTED_VLLM_API_BASE", "vllm", "vllm", ""},
	{"LM_STUDIO_API_BASE", "lm-studio", "lm-studio", ""},
	{"OLLAMA_HOST", "ollama", "ollama", ""},
	{"OLLAMA_API_BASE", "ollama", "ollama-api-base", ""},
	{"LITELLM_PROXY_API_BASE", "litellm", "litellm", ""},
}

// Routes says how the requests of a program reach a proxy.
type Routes struct {
	Upstreams []Upstream
	variables map[string]string // names of upstreams, by variable
	forced    map[string]bool   // upstreams that the user gave
	agent     settings          // of a program that has settings of its own; nil if it has none
}

// Place is where a program is run.
type Place struct {
	Getenv func(string) string
	Home   string
	Folder string
}

// RoutesOf finds the providers that a command would use, from its environment and its settings;
// upstreams are those that the user gives, NAME=URL. An address that is not a URL is an error.
func RoutesOf(at Place, command, upstreams []string) (*Routes, error) {
	getenv := at.Getenv
	r := &Routes{variables: map[string]string{}, forced: map[string]bool{}}
	for _, text := range upstreams {
		name, address, ok := strings.Cut(text, "=")
		if !ok || name == "" || strings.ContainsAny(name, "/?#% ") {
			return nil, fmt.Errorf("--upstream %s: write NAME=URL, such as anthropic=https://gateway.example.com", text)
		}
		if err := r.add(name, address); err != nil {
			return nil, err
		}
		r.forced[name] = true
	}
	has := map[string]bool{}
	for _, v := range variables {
		has[v.family] = has[v.family] || getenv(v.name) != ""
	}
	for _, v := range variables {
		address, name := getenv(v.name), v.upstream
		switch {
		case r.forced[name]:
			r.variables[v.name] = name
			continue
		case address == "" && (has[v.family] || v.fallback == ""):
			continue
		case address == "":
			address = v.fallback
		case v.name == "OLLAMA_HOST" && !strings.Contains(address, "://"):
			if u, err := url.Parse("http://" + address); err == nil && u.Port() == "" {
				u.Host += ":11434"
				address = u.Host + u.Path
			}
			address = "http://" + address
		}
		if at := r.find(name); at != nil && at.String() != address { // two of a family that differ
			name += "-" + strings.ToLower(strings.ReplaceAll(v.name, "_", "-"))
		}
		if err := r.add(name, address); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		r.variables[v.name] = name
	}
	if find := agents[Agent(command)]; find != nil {
		r.agent = find(r, at, command)
	}
	return r, nil
}

func (r *Routes) find(name string) *url.URL {
	if i := slices.IndexFunc(r.Upstreams, func(u Upstream) bool { return u.Name == name }); i >= 0 {
		return r.Upstreams[i].URL
	}
	return nil
}

// add adds an upstream, unless there is one of this name.
func (r *Routes) add(name, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s is not the address of a provider", name)
	}
	if r.find(name) == nil {
		r.Upstreams = append(r.Upstreams, Upstream{name, u})
	}
	return nil
}

// Environment returns the variables, NAME=VALUE, that lead a program to a proxy, sorted.
func (r *Routes) Environment(p *Proxy, getenv func(string) string) []string {
	var out []string
	for variable, name := range r.variables {
		out = append(out, variable+"="+p.Base(name))
	}
	// A library reads one of the two names, and the other one if that is not set.
	for name, other := range map[string]string{"NO_PROXY": "no_proxy", "no_proxy": "NO_PROXY"} {
		if getenv("HTTP_PROXY")+getenv("http_proxy")+getenv("ALL_PROXY")+getenv("all_proxy") != "" {
			out = append(out, name+"="+strings.TrimPrefix(cmp.Or(getenv(name), getenv(other))+",127.0.0.1", ","))
		}
	}
	slices.Sort(out)
	return out
}

// Command returns the arguments and the further variables with which a program that has settings of
// its own uses a proxy.
func (r *Routes) Command(p *Proxy, args []string) (command, environment []string) {
	if r.agent == nil {
		return args, nil
	}
	return r.agent(p, args)
}
