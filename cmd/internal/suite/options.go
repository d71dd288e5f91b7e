package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
)

// ContentModes are the ways to show how content changed.
var ContentModes = []string{string(engine.ModeUnified), string(engine.ModeJSONPatch), string(engine.ModeTokens)}

// Materialized are the members of changed nodes that the result of a range can contain.
var Materialized = []string{"content", "mime", "encoding", "content_hash"}

// ParseOptions parses the options of a range, a JSON object. An error in its syntax or its members
// is a [*members.Error].
func ParseOptions(data []byte) (eval.Options, error) {
	var o eval.Options
	var lines *int
	err := members.Read(string(data), members.Object{
		"includeContent": members.Bool(&o.IncludeContent),
		"contentMode":    members.String(&o.ContentMode),
		"contextLines": func(s *canonjson.Scanner) error {
			lines = new(int)
			return members.Count(lines)(s)
		},
		"materialize":           members.Strings(&o.Materialize),
		"maxSnapshots":          members.Count(&o.MaxSnapshots),
		"maxChangesPerSnapshot": members.Count(&o.MaxChanges),
	})
	if err != nil {
		return eval.Options{}, err
	}
	o.ContextLines = lines
	return o, CheckOptions(o)
}

// CheckOptions returns an error for invalid options.
func CheckOptions(o eval.Options) error {
	for _, m := range o.Materialize {
		if !slices.Contains(Materialized, m) {
			return fmt.Errorf("%q cannot be materialized; use %s", m, strings.Join(Materialized, ", "))
		}
	}
	switch {
	case o.ContentMode != "" && !slices.Contains(ContentModes, string(o.ContentMode)):
		return fmt.Errorf("unknown content mode %q; use %s", o.ContentMode, strings.Join(ContentModes, ", "))
	case o.MaxSnapshots < 0 || o.MaxChanges < 0 || o.ContextLines != nil && *o.ContextLines < 0:
		return errors.New("a number of lines, snapshots or changes must not be negative")
	}
	return nil
}
