package verb

import (
	"testing"
)

func TestUseColor(t *testing.T) {
	for _, c := range []struct {
		env      map[string]string
		terminal bool
		want     bool
	}{
		{nil, true, true},
		{nil, false, false},
		{map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"FORCE_COLOR": "1"}, false, true},
		{map[string]string{"FORCE_COLOR": "0"}, false, false},
		{map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, true, false},
		{map[string]string{"TERM": "dumb"}, true, false},
	} {
		if got := UseColor(func(k string) string { return c.env[k] }, c.terminal); got != c.want {
			t.Errorf("%v on a terminal %v: %v", c.env, c.terminal, got)
		}
	}
}

func TestProgramOf(t *testing.T) {
	for path, want := range map[string]Program{
		"pactkit": Pactkit, "/usr/bin/pactfmt": Pactfmt, "pactfmt.exe": Pactfmt, "./pactkit.exe": Pactkit, "pactfmt-1.0": "pactfmt-1.0", "": Pactkit,
		"/venv/bin/pactsel": "pactsel", "PACTSEL.EXE": "PACTSEL", "a b": Pactkit, "-pactkit": Pactkit, "$(x)": Pactkit,
	} {
		if got := ProgramOf(path); got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}
