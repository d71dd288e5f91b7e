//go:build !unix && !windows

package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

const (
	openNoWait        = 0
	canRenameOpenFile = false
)

// This system cannot lock files.

func (f osFile) TryLock() (bool, error) { return true, nil }

func (f osFile) Lock() error { return errors.ErrUnsupported }

func (s FS) openLocked(context.Context, *Locked, bool, bool) error { return errors.ErrUnsupported }

func closeBeforeReplace(File) {}

func (s FS) sweepFile(string) error { return ErrInUse } // it may be

func chownLike(File, fs.FileInfo) (user, group bool, err error) { return true, true, nil }

func linkCount(fs.FileInfo) uint64 { return 1 }

func syncFolder(func() (*os.File, error)) error { return nil }
