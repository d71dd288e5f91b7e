package journal

import (
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// NewFork returns the frame with which a fork begins after a frame of another history. id is the
// name of the fork. If sealed is set, the fork begins with the snapshot alone, because the working
// state after it is not known.
func NewFork(after Version, from engine.ForkPoint, sealed bool, id string) Frame {
	point := []member{{"cycle", decimal(from.Cycle)}, {"history", quote(from.History)}}
	if sealed {
		point = append(point, member{"sealed", "true"})
	}
	f := Frame{Kind: Fork, Cycle: after.Cycle, End: true}
	f.Body = withVersion(latestVersion, []member{{"cycle", decimal(f.Cycle)}, {"end", "true"}, {"fork", objectText(point)}, {"id", quote(id)}})
	f.Digest = Chain(after.Digest, f.Body)
	return f
}

// A PrefixLine is the first line of the file of a fork. It stands for the frames that the fork has
// in common with another history.
type PrefixLine struct {
	ID      string // of the fork
	History string // in whose file the frames are
	End     int64  // how many bytes their lines have, from the beginning of that history
	Digest  Digest // of the last of them
}

// Frame returns the frame of the line, which has the digest of the last frame that it stands for.
func (p PrefixLine) Frame() Frame {
	list := []member{{"end", decimal(p.End)}, {"history", quote(p.History)}}
	body := withVersion(latestVersion, []member{{"id", quote(p.ID)}, {"prefix", objectText(list)}})
	return Frame{Kind: Prefix, Digest: p.Digest, Body: body}
}

// ReadPrefix reads the first line of the file of a fork.
func ReadPrefix(f Frame) (PrefixLine, error) {
	p := PrefixLine{Digest: f.Digest}
	in := parser{canonjson.NewScanner(f.Body, lineDepth)}
	if f.Kind != Prefix {
		return p, lineError("a prefix is expected")
	}
	err := in.Object(func(name string, _ int) error {
		switch name {
		case "id":
			return in.text(name, &p.ID)()
		case "prefix":
			return in.object(name, map[string]func() error{"end": in.integer("end", &p.End), "history": in.text("history", &p.History)})
		}
		return in.Skip()
	})
	if err != nil {
		return p, scanError(err)
	}
	return p, nil
}

// PrefixMagic begins the first line of the file of a fork, and the first frame of version 4 if the
// header is of an older version.
const PrefixMagic = magic + `,"version":4,`

// withVersion writes the body of a line with the version of its format. The version comes first, so
// a program that knows only older versions says so.
func withVersion(version int64, list []member) string {
	return magic + `,"version":` + decimal(version) + "," + bodyText(list)[1:]
}

// failPrefix is the error of a file whose beginning is in another file.
func (d *Decoder) failPrefix(f Frame) error {
	p, err := ReadPrefix(f)
	if err != nil {
		return err
	}
	return d.fail(ErrPrefix, "this is a fork that begins in the history %q of its store", p.History)
}
