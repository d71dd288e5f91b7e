package otlp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/record"
)

// mostWritten limits the file of a recording.
const mostWritten = 16 << 30

// File is the file of a recording. It must not be used concurrently.
type File struct{ atomicfile.Growing }

// Open opens the file in the folder of a recording and locks it. It creates the folder and the file
// if they are missing. An unfinished line at the end of the file is cut off: its client got no
// answer and sends it again. If another program writes to the file, the error is
// [atomicfile.ErrInUse].
func Open(folder string) (*File, error) {
	if err := atomicfile.MakePrivateFolder(folder); err != nil {
		return nil, err
	}
	f, err := atomicfile.AppendPrivate(filepath.Join(folder, record.OTLPName))
	if err != nil {
		return nil, err
	}
	file := &File{atomicfile.Growing{File: f}}
	mine, err := f.TryLock()
	if err == nil && !mine {
		err = atomicfile.ErrInUse
	}
	if err == nil {
		err = file.repair()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file, nil
}

// repair cuts off an unfinished line at the end of the file. Its cost is the length of that line.
func (f *File) repair() error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	f.Size = info.Size()
	part := make([]byte, 64<<10)
	for end := f.Size; end > 0; {
		start := max(end-int64(len(part)), 0)
		n, err := f.ReadAt(part[:end-start], start)
		if err != nil && err != io.EOF {
			return err
		}
		if i := bytes.LastIndexByte(part[:n], '\n'); i >= 0 {
			return f.cut(start + int64(i) + 1)
		}
		end = start
	}
	return f.cut(0)
}

func (f *File) cut(size int64) error {
	if size == f.Size {
		return nil
	}
	f.Size = size
	return f.Truncate(size)
}

// append writes a line, unless the file would exceed its limit.
func (f *File) append(line []byte) error {
	if f.Size+int64(len(line)) > mostWritten {
		return fmt.Errorf("the recording has %d GB", mostWritten>>30)
	}
	return f.Append(line)
}
