package record

import (
	"path/filepath"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// natives are the programs that can write down their requests themselves.
var natives = []struct{ folder, variable, before, gaps string }{
	{"claude-code", "OTEL_LOG_RAW_API_BODIES", "file:", "Claude Code leaves out the thinking, which its session log has, and perhaps the last answer"},
	{"codex", "CODEX_ROLLOUT_TRACE_ROOT", "", "Codex leaves out the requests of local compactions and repeated attempts"},
}

// Native makes the folders in which programs write down their requests, in the folder of a
// recording, and returns the variables, NAME=VALUE, that make them do so.
func Native(folder string) (variables []string, err error) {
	for _, n := range natives {
		at := filepath.Join(folder, NativeName, n.folder)
		if err := atomicfile.MakePrivateFolder(at); err != nil {
			return nil, err
		}
		variables = append(variables, n.variable+"="+n.before+at)
	}
	return variables, nil
}

// NativeGaps says what the programs that wrote into a recording leave out.
func NativeGaps(folder string) []string {
	var gaps []string
	for _, n := range natives {
		at := filepath.Join(folder, NativeName, n.folder)
		if entries, err := atomicfile.List(at); err == nil && len(entries) > 0 {
			gaps = append(gaps, n.gaps)
		}
	}
	if gaps == nil {
		gaps = []string{"nothing was written: only Claude Code and Codex record themselves"}
	}
	return gaps
}
