package worker

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// list answers a request for the files in a folder, each of which is a path for other requests.
// Only their beginnings are read. Those of an unknown kind are left out with a note, as when the
// folder is read. The only file of any other path is the path itself, which is not looked at.
func (s *server) list(ctx context.Context, q *request) ([]byte, error) {
	b := begin(q.id)
	b.WriteString(`,"files":[`)
	var notes []thread.Note
	if !s.isFolder(q.source.Path) {
		fmt.Fprintf(b, `{"path":%s}]}`, canonjson.AppendString(nil, q.source.Path))
		return b.Bytes(), nil
	}
	o := sessions.Options{From: sessions.Kind(q.source.From), MaxBytes: s.MaxBytes, Folder: s.Folder}
	count := 0
	for f, err := range sessions.Files(ctx, []string{q.source.Path}, o) {
		if err == nil && f.IsFile() {
			_, err = f.Kind(ctx)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if sessions.IsUnknown(err) {
			notes = append(notes, sessions.UnknownKind(f.Path))
			continue
		}
		fmt.Fprintf(b, `%s{"path":%s`, comma(count), canonjson.AppendString(nil, f.Path))
		if err != nil {
			fmt.Fprintf(b, `,"error":%s`, canonjson.EncodeLine(s.problemOf(err, f.Path)))
		}
		b.WriteByte('}')
		count++
	}
	if count == 0 { // reading says why
		for _, err := range sessions.All(ctx, []string{q.source.Path}, o) {
			return nil, err
		}
	}
	b.WriteByte(']')
	appendNotes(b, notes)
	b.WriteByte('}')
	return b.Bytes(), nil
}

// isFolder reports whether a path is that of a folder.
func (s *server) isFolder(path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Folder, path)
	}
	info, err := atomicfile.Stat(path)
	return err == nil && info.IsDir()
}
