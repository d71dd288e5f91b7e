package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// newFileMode is the permission of a new file, from which the system takes the bits of umask.
const newFileMode fs.FileMode = 0o666

// publication is a new content of a file.
type publication struct {
	target string
	info   fs.FileInfo // of the target; nil if it does not exist
	fill   func(io.Writer) error
	strict bool         // the owner must stay
	last   func() error // runs right before the content is in place; may be nil
}

// publish writes a temporary file beside the target and renames it over the target.
func (s FS) publish(p publication) (err error) {
	writing.RLock()
	defer writing.RUnlock()
	temp, name, err := s.createTemp(p)
	if err != nil {
		return err
	}
	published := false
	defer func() {
		temp.Close()
		if !published {
			err = errors.Join(err, s.sys.Remove(name))
		}
	}()
	mode, err := keepOwner(temp, p)
	if err != nil {
		return err
	}
	if err := p.fill(temp); err != nil {
		return err
	}
	if p.info != nil {
		if err := temp.Chmod(mode); err != nil {
			return err
		}
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if p.last != nil {
		if err := p.last(); err != nil {
			return err
		}
	}
	if !canRenameOpenFile {
		if err := temp.Close(); err != nil {
			return err
		}
	}
	if err := s.sys.Rename(name, p.target); err != nil {
		return err
	}
	published = true
	if err := s.sys.SyncDir(folderOf(p.target)); err != nil {
		return fmt.Errorf("%w: %w", ErrUnflushed, err)
	}
	return nil
}

// folderOf returns the folder of a name, without changing what .. means in it.
func folderOf(name string) string {
	folder, _ := filepath.Split(name)
	if folder == "" {
		return "."
	}
	return folder
}

// keepOwner gives a temporary file the owner of the target, and returns the mode that it shall
// have. Only a privileged user can do that; otherwise the file belongs to the user who writes it,
// as with any editor, and what the old group may do is not granted to another one.
func keepOwner(temp File, p publication) (fs.FileMode, error) {
	if p.info == nil {
		return newFileMode, nil
	}
	mode := p.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	user, group, err := chownLike(temp, p.info)
	switch {
	case err != nil:
		return 0, err
	case !user && p.strict:
		return 0, ErrOwner
	case !user:
		mode &^= fs.ModeSetuid
	}
	if !group {
		mode &^= fs.ModeSetgid | 0o070&^(mode&0o007<<3)
	}
	return mode, nil
}

// The name of a temporary file: .pactkit-NAME-RANDOM.tmp, where NAME is that of the file that it is
// for, cut to keptName bytes. It begins with a dot, so tools that list or watch folders ignore it.
// Earlier versions left out NAME- and used digits.
const (
	tempPrefix = ".pactkit-"
	tempSuffix = ".tmp"
	keptName   = 120
)

// tempStem returns the name of a file as it is in the names of its temporary files.
func tempStem(name string) string {
	name = filepath.Base(name)
	if len(name) > keptName {
		n := keptName
		for !utf8.RuneStart(name[n]) {
			n--
		}
		name = name[:n]
	}
	return name
}

// parseTemp reports whether a name is that of a temporary file, and for which file that is; ""
// means any.
func parseTemp(name string) (stem string, ok bool) {
	middle, starts := strings.CutPrefix(name, tempPrefix)
	middle, ends := strings.CutSuffix(middle, tempSuffix)
	random := middle
	if i := strings.LastIndexByte(middle, '-'); i >= 0 {
		stem, random = middle[:i], middle[i+1:]
	}
	isRandom := len(random) == len(rand.Text()) && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
	isRandom = isRandom || stem == "" && random != "" && strings.Trim(random, "0123456789") == ""
	return stem, starts && ends && isRandom
}

// createTemp makes a temporary file and locks it for as long as it is open, which shows [Sweep]
// that it is in use.
func (s FS) createTemp(p publication) (File, string, error) {
	mode := newFileMode
	if p.info != nil {
		mode = 0o600
	}
	for {
		name := tempPrefix + tempStem(p.target) + "-" + rand.Text() + tempSuffix
		if folder := folderOf(p.target); folder != "." {
			name = folder + name
		}
		f, err := s.sys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			if errors.Is(err, fs.ErrPermission) {
				err = &fs.PathError{Op: "create", Path: name, Err: fmt.Errorf("its folder cannot be written: %w", cause(err))}
			}
			return nil, "", err
		}
		mine, err := f.TryLock()
		if err != nil {
			f.Close()
			s.sys.Remove(name)
			return nil, "", err
		}
		// Between the creation and the lock a sweep may have taken the file.
		if _, err = s.sys.Lstat(name); mine && err == nil {
			return f, name, nil
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.sys.Remove(name)
			return nil, "", err
		}
	}
}

// cause returns the error of the system in an error about a path.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Leftover is a temporary file that is still there after a sweep.
type Leftover struct {
	Name string // in its folder
	stem string
	Err  error // why: [ErrInUse], or an error of the system
}

// sweep removes the temporary files in a folder that nobody uses, and returns the others. The error
// joins those of the system.
func (s FS) sweep(folder string) ([]Leftover, error) {
	entries, err := s.sys.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var left []Leftover
	var errs []error
	for _, e := range entries {
		stem, ok := parseTemp(e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		name := e.Name()
		if folder != "." {
			name = strings.TrimSuffix(folder, string(os.PathSeparator)) + string(os.PathSeparator) + name
		}
		err := s.sweepFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			left = append(left, Leftover{e.Name(), stem, err})
		}
		if err != nil && !errors.Is(err, ErrInUse) {
			errs = append(errs, err)
		}
	}
	return left, errors.Join(errs...)
}
