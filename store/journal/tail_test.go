package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/store/journal"
)

// lines returns a journal whose frames have texts of the given lengths; every second frame ends an
// append. It also returns the frames, and the offset after each line.
func lines(lengths ...int) (data []byte, frames []journal.Frame, ends []int) {
	var before journal.Digest
	for i, n := range lengths {
		f := journal.Frame{Kind: journal.Delta, Cycle: int64(i), End: i%2 == 1}
		f.Body = fmt.Sprintf(`{"cycle":%d,"delta":{"x":%q},"end":%t}`, i, strings.Repeat("x", n), f.End)
		f.Digest = journal.Chain(before, f.Body)
		data = f.AppendLine(data)
		before = f.Digest
		frames, ends = append(frames, f), append(ends, len(data))
	}
	return data, frames, ends
}

func TestParseLine(t *testing.T) {
	data, frames, _ := lines(0, 10, 70000)
	i := 0
	for line := range bytes.Lines(data) {
		line = line[:len(line)-1]
		got, err := journal.ParseLine(line)
		if diff := cmp.Diff(frames[i], got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if n := len(line) + 1 - len(got.Body); n != journal.LineOverhead {
			t.Errorf("%d bytes beside the body", n)
		}
		if d, ok := journal.LineDigest(line); !ok || d != got.Digest {
			t.Error(d, ok)
		}
		i++
	}
	digest := frames[0].Digest.String()
	for _, bad := range []string{"", "{}", `{"digest":"` + digest + `"}`, `[,"digest":"` + digest + `"}`, `{"a":1,"digest":"` + digest + `"}x`, `{"a":1,"digest":"` + strings.ToUpper(digest) + `"}`,
		`{"a":1,"a":2,"digest":"` + digest + `"}`, `{"cycle":1.5,"digest":"` + digest + `"}`, `{"cycle":"1","digest":"` + digest + `"}`, `{"a":1}{"b":1,"digest":"` + digest + `"}`} {
		if f, err := journal.ParseLine([]byte(bad)); !errors.Is(err, journal.ErrLine) {
			t.Errorf("%q: %+v, %v", bad, f, err)
		}
	}
}

func TestBackward(t *testing.T) {
	data, frames, ends := lines(3, 17000, 5, 40000, 0, 1)
	for end := range len(data) + 1 {
		if end%97 != 0 && end != len(data) {
			continue
		}
		want := 0
		for want < len(ends) && ends[want] <= end {
			want++
		}
		i := want
		for line, err := range journal.Backward(bytes.NewReader(data), int64(end)) {
			if err != nil {
				t.Fatal(err)
			}
			i--
			f, err := journal.ParseLine(line.Text)
			if err != nil || f != frames[i] {
				t.Fatalf("%d: line %d is %v, %v", end, i, f, err)
			}
			if journal.Chain(line.Before, f.Body) != f.Digest || int(line.Start)+len(line.Text)+1 != ends[i] {
				t.Fatalf("%d: line %d begins at %d after %s", end, i, line.Start, line.Before)
			}
		}
		if i != 0 {
			t.Fatalf("%d: %d lines are missing", end, i)
		}
	}
}

// TestTail cuts a journal at every byte, and changes every bit of its last three lines.
func TestTail(t *testing.T) {
	data, frames, ends := lines(3, 200, 5, 40, 60, 20)
	for end := range len(data) + 1 {
		want := journal.Tail{}
		for i := 1; i < len(ends) && ends[i] <= end; i += 2 {
			want = journal.Tail{End: int64(ends[i]), Version: frames[i].Version()}
		}
		for _, cut := range [][]byte{data[:end], append(data[:end:end], make([]byte, 700)...), append(data[:end:end], append(make([]byte, 700), '\n')...)} {
			got, err := journal.ReadTail(bytes.NewReader(cut), int64(len(cut)))
			if err != nil || got != want {
				t.Fatalf("cut at %d of %d: %v, %v; want %v", end, len(cut), got, err, want)
			}
		}
	}
	last := journal.Tail{End: int64(ends[3]), Version: frames[3].Version()}
	for at := ends[2]; at < len(data); at++ {
		for _, flip := range []byte{1, 2, 4, 8, 16, 32, 64, 128} {
			bad := bytes.Clone(data)
			bad[at] ^= flip
			got, err := journal.ReadTail(bytes.NewReader(bad), int64(len(bad)))
			switch {
			case at < ends[3] && err == nil && got.Version == frames[5].Version(): // only the end mark of the previous append counts
				continue
			case at == len(data)-1 && err == nil && got == last: // the last line has no newline, so it was not complete
				continue
			}
			if !errors.Is(err, journal.ErrDigest) {
				t.Fatalf("byte %d changed by %d: %v, %v", at, flip, got, err)
			}
		}
	}
}
