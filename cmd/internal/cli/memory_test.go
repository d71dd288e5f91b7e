//go:build linux && !race

package cli

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// bombs are files that need much more memory than their size suggests, or that are large.
var bombs = map[string]func(io.Writer) error{
	"line.json":  func(w io.Writer) error { return line(w, 150<<20) },
	"bomb.jsonl": func(w io.Writer) error { return line(w, 60<<20) },
	"bomb.jsonl.zst": func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		return packed(z, err)
	},
	"bomb.json.gz": func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
		return packed(z, err)
	},
	"bomb.eval": func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, name := range []string{"header.json", "samples/1_epoch_1.json"} {
			f, err := z.Create(name)
			if err != nil {
				return err
			}
			if err := line(f, 80<<20); err != nil {
				return err
			}
		}
		return z.Close()
	},
	"deep.json":  func(w io.Writer) error { return repeat(w, "", "[", 4<<20, "") },
	"nodes.json": func(w io.Writer) error { return repeat(w, `{"root":`, `{"children":[`, 1<<18, "") },
	"wide.json": func(w io.Writer) error {
		return numbered(w, `{"root":{"children":[{"id":"^sys"},{"id":"^seq"},{"id":"^ah","children":[`, `{"id":"n%d","content":"x"},`, 1<<19, `{"id":"n"}]}]}}`)
	},
	"tiny.json": func(w io.Writer) error { return chat(w, 100_000, "a") },
	"members.json": func(w io.Writer) error {
		return numbered(w, `[{"role":"user","content":"x","more":{`, `"k%d":0,`, 1<<20, `"k":0}}]`)
	},
}

func repeat(w io.Writer, begin, text string, times int, end string) error {
	_, err := io.Copy(w, io.MultiReader(strings.NewReader(begin), &repeated{text, times}, strings.NewReader(end)))
	return err
}

// packed writes a long line to a compressor and closes it. It returns err if that is not nil.
func packed(w io.WriteCloser, err error) error {
	if err == nil {
		err = line(w, 150<<20)
	}
	if err == nil {
		err = w.Close()
	}
	return err
}

func line(w io.Writer, size int) error {
	return repeat(w, `[{"role":"user","content":"`, "a", size, `"}]`)
}

// chat writes a conversation of some turns.
func chat(w io.Writer, turns int, text string) error {
	return repeat(w, "[", fmt.Sprintf(`{"role":"user","content":%q},{"role":"assistant","content":%q},`, text, text), turns, `{"role":"user","content":"the end"}]`)
}

// numbered writes a text again and again, with a number in it.
func numbered(w io.Writer, begin, text string, times int, end string) error {
	out := bufio.NewWriter(w)
	out.WriteString(begin)
	for i := range times {
		fmt.Fprintf(out, text, i)
	}
	out.WriteString(end)
	return out.Flush()
}

// put writes a file.
func put(t testing.TB, path string, write func(io.Writer) error) {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// peak runs a program and returns its largest resident memory in bytes, its exit code, and what it
// wrote. A small process starts it: what Linux reports begins with the memory of the parent.
func peak(t testing.TB, dir string, stdin io.Reader, program string, args ...string) (most int64, code int, out, errs string) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command("peak", append([]string{report, program}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, stdin, &stdout, &stderr
	cmd.Env = append(os.Environ(), "HOME="+dir)
	_ = cmd.Run()
	data, err := os.ReadFile(report)
	if err == nil {
		_, err = fmt.Sscan(string(data), &most)
	}
	if err != nil {
		t.Fatal(err)
	}
	return most << 10, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// repeated reads a text again and again.
type repeated struct {
	text string
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left*len(r.text))
	for i := 0; i < n; i += len(r.text) {
		copy(p[i:n], r.text)
	}
	n -= n % len(r.text)
	r.left -= n / len(r.text)
	return n, nil
}

const (
	memoryFlag  = "--max-memory=160MiB"
	memoryLimit = 160 << 20
)

// looks are verbs that read a history, with %s for its file.
var looks = [...]string{
	"show %s", "grep .block %s", "log %s", "stats %s", "eval .block %s", "trace %s block:2", "diff %s chat.json", "doctor %s", "validate %s",
	"import %s -o out.jsonl", "export %s", "render %s --to openai", "inspect --html out.html %s", "policy try --policy policy.toml %s",
	"vocabulary %s -o out.toml", "commit --script script.jsonl -f %s -o out2.jsonl",
}

// memoryFolder returns a folder with the bombs, and what the verbs need.
func memoryFolder(t testing.TB) string {
	dir := t.TempDir()
	for name, write := range bombs {
		put(t, filepath.Join(dir, name), write)
	}
	for name, text := range map[string]string{
		"chat.json":        `[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]`,
		"script.jsonl":     "{\"commit\":true}\n",
		"long.suite.txtar": "-- cases --\n%files long.json\n\n^sys\n=> (none)\n",
		"policy.toml":      "[policy]\nwindow = 200_000\n[[policy.step]]\ntruncate = \".block\"\nover = 200\nto = 100\n",
	} {
		put(t, filepath.Join(dir, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	return dir
}

// TestMemory runs verbs on files that need too much memory. They must stay within the limit, and
// say that it does not suffice.
func TestMemory(t *testing.T) {
	dir := memoryFolder(t)
	t.Run("servers", func(t *testing.T) { testMemoryServers(t, dir) })
	t.Run("inspector", func(t *testing.T) { testMemoryInspector(t, dir) })
	t.Run("pact-lsp", func(t *testing.T) { testMemoryEditor(t, dir) })
	refused := regexp.MustCompile(`E_MEMORY|E_FILE_LIMIT|E_TREE_DEPTH|E_FILE_SYNTAX`)
	check := func(verb, file string) {
		args := strings.Fields(fmt.Sprintf(verb, file))
		most, code, out, errs := peak(t, dir, nil, "pactkit", append(args, memoryFlag)...)
		if most > memoryLimit || code == 0 || !refused.MatchString(out+errs) {
			t.Errorf("%v: %d MiB, exit code %d: %.500s", args, most>>20, code, errs)
		}
	}
	for name := range bombs {
		check(looks[len(name)%2], name)
	}
	for _, verb := range looks[:4] {
		check(verb, ".") // all of them
	}
	for _, verb := range looks {
		check(verb, "tiny.json")
	}
	put(t, filepath.Join(dir, "turns.json"), func(w io.Writer) error { return chat(w, 8000, strings.Repeat("a", 1000)) })
	for _, verb := range []string{"render %s --to openai", "show %s --to openai"} {
		check(verb, "turns.json") // it can be read, but not also be rendered
	}
}
