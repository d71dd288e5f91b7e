package record

import (
	"time"

	"github.com/pactkit/pactkit/internal/redact"
)

// The files in the folder of a recording.
const (
	LogName     = "calls.jsonl"
	StreamsName = "streams.zst"
	NativeName  = "native"
	OTLPName    = "otlp.jsonl"
)

// Format and Version are in the first line of a log.
const (
	Format  = "pactkit-recording"
	Version = 1
)

// Header is the first line of a log. Format, Version and Redacted are set by [Create].
type Header struct {
	Format   string    `json:"format"`
	Version  int       `json:"version"`
	Program  string    `json:"program"`            // that recorded, with its version
	Mode     string    `json:"mode"`               // proxy, native or otlp
	Command  []string  `json:"command,omitempty"`  // without credentials; empty if the program was started elsewhere
	Folder   string    `json:"folder"`             // the working folder
	Branch   string    `json:"branch,omitempty"`   // of git
	Redacted bool      `json:"redacted,omitempty"` // secrets in texts are replaced, too
	Start    time.Time `json:"start"`

	// Redactor replaces secrets in everything that is written. If it is nil, texts stay as they
	// are. Only the log uses it until that is closed.
	Redactor *redact.Redactor `json:"-"`
}

// End is the last line of a log.
type End struct {
	End   time.Time `json:"end"`
	Exit  *int      `json:"exit,omitempty"` // code of the command
	Calls int       `json:"calls"`
	Lost  int       `json:"lost,omitempty"` // calls that are missing, wholly or in part
	Notes []string  `json:"notes,omitempty"`

	Redacted *redact.Report `json:"redacted,omitempty"` // what was replaced and left out, if the header says so
}

// How an answer ended.
const (
	EndComplete  = "complete"
	EndRefused   = "refused"           // the status is an error
	EndClient    = "cut by the client" // the program closed the connection
	EndServer    = "cut by the server" // the answer broke off
	EndNoServer  = "not reached"       // the provider could not be reached
	EndUpgraded  = "not recorded"      // the connection became a WebSocket
	EndNotParsed = "not parsed"        // the answer is not what a provider answers
)

// Body describes a body that is not in the log.
type Body struct {
	Type string `json:"type,omitempty"`
	Size int64  `json:"size"`
	Why  string `json:"why"`
}
