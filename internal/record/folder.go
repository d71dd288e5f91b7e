package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// Root returns the default folder for the recordings of a user. getenv is os.Getenv.
func Root(home string, getenv func(string) string) string {
	return filepath.Join(cmp.Or(getenv("XDG_STATE_HOME"), filepath.Join(home, ".local", "state")), "pactkit", "recordings")
}

// NewFolder returns the path of a new recording below root. Its name consists of the time, the name
// of the program, and the first six random letters, which make it unique.
func NewFolder(root string, at time.Time, agent, random string) string {
	name := at.UTC().Format("20060102T150405Z")
	if agent != "" {
		name += "-" + plainName(agent, "._")
	}
	return filepath.Join(root, name+"-"+strings.ToLower(random[:min(len(random), 6)]))
}

// Recording describes a recording on the disk.
type Recording struct {
	Path   string `json:"path"` // of the folder
	Header Header `json:"header"`
	Calls  int    `json:"calls"`
	Bytes  int64  `json:"bytes"` // of all files
	End    *End   `json:"end,omitempty"`
	Active bool   `json:"active"` // the recording is being written
}

// List returns the recordings in the folder root, the newest first. Folders without a readable log
// are left out. A missing root has no recordings. It reads the beginning and the end of each log.
func List(root string) ([]Recording, error) {
	entries, err := atomicfile.List(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Recording
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if r, err := Describe(filepath.Join(root, e.Name())); err == nil {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Recording) int { return b.Header.Start.Compare(a.Header.Start) })
	return out, nil
}

// tail is the number of bytes that are read first at the end of a log to find its last lines.
const tail = 64 << 10

// Describe describes the recording in a folder. It reads the beginning and the end of its log.
func Describe(folder string) (Recording, error) {
	r := Recording{Path: folder}
	f, err := atomicfile.Open(filepath.Join(folder, LogName))
	if err != nil {
		return r, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return r, err
	}
	head := make([]byte, min(info.Size(), 1<<20))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return r, err
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if err := json.Unmarshal(line, &r.Header); err != nil || r.Header.Format != Format {
		return r, fmt.Errorf("%s: not a recording", filepath.Join(folder, LogName))
	}
	if mine, err := f.TryLock(); err == nil {
		r.Active = !mine
	}
	for n := int64(tail); ; n *= 16 {
		from := max(info.Size()-n, 0)
		data := make([]byte, info.Size()-from)
		if _, err := f.ReadAt(data, from); err != nil && err != io.EOF {
			return r, err
		}
		if r.ending(data) || from == 0 {
			break
		}
	}
	r.Bytes = size(folder)
	return r, nil
}

// ending sets the number of calls from the last lines of a log. It returns false if they do not
// have it.
func (r *Recording) ending(data []byte) bool {
	lines := bytes.Split(data, []byte("\n"))
	for _, line := range slices.Backward(lines[:len(lines)-1]) { // the line after the last newline is unfinished
		switch {
		case bytes.HasPrefix(line, []byte(`{"end":`)):
			e := &End{}
			if json.Unmarshal(line, e) == nil {
				r.End, r.Calls = e, e.Calls
				return true
			}
		case bytes.HasPrefix(line, []byte(`{"call":`)):
			var call struct{ Call int }
			if json.Unmarshal(line, &call) == nil {
				r.Calls = call.Call + 1
				return true
			}
		}
	}
	return false
}

// size returns the size of all files below a folder. Folders that cannot be read count 0.
func size(folder string) (sum int64) {
	entries, _ := atomicfile.List(folder)
	for _, e := range entries {
		if e.IsDir() {
			sum += size(filepath.Join(folder, e.Name()))
		} else if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// Growing returns the file of a recording to which calls are added, or "" if the folder has no
// recording.
func Growing(folder string) string {
	for _, name := range []string{OTLPName, LogName} {
		if info, err := atomicfile.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(folder, name)
		}
	}
	return ""
}

// Retain removes the recordings in the folder root that are older than age, and then the oldest
// ones until all files together have at most limit bytes. 0 means no limit. It keeps recordings
// that are being written. It returns the recordings that it removed, also with an error.
func Retain(root string, now time.Time, age time.Duration, limit int64) ([]Recording, error) {
	list, err := List(root)
	if err != nil {
		return nil, err
	}
	var sum int64
	for _, r := range list {
		sum += r.Bytes
	}
	var removed []Recording
	var errs []error
	for _, r := range slices.Backward(list) {
		if isOld := age > 0 && now.Sub(r.Header.Start) > age; !isOld && (limit <= 0 || sum <= limit) {
			continue
		}
		err := atomicfile.RemoveUnused(r.Path, LogName)
		switch {
		case err == nil:
			sum -= r.Bytes
			removed = append(removed, r)
		case !errors.Is(err, atomicfile.ErrInUse):
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}
