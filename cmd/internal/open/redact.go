package open

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/redact"
)

// Redacts describes --redact in the help of a verb.
const Redacts = `With --redact, keys, tokens, passwords, e-mail and IP addresses, the names of home folders, and what the table [redact] of the
configuration names are replaced by placeholders, the same secret by the same one, in everything that is written: contents,
arguments of tools, ids, paths, titles. Images and other data that cannot be searched are left out. Standard error says how
much that was.`

// RedactFlag is the flag --redact.
type RedactFlag struct {
	On    bool
	Using *redact.Redactor // nil without the flag
}

// Add adds the flag.
func (f *RedactFlag) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.On, "redact", false, "replace keys, tokens, addresses and what the configuration names, and leave out what cannot be searched")
}

// Start makes logs remove secrets from all histories, if the flag is set. It reports an error in
// the configuration and returns false.
func (f *RedactFlag) Start(r *verb.Run, logs *LogFlags, files *verb.FileFlags) (bool, error) {
	if !f.On {
		return true, nil
	}
	cfg, err := (&SelectorFlags{Files: *files}).Configuration(r)
	if err != nil || cfg == nil {
		return false, err
	}
	if f.Using, err = redact.New(cfg.Redact()); err != nil {
		return false, err
	}
	logs.redact = f.Using
	r.Err = &messages{Writer: r.Err, options: cfg.Redact()}
	return true, nil
}

// messages removes secrets from the messages that are written to it, such as those in the names of
// files.
type messages struct {
	io.Writer
	options redact.Options
	using   *redact.Redactor // nil before the first message; the one of the flag belongs to the log of a recording
}

func (m *messages) Write(p []byte) (int, error) {
	if m.using == nil {
		using, err := redact.New(m.options)
		if err != nil {
			return 0, err
		}
		m.using = using
	}
	if _, err := io.WriteString(m.Writer, m.using.Message(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// JSON returns v, or the redacted encoding of v if the flag is set.
func (f *RedactFlag) JSON(v any) any {
	if f.Using == nil {
		return v
	}
	return json.RawMessage(f.Using.JSON(string(canonjson.EncodeLine(v)), redact.Shape{}))
}

// Done returns the numbers of what was replaced and left out, to encode; nil without the flag.
func (f *RedactFlag) Done() any {
	if f.Using == nil {
		return nil
	}
	return f.Using.Report()
}

// Report notes what was replaced and left out.
func (f *RedactFlag) Report(r *verb.Run) {
	if f.Using != nil {
		r.Note("%s", f.Using.Report())
	}
}
