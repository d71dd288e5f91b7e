package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/sessions"
)

// logInputs are the arguments of all tools that say how logs are read, as the flags --from and
// --messages of the command line do.
type logInputs struct {
	From     string `json:"from,omitempty" jsonschema:"the kind of the logs, such as openai (default auto, recognized from the content)"`
	Messages string `json:"messages,omitempty" jsonschema:"the path of the member of a log with the messages, such as samples.messages"`
}

// check refuses an unknown kind of logs.
func (in logInputs) check() error {
	var kinds []string
	for _, k := range sessions.Kinds() {
		kinds = append(kinds, string(k))
	}
	if in.From == "" || slices.Contains(kinds, in.From) {
		return nil
	}
	return &failure.Failure{Code: ErrArgument, Message: fmt.Sprintf("from: there is no kind of log %q", in.From), Hint: members.Suggest(in.From, kinds)}
}

// readArguments reads arguments that a schema describes. Its errors name the argument. Null is as
// good as no argument, and 5.0 as good as 5: some clients write them.
func readArguments(text []byte, schema *jsonschema.Schema, in any) error {
	if len(text) == 0 || string(text) == "null" {
		text = []byte("{}")
	}
	known := slices.Sorted(maps.Keys(schema.Properties))
	wrong := func(format string, args ...any) error {
		return &failure.Failure{Code: ErrArgument, Message: fmt.Sprintf(format, args...), Hint: "the arguments are " + strings.Join(known, ", ")}
	}
	var given map[string]any
	if json.Unmarshal(text, &given) != nil {
		return wrong("the arguments are not an object")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p := schema.Properties[name]
		if p == nil {
			err := wrong("there is no argument %q", name).(*failure.Failure)
			err.Hint = members.Suggest(name, known)
			return err
		}
		value := given[name]
		number, _ := value.(float64)
		is := map[string]string{"string": "string", "float64": "number", "bool": "boolean"}[fmt.Sprintf("%T", value)]
		switch {
		case value == nil:
			delete(given, name)
		case p.Type == "integer" && is == "number" && number == math.Trunc(number) && math.Abs(number) < 1<<53:
			given[name] = int64(number)
		case is != p.Type:
			got, _ := json.Marshal(value)
			short, _ := cut(string(got), 40)
			return wrong("%s must be of type %s, and is %s", name, p.Type, short)
		}
	}
	for _, name := range schema.Required {
		if _, ok := given[name]; !ok {
			return wrong("the argument %s is missing", name)
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, in)
}
