package mcp

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"

	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/sessions"
)

// The failures of this package. All others are those of histories, stores and selectors.
const (
	ErrArgument engine.Code = "E_MCP_ARGUMENT" // the arguments are not those of the tool
	ErrPath     engine.Code = "E_MCP_PATH"     // a path that is not in the folders of the server
	ErrFile     engine.Code = "E_MCP_FILE"     // the operating system refuses to open or read the file
	ErrTimeout  engine.Code = "E_MCP_TIMEOUT"  // the time of a call was over
	ErrInternal engine.Code = "E_MCP_INTERNAL" // a bug
)

var codes = []engine.CodeInfo{
	{Code: ErrArgument, Doc: "An argument of the tool is missing, has another type, or is not one the tool has. Its input schema lists them."},
	{Code: ErrPath, Doc: "The path leads out of the folders that the server was started with: through .., a symbolic link, an absolute path, or the address of a store that was not named. Start 'pactkit mcp' with the folder or the address to allow it."},
	{Code: ErrFile, Doc: "The file cannot be read; the message is the operating system's."},
	{Code: ErrTimeout, Doc: "The call took too long and was given up. Name one file instead of a folder, or one session of a file."},
	{Code: ErrInternal, Doc: "The server made a mistake, and goes on with the next call. Please report it, with the call."},
}

// Codes yields every code of this package with its meaning.
func Codes() iter.Seq[engine.CodeInfo] { return slices.Values(codes) }

// answerTo returns an error as it is sent to a client.
func answerTo(err error) string {
	return string(canonjson.EncodeLine(map[string]*failure.Failure{"error": failureOf(err)}))
}

// failureOf describes an error for a client, which knows the path, or must not know it.
func failureOf(err error) *failure.Failure {
	if f, ok := errors.AsType[*failure.Failure](err); ok {
		return f
	}
	if errors.Is(err, atomicfile.ErrOutside) {
		return &failure.Failure{Code: ErrPath, Message: "the path leads out of the folder of the server", Hint: "log without a path lists what is there"}
	}
	f := failure.Of(err)
	f.File, f.Errno, f.Codes = "", "", nil
	switch {
	case f.Range != nil:
		f.Hint = cmp.Or(f.Hint, "ask explain about "+string(f.Code))
	case f.Code != "":
		f.Hint = hints[f.Code]
	case errors.Is(err, context.Canceled):
		return &failure.Failure{Code: ErrTimeout, Message: "the call was canceled"}
	default:
		f.Code = ErrFile
		if errors.Is(err, fs.ErrNotExist) {
			f.Hint = "call log without a path to see what sessions there are"
		}
	}
	return f
}

// hints say what to do about errors of histories.
var hints = map[engine.Code]string{
	engine.ErrFileShape:  "call log on the folder to see which files are sessions; for a log of another form, from says its kind and messages the member with its messages",
	engine.ErrNotFound:   "call log on the file to see the names in it",
	sessions.ErrSeveral:  "add # and one of the names to the path",
	engine.ErrFileLimit:  "start the server with a larger --max-bytes",
	engine.ErrFileSyntax: "the file is damaged, or not a log",
}
