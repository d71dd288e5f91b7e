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

// File is the file of a recording that is appended to. It is not safe for concurrent use.
type File struct {
	atomicfile.File
	size int64
}

// Open opens the file in the folder of a recording, and creates both if they are missing. A line at
// its end that a receiver before did not finish is cut off: its client was not answered, and sends
// it again. If another program writes to it, the error is [atomicfile.ErrInUse].
func Open(folder string) (*File, error) {
	if err := atomicfile.MakePrivateFolder(folder); err != nil {
		return nil, err
	}
	f, err := atomicfile.AppendPrivate(filepath.Join(folder, record.OTLPName))
	if err != nil {
		return nil, err
	}
	file := &File{File: f}
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

// repair cuts off a line without an end.
func (f *File) repair() error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	f.size = info.Size()
	part := make([]byte, 64<<10)
	for end := f.size; end > 0; {
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
	if size == f.size {
		return nil
	}
	f.size = size
	return f.Truncate(size)
}

// append writes a line. After an error the file is as it was.
func (f *File) append(line []byte) error {
	if f.size+int64(len(line)) > mostWritten {
		return fmt.Errorf("the recording has %d GB", mostWritten>>30)
	}
	if _, err := f.Write(line); err != nil {
		return errors.Join(err, f.Truncate(f.size))
	}
	f.size += int64(len(line))
	return nil
}
