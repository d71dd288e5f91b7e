package lsp

import (
	"context"
	"encoding/json"
)

// settings are the user's settings in the editor. A client sends them as initializationOptions, and
// as the section pactkit of workspace/didChangeConfiguration.
type settings struct {
	Hints struct {
		Count bool `json:"count"` // show the number of nodes that a selector finds
		Time  bool `json:"time"`  // show @t0 where no time is written
	} `json:"hints"`
	Lenses bool `json:"lenses"` // show the commands evaluate and explain
	Format struct {
		Embedded bool `json:"embedded"` // format the selectors of files that are not selector files too
	} `json:"format"`
	Tokens struct {
		Strings bool `json:"strings"` // semantic tokens in files that are not selector files too
	} `json:"tokens"`
}

// readSettings reads the settings of a client. Missing settings have their defaults, as have all
// settings if the options are for another server.
func readSettings(raw json.RawMessage) *settings {
	s := &settings{Lenses: true}
	s.Hints.Count = true
	if json.Unmarshal(raw, s) != nil {
		return readSettings(json.RawMessage("{}"))
	}
	return s
}

// didChangeConfiguration takes new settings, if there are any, and reads configuration and fixtures
// again.
func (s *server) didChangeConfiguration(_ context.Context, p *struct {
	Settings json.RawMessage `json:"settings"`
}) error {
	var sections struct {
		Pactkit json.RawMessage `json:"pactkit"`
	}
	if json.Unmarshal(p.Settings, &sections) == nil && sections.Pactkit != nil {
		s.settings.Store(readSettings(sections.Pactkit))
		s.spawn(s.registerEmbedded)
	}
	s.reload()
	return nil
}
