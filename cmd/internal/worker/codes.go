package worker

import (
	"iter"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// The failures of the protocol. All others are those of reading histories and of selectors.
const (
	ErrVersion  engine.Code = "E_WORKER_VERSION"  // the first line asks for an unsupported version of the protocol
	ErrLine     engine.Code = "E_WORKER_LINE"     // a line over the limit
	ErrRequest  engine.Code = "E_WORKER_REQUEST"  // JSON, but not a request
	ErrContext  engine.Code = "E_WORKER_CONTEXT"  // a context that is not open, or is open already
	ErrFile     engine.Code = "E_WORKER_FILE"     // the operating system refuses to open or read the file
	ErrTimeout  engine.Code = "E_WORKER_TIMEOUT"  // the time of the request was over
	ErrInternal engine.Code = "E_WORKER_INTERNAL" // a bug
)

// codes documents every code, in the order above.
var codes = []engine.CodeInfo{
	{Code: ErrVersion, Doc: "The first line asks for a version of the protocol that this worker does not speak, and every request after it is refused. Install the client and the program from one release."},
	{Code: ErrLine, Doc: "A request is longer than the limit and was skipped. --max-bytes of 'pactkit worker' raises the limit; or name a file with the member path."},
	{Code: ErrRequest, Doc: "The line is JSON, but not a request. docs/reference/worker.md lists the members."},
	{Code: ErrContext, Doc: "The request names a context that is not open, or opens one whose name is taken. A restarted worker has no open contexts: open them again."},
	{Code: ErrFile, Doc: "The file of a request cannot be read; the message is the operating system's."},
	{Code: ErrTimeout, Doc: "The request took longer than its member timeout_ms, and was given up."},
	{Code: ErrInternal, Doc: "The worker made a mistake, and goes on with the next request. Please report it, with the request."},
}

// Codes yields every code of this package with its meaning.
func Codes() iter.Seq[engine.CodeInfo] { return slices.Values(codes) }
