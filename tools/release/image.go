package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// writeImages writes an image for each Linux platform, in the format that docker load reads. The
// images have no base image, because the programs are static.
func (r *release) writeImages(context.Context) error {
	for _, p := range r.platforms {
		if p.system != "linux" {
			continue
		}
		img, err := r.image(p)
		if err != nil {
			return err
		}
		tag, err := name.NewTag("pactkit/pactkit:" + r.version.semver)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := tarball.Write(tag, img, &b); err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("pactkit_%s_%s.docker.tar", r.version.semver, p), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) image(p platform) (v1.Image, error) {
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	files := []file{
		{name: "tmp/", mode: 0o1777}, {name: "data/", mode: 0o755},
		{name: "usr/share/doc/pactkit/LICENSE", mode: 0o644, data: license},
		{name: "usr/share/doc/pactkit/THIRD_PARTY_LICENSES", mode: 0o644, data: r.notices},
	}
	programs, err := r.programFiles(p)
	if err != nil {
		return nil, err
	}
	for _, f := range programs {
		f.name = "usr/bin/" + f.name
		files = append(files, f)
	}
	data, err := tarred(files, r.time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	if err != nil {
		return nil, err
	}
	img, err := mutate.Append(empty.Image, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: r.time}, CreatedBy: "tools/release"}})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(img, r.imageConfig(img, p))
}

// imageConfig returns the configuration of an image: pactkit runs in /data as an unprivileged user.
func (r *release) imageConfig(img v1.Image, p platform) *v1.ConfigFile {
	made, err := img.ConfigFile()
	if err != nil {
		made = &v1.ConfigFile{}
	}
	c := made.DeepCopy()
	c.OS, c.Architecture, c.Created = p.system, p.machine, v1.Time{Time: r.time}
	c.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/pactkit"},
		Env:        []string{"PATH=/usr/bin", "HOME=/tmp"},
		WorkingDir: "/data",
		User:       "65532:65532",
		Labels: map[string]string{
			"org.opencontainers.image.title":    "pactkit",
			"org.opencontainers.image.source":   "https://github.com/pactkit/pactkit",
			"org.opencontainers.image.version":  r.version.semver,
			"org.opencontainers.image.revision": r.revision,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return c
}
