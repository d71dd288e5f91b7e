package verb

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// build is what the linker recorded about the program.
type build struct {
	Program  string `json:"program"`
	Version  string `json:"version"` // (devel) outside a release
	Go       string `json:"go"`
	Platform string `json:"platform"`           // GOOS/GOARCH
	Revision string `json:"revision,omitempty"` // of the source
	Modified bool   `json:"modified,omitempty"` // whether the source had other changes
}

// BuildVersion describes the program in a line.
func BuildVersion() string { return ReadBuild().String() }

// ReadBuild returns what the linker recorded; a program without a record has only its version of
// Go.
func ReadBuild() build {
	if info, ok := debug.ReadBuildInfo(); ok {
		return buildOf(info)
	}
	return buildOf(&debug.BuildInfo{GoVersion: runtime.Version()})
}

func buildOf(info *debug.BuildInfo) build {
	b := build{Version: cmp.Or(info.Main.Version, "(devel)"), Go: info.GoVersion, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Revision = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	var revision string
	if b.Revision != "" {
		revision = ", revision " + b.Revision[:min(len(b.Revision), 12)]
	}
	if b.Modified {
		revision += " with changes"
	}
	return fmt.Sprintf("%s (%s %s%s)", b.Version, b.Go, b.Platform, revision)
}
