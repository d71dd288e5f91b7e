//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// unformatted is a text whose formatting takes long enough to be interrupted.
var unformatted = []byte(strings.Repeat(".seg   >  .block[ttl<=1] +user   # note\n", 600))

// wantEntries checks what a folder holds.
func wantEntries(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the files of the folder (-want +got):\n%s", diff)
	}
}

// crashes is how many runs of a program are ended, half of them while they write.
func crashes() int {
	if testing.Short() {
		return 4
	}
	return 16
}

// crashDuringWrite runs pactfmt -w again and again, each time sending it a signal at a random
// moment, and checks that the file holds the old bytes or the new. It returns how often it found
// each.
func crashDuringWrite(t *testing.T, signal os.Signal, after func(folder string)) (old, formatted int) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.pactsel")
	start := func() *exec.Cmd {
		if err := os.WriteFile(file, unformatted, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("pactfmt", "-w", "--isolated", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	// An undisturbed run gives the result, and how long one takes.
	began := time.Now()
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	takes := time.Since(began)
	want, err := os.ReadFile(file)
	if err != nil || bytes.Equal(want, unformatted) {
		t.Fatal("the file was not formatted", err)
	}
	halfway := 0
	for round := range crashes() {
		cmd := start()
		switch {
		case round == 0: // fail now: one run cannot have written
		case round%2 == 0:
			time.Sleep(rand.N(takes + takes/4))
		case waitForTemp(folder, 2*takes): // while the new bytes are being written
			halfway++
		}
		_ = cmd.Process.Signal(signal) // it may be over already
		_ = cmd.Wait()
		switch got, err := os.ReadFile(file); {
		case err != nil:
			t.Fatal(err)
		case bytes.Equal(got, unformatted):
			old++
		case bytes.Equal(got, want):
			formatted++
		default:
			t.Fatalf("the file holds neither the old bytes nor the new: %d bytes, old %d, new %d", len(got), len(unformatted), len(want))
		}
		after(folder)
	}
	t.Logf("the temporary file was seen %d times", halfway)
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, folder, "a.pactsel")
	return old, formatted
}

// waitForTemp waits until a folder holds a second file.
func waitForTemp(folder string, atMost time.Duration) bool {
	for deadline := time.Now().Add(atMost); time.Now().Before(deadline); {
		if entries, err := os.ReadDir(folder); err == nil && len(entries) > 1 {
			return true
		}
		time.Sleep(50 * time.Microsecond) // a write takes longer, and the program needs the processor
	}
	return false
}

func TestKillDuringWrite(t *testing.T) {
	old, formatted := crashDuringWrite(t, syscall.SIGKILL, func(string) {})
	t.Logf("killed: %d times the old bytes, %d times the new", old, formatted)
	if old == 0 {
		t.Error("no run was killed before it wrote")
	}
}

func TestInterruptDuringWrite(t *testing.T) {
	// Until the program has initialized itself, an interrupt ends it like any other; there is
	// nothing to clean up then.
	old, formatted := crashDuringWrite(t, os.Interrupt, func(folder string) { wantEntries(t, folder, "a.pactsel") })
	t.Logf("interrupted: %d times the old bytes, %d times the new", old, formatted)
}

// Each signal that asks a program to end ends the wait for standard input, unless the program was
// started to ignore it, as nohup does.
func TestInterruptStdin(t *testing.T) {
	taken := make(chan os.Signal, 1) // a program inherits what the tests were started to ignore
	signal.Notify(taken, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(taken)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		interruptStdin(t, s, exec.Command("pactfmt", "-"), verb.ExitInterrupted)
		if s == syscall.SIGTERM {
			continue // which nothing ignores
		}
		ignoring := exec.Command("sh", "-c", fmt.Sprintf("trap '' %d; exec pactfmt -", int(s)))
		interruptStdin(t, s, ignoring, verb.ExitFindings)
	}
}

func interruptStdin(t *testing.T, s syscall.Signal, cmd *exec.Cmd, want int) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: once it is written, the program is reading.
	if _, err := in.Write(bytes.Repeat([]byte(".\n"), 1<<19)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	if want != verb.ExitInterrupted {
		_ = in.Close() // it goes on
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != want || strings.Contains(stderr.String(), "interrupted") != (want == verb.ExitInterrupted) {
		t.Errorf("%s: exit code %d, want %d: %.200s", s, code, want, stderr.String())
	}
}

// A program that serves ends cleanly although its interrupt comes twice, as one does that the
// parent passes on after the terminal sent it.
func TestInterruptTwice(t *testing.T) {
	log := filepath.Join("..", "..", "..", "testdata", "logs", "support", "refund.jsonl")
	for gap := range 8 {
		cmd := exec.Command("pactkit", "inspect", log, "--no-open", "--isolated")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // the address: it serves
			t.Error(err)
		}
		_ = cmd.Process.Signal(os.Interrupt)
		time.Sleep(time.Duration(gap) * 200 * time.Microsecond)
		_ = cmd.Process.Signal(os.Interrupt) // it may be over already
		_ = cmd.Wait()
		if state := cmd.ProcessState; !state.Exited() {
			t.Errorf("interrupted twice: %v", state)
		}
	}
}

// An interrupt ends a verb in the middle of an endless log, and nothing is written.
func TestInterruptImport(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "out.json")
	cmd := exec.Command("pactkit", "import", "--from", "openai", "-", "-o", out)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	messages := strings.Repeat(`{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"},`, 1000)
	for n := 0; err == nil; n++ {
		if _, err = io.WriteString(in, strings.Repeat("[", 1-min(n, 1))+messages); n == 20 { // more than pipe and buffers can hold: it is importing
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != verb.ExitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
	}
	wantEntries(t, folder)
}

// An interrupt between files ends the run: what is done stays done, and the rest is reported.
func TestInterruptBetweenFiles(t *testing.T) {
	t.Run("fmt", func(t *testing.T) { interruptBetweenFiles(t, "pactfmt", "-w") })
	t.Run("fix", func(t *testing.T) { interruptBetweenFiles(t, "pactkit", "fix") })
}

func interruptBetweenFiles(t *testing.T, program string, args ...string) {
	folder := t.TempDir()
	for i := range 300 {
		if err := os.WriteFile(filepath.Join(folder, strconv.Itoa(i)+".pactsel"), []byte(strings.Repeat(".block\n", 400)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, append(args, "--isolated", folder)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	formatted := func(n int) bool {
		data, err := os.ReadFile(filepath.Join(folder, strconv.Itoa(n)+".pactsel"))
		return err == nil && strings.HasPrefix(string(data), "@t0")
	}
	for deadline := time.Now().Add(time.Minute); !formatted(0); {
		if time.Now().After(deadline) {
			t.Fatal("nothing was formatted")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != verb.ExitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 300 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// The kernel refuses to store more than a few bytes: the file stays as it was, and no temporary
// file remains.
func TestWriteRefusedByTheKernel(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.pactsel")
	if err := os.WriteFile(file, unformatted, 0o644); err != nil {
		t.Fatal(err)
	}
	// Files of at most 8 blocks of 512 or 1024 bytes.
	wantRefusal(t, exec.Command("sh", "-c", `ulimit -f 8; exec pactfmt -w --isolated "$0"`, file), file)
	wantEntries(t, folder, "a.pactsel")
}

func wantRefusal(t *testing.T, cmd *exec.Cmd, file string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != verb.ExitFailed || !strings.Contains(string(out), "cannot write: ") {
		t.Errorf("%v: %s", err, out)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, unformatted) {
		t.Errorf("the file was changed: %v", err)
	}
}
