package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/nearest"
)

// ContentModes are the ways to show how content changed.
var ContentModes = []string{string(engine.ModeUnified), string(engine.ModeJSONPatch), string(engine.ModeTokens)}

// Materialized are the members of changed nodes that a range can repeat.
var Materialized = []string{"content", "mime", "encoding", "content_hash"}

// options are the options of a range in JSON.
type options struct {
	IncludeContent        bool               `json:"includeContent"`
	ContentMode           engine.ContentMode `json:"contentMode"`
	ContextLines          *int               `json:"contextLines"`
	Materialize           []string           `json:"materialize"`
	MaxSnapshots          int                `json:"maxSnapshots"`
	MaxChangesPerSnapshot int                `json:"maxChangesPerSnapshot"`
}

var optionNames = []string{"includeContent", "contentMode", "contextLines", "materialize", "maxSnapshots", "maxChangesPerSnapshot"}

// ParseOptions reads the options of a range from a JSON object.
func ParseOptions(data []byte) (eval.Options, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return eval.Options{}, errors.New("options are a JSON object")
	}
	if err := CheckMembers(slices.Sorted(maps.Keys(members)), optionNames); err != nil {
		return eval.Options{}, err
	}
	var x options
	if err := json.Unmarshal(data, &x); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return eval.Options{}, fmt.Errorf("%s cannot be a %s", e.Field, e.Value)
		}
		return eval.Options{}, err
	}
	o := eval.Options{
		IncludeContent: x.IncludeContent, ContentMode: x.ContentMode, ContextLines: x.ContextLines, Materialize: x.Materialize,
		MaxSnapshots: x.MaxSnapshots, MaxChanges: x.MaxChangesPerSnapshot,
	}
	return o, CheckOptions(o)
}

// CheckOptions returns an error for invalid options.
func CheckOptions(o eval.Options) error {
	for _, m := range o.Materialize {
		if !slices.Contains(Materialized, m) {
			return fmt.Errorf("%q cannot be materialized; there are %s", m, strings.Join(Materialized, ", "))
		}
	}
	switch {
	case o.ContentMode != "" && !slices.Contains(ContentModes, string(o.ContentMode)):
		return fmt.Errorf("there is no content mode %q; there are %s", o.ContentMode, strings.Join(ContentModes, ", "))
	case o.MaxSnapshots < 0 || o.MaxChanges < 0 || o.ContextLines != nil && *o.ContextLines < 0:
		return errors.New("a number of lines, snapshots or changes is not negative")
	}
	return nil
}

// CheckMembers returns an error for an unknown name.
func CheckMembers(names, known []string) error {
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if near := nearest.Word(name, slices.Values(known)); near != "" {
			return fmt.Errorf("there is no member %q; did you mean %q?", name, near)
		}
		return fmt.Errorf("there is no member %q; there are %s", name, strings.Join(known, ", "))
	}
	return nil
}
