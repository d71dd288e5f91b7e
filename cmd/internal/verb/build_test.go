package verb

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestBuild(t *testing.T) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	for want, info := range map[string]*debug.BuildInfo{
		"(devel) (go1.26 " + platform + ")": {GoVersion: "go1.26"},
		"v1.2.3 (go1.26 " + platform + ", revision 0123456789ab with changes)": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}},
		},
	} {
		if got := buildOf(info).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
