package record

import "time"

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

// Header is the first line of a log. Format and Version are set by [Create].
type Header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"`           // that recorded, with its version
	Mode    string    `json:"mode"`              // proxy, native or otlp
	Command []string  `json:"command,omitempty"` // without credentials; empty if the program was started elsewhere
	Folder  string    `json:"folder"`            // the working folder
	Branch  string    `json:"branch,omitempty"`  // of git
	Start   time.Time `json:"start"`
}

// End is the last line of a log.
type End struct {
	End   time.Time `json:"end"`
	Exit  *int      `json:"exit,omitempty"` // code of the command
	Calls int       `json:"calls"`
	Lost  int       `json:"lost,omitempty"` // calls that are missing, wholly or in part
	Notes []string  `json:"notes,omitempty"`
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
