//go:build unix

package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// skillRow finds the commands in the table of the skill.
var skillRow = regexp.MustCompile("(?m)^\\| .* \\| `pactkit (.*)` \\|$")

// TestSkill runs each command of the skill's table as it stands, and with --json, as the page says.
func TestSkill(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "skills", "pactkit", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	logs := filepath.Join(root, "testdata", "logs", "support")
	names := strings.NewReplacer("last", filepath.Join(logs, "refund.jsonl"), "FILE", filepath.Join(logs, "refund.jsonl"), "DIR", logs, "needle", "Refund")
	rows := skillRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 9 {
		t.Fatalf("the table has %d commands", len(rows))
	}
	for _, row := range rows {
		command := "pactkit " + names.Replace(row[1])
		forms := []string{command, command + " --json"}
		if strings.HasPrefix(row[1], "show ") {
			forms[1] = strings.TrimSuffix(command, " --stat") + " --to anthropic"
		}
		for _, form := range forms {
			run := exec.Command("sh", "-c", form)
			run.Env = append(os.Environ(), "PATH="+programs(t)+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir())
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", form, err, out)
			}
		}
	}
}
