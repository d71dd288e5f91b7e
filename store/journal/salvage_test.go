package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/store/journal"
)

// textOf returns frames as the lines of a journal.
func textOf(frames []journal.Frame) string {
	var out []byte
	for _, f := range frames {
		out = f.AppendLine(out)
	}
	return string(out)
}

// framesIn parses a journal.
func framesIn(t testing.TB, text string) (list []journal.Frame) {
	t.Helper()
	for line := range strings.Lines(text) {
		f, err := journal.ParseLine([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

// wholeSnapshots returns the snapshots of a journal by cycle, with what is known of the commits.
func wholeSnapshots(t testing.TB, text string) map[int64]string {
	t.Helper()
	tl, _, err := journal.Verify("whole", strings.NewReader(text), engine.ReadOptions{})
	if err != nil {
		t.Fatalf("what was salvaged cannot be read: %v\n%s", err, text)
	}
	list := map[int64]string{}
	for s := range tl.Sealed() {
		list[s.Cycle()] = fmt.Sprintf("%s %+v", s.AppendJSON(nil), s.Info() != nil)
	}
	return list
}

// damages returns journals to damage: one as it was written, a compacted one, and a fork whose
// second half begins with a whole tree.
func damages(t testing.TB, seed uint64) map[string]string {
	t.Helper()
	plain := string(write(t, gentest.Grow(t, gentest.Rand(seed), 5, 2).History()))
	list := map[string]string{"plain": plain}
	frames := framesIn(t, plain)
	upTo, replacement, err := journal.Compact(listed(frames), 2)
	if err != nil {
		t.Fatal(err)
	}
	if n := slices.IndexFunc(frames, func(f journal.Frame) bool { return f.Digest == upTo.Digest }); replacement != nil {
		list["compacted"] = textOf(append(slices.Clip(replacement), frames[n+1:]...))
	}
	// The snapshot of a compacted journal, after frames that came before it.
	if len(replacement) == 2 && frames[len(frames)-1].Cycle > upTo.Cycle {
		n := slices.IndexFunc(frames, func(f journal.Frame) bool { return f.Digest == upTo.Digest })
		two := append(slices.Clone(frames[:n]), replacement[1])
		two = append(two, frames[n+1:]...)
		var before journal.Digest
		for i := range two {
			two[i].Digest = journal.Chain(before, two[i].Body)
			before = two[i].Digest
		}
		list["two trees"] = textOf(two)
	}
	return list
}

// salvaged salvages a journal. It returns the intact part as a text, or "".
func salvaged(t testing.TB, text string) (string, journal.Salvaged) {
	t.Helper()
	out, err := journal.Salvage("damaged", text)
	if err != nil && !errors.Is(err, journal.ErrLost) && !errors.Is(err, journal.ErrLine) {
		t.Fatal(err)
	}
	return textOf(out.Frames), out
}

// thorough is an environment variable. If it is set, tests try everything, for minutes.
const thorough = "PACTKIT_TORTURE"

// TestSalvageCut cuts journals anywhere. The result has every complete append, byte for byte.
func TestSalvageCut(t *testing.T) {
	step := 11
	if os.Getenv(thorough) != "" {
		step = 1
	}
	for name, text := range damages(t, 3) {
		for cut := 0; cut < len(text); cut += step {
			want := ""
			if _, info, err := journal.Read("cut", strings.NewReader(text[:cut]), engine.ReadOptions{}); err == nil {
				want = text[:cut-int(info.Torn)]
			}
			if got, _ := salvaged(t, text[:cut]); got != want {
				t.Fatalf("%s, cut at %d of %d:\n%s\nwant\n%s", name, cut, len(text), got, want)
			}
		}
	}
}

// TestSalvageBit flips bits of journals. The digests prove the repair, so nothing is lost.
func TestSalvageBit(t *testing.T) {
	step := 193
	if os.Getenv(thorough) != "" {
		step = 1
	}
	for seed := range uint64(4) {
		for name, text := range damages(t, seed) {
			for at := int(seed); at < len(text); at += step {
				bad := []byte(text)
				bad[at] ^= 1 << (at % 8)
				if got, out := salvaged(t, string(bad)); got != text {
					if at == len(text)-1 && strings.HasPrefix(text, got) {
						continue
					}
					t.Fatalf("seed %d, %s, byte %d of %d, %q to %q: %+v\n%s\nwant\n%s", seed, name, at, len(text), text[at], bad[at], out, got, text)
				}
			}
		}
	}
}

// TestSalvageDamage damages journals in other ways. The result has everything before the damage and
// everything from the next whole tree on, and nothing that the journal did not have.
func TestSalvageDamage(t *testing.T) {
	rounds := 6
	if os.Getenv(thorough) != "" {
		rounds = 120
	}
	other := textOf(framesIn(t, string(write(t, gentest.Grow(t, gentest.Rand(77), 9, 4).History()))))
	for seed := range uint64(12) {
		for name, text := range damages(t, seed) {
			r := rand.New(rand.NewPCG(seed, 5))
			whole := wholeSnapshots(t, text)
			lines := strings.SplitAfter(text, "\n")
			lines = lines[:len(lines)-1]
			for round := range rounds {
				i := r.IntN(len(lines))
				damaged := slices.Clone(lines)
				first, what := i, ""
				switch round % 6 {
				case 0:
					what = "bytes"
					line := []byte(lines[i])
					for range 2 + r.IntN(40) {
						line[r.IntN(len(line))] ^= byte(1 + r.IntN(255))
					}
					damaged[i] = string(line)
				case 1:
					what = "missing"
					damaged = slices.Delete(damaged, i, i+1)
				case 2:
					what = "doubled"
					damaged = slices.Insert(damaged, i, lines[i])
					first = len(lines)
				case 3:
					what = "inserted"
					damaged = slices.Insert(damaged, max(i, 1), strings.Repeat("x", r.IntN(200))+"\n")
					first = len(lines)
				case 4:
					what = "zeros"
					damaged[i] = strings.Repeat("\x00", len(lines[i])-1) + "\n"
				case 5:
					what = "another journal"
					damaged = append(damaged, other)
					first = len(lines)
				}
				got, out := salvaged(t, strings.Join(damaged, ""))
				where := fmt.Sprintf("seed %d, %s, %s at line %d of %d: %+v\n%.3000s", seed, name, what, i+1, len(lines), out, strings.Join(damaged, ""))
				have := map[int64]string{}
				if got != "" {
					have = wholeSnapshots(t, got)
				}
				for cycle, s := range have {
					if want := whole[cycle]; want != s && (first > 0 || cutEdition(want) != cutEdition(s)) {
						t.Fatalf("cycle %d was invented: %s\n%s\nwant %s", cycle, where, s, whole[cycle])
					}
				}
				isWhole := first > 1 || first == 0
				for n, f := range framesIn(t, text) {
					isWhole = (isWhole || f.Kind == journal.Snapshot && n > first+1) && n != first
					if isWhole && f.IsSealed() && have[f.Cycle] == "" && !(first == 0 && name == "compacted") {
						t.Fatalf("cycle %d is whole and not there: %s", f.Cycle, where)
					}
				}
				if first == len(lines) && got != text {
					t.Fatalf("the journal is whole: %s", where)
				}
			}
		}
	}
}

// TestNoMemory reads and salvages a whole journal without the memory for it. Nothing of it is
// called damaged or lost.
func TestNoMemory(t *testing.T) {
	text := damages(t, 3)["plain"]
	taken := make([]byte, 100<<20)
	budget.Set(128 << 20)
	defer func() {
		budget.Set(0)
		runtime.KeepAlive(taken)
	}()
	for name, read := range map[string]func() error{
		"salvage": func() error { _, err := journal.Salvage("whole", text); return err },
		"read": func() error {
			_, _, err := journal.Read("whole", strings.NewReader(text), engine.ReadOptions{})
			return err
		},
		"verify": func() error {
			_, _, err := journal.Verify("whole", strings.NewReader(text), engine.ReadOptions{})
			return err
		},
		"tail": func() error { _, err := journal.ReadTail(strings.NewReader(text), int64(len(text))); return err },
		"line": func() error {
			_, err := journal.ParseLine([]byte(text[:strings.IndexByte(text, '\n')]))
			return err
		},
	} {
		budget.Reset()
		var err error
		for n := 0; err == nil && n < 10_000; n++ {
			err = read()
		}
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != engine.ErrMemory {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// cutEdition returns a snapshot without the version of the specification, which is only in a
// header.
func cutEdition(s string) string {
	return strings.NewReplacer("PACT/0.1.0", "PACT", "PACT/1.0.0", "PACT").Replace(s)
}

// TestSalvageFork salvages a fork from its file and the file of its base.
func TestSalvageFork(t *testing.T) {
	base := framesIn(t, string(write(t, gentest.Grow(t, gentest.Rand(5), 5, 4).History())))
	var at journal.Frame
	n := 0
	for i, f := range base[:len(base)-1] {
		if f.IsSealed() && f.End {
			at, n = f, i+1
		}
	}
	fork := journal.NewFork(at.Version(), engine.ForkPoint{History: "base", Cycle: at.Cycle}, false, "fork")
	line := journal.PrefixLine{ID: "fork", History: "base", End: int64(len(textOf(base[:n]))), Digest: at.Digest}
	own := textOf([]journal.Frame{line.Frame(), fork})
	want := textOf(append(slices.Clone(base[:n]), fork))
	whole := textOf(base)
	for at := 0; at < len(own); at += 2 {
		bad := []byte(own)
		bad[at] ^= 1 << (at % 8)
		out, err := journal.Salvage("fork", whole, string(bad))
		if got := textOf(out.Frames); err != nil || got != want && at < len(own)-1 {
			t.Fatalf("byte %d of the fork: %v, %+v\n%s\nwant\n%s", at, err, out, got, want)
		}
	}
	for at := 0; at < len(whole); at += 53 {
		bad := []byte(whole)
		bad[at] ^= 1 << (at % 8)
		out, err := journal.Salvage("fork", string(bad), own)
		if got := textOf(out.Frames); err != nil || got != want {
			t.Fatalf("byte %d of the base: %v, %+v\n%s\nwant\n%s", at, err, out, got, want)
		}
	}
	if out, err := journal.Salvage("fork", "", own); !errors.Is(err, journal.ErrLost) {
		t.Errorf("without its base: %v, %+v", err, out)
	}
}

func FuzzSalvage(f *testing.F) {
	text := textOf(framesIn(f, string(write(f, gentest.Grow(f, gentest.Rand(5), 3, 3).History()))))
	whole := wholeSnapshots(f, text)
	f.Add(uint(100), uint(5), []byte("x"))
	f.Add(uint(300), uint(0), []byte("\n"))
	f.Add(uint(1200), uint(9), []byte{})
	f.Fuzz(func(t *testing.T, at, cut uint, insert []byte) {
		i := int(at % uint(len(text)))
		j := min(i+int(cut%4096), len(text))
		bad := text[:i] + string(insert) + text[j:]
		if bytes.Contains(insert, []byte(`"sum"`)) {
			return
		}
		got, _ := salvaged(t, bad)
		if got == "" {
			return
		}
		for cycle, s := range wholeSnapshots(t, got) {
			if whole[cycle] != s {
				t.Fatalf("cycle %d was invented:\n%s", cycle, bad)
			}
		}
	})
}
