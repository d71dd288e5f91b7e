package history

import (
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// Answer is the answer of a provider.
type Answer struct {
	Messages []string      // the messages for the next request, each as JSON
	Format   thread.Format // the format of the messages
	Call     engine.Call   // the model, the usage, and why the provider did not answer
}

// ReadAnswer reads the answer of a provider to a request in a format, such as anthropic or openai.
// Of several choices it takes the first. name is the name of the text in errors, which are of type
// [*engine.Error].
func ReadAnswer(name, text, format string) (*Answer, error) {
	r, err := source.ReadAnswer(name, text, format)
	if err != nil {
		return nil, err
	}
	a := &Answer{
		Format: formatOf(format),
		Call:   engine.Call{Model: r.Model, Usage: usageOf(format, r.Usage), Failed: r.Failed, Recorded: true},
	}
	for _, m := range r.Reply {
		a.Messages = append(a.Messages, convert(format, m)...)
	}
	return a, nil
}
