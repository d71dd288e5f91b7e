package thread

import (
	"encoding/json"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// picture is an image in a form that every provider accepts: an address, or the bytes.
type picture struct {
	url  string
	mime string
	data string // base64
}

// pictureIn reads the part of a format that holds an image.
func pictureIn(v engine.Value) (picture, bool) {
	type bytes struct {
		Mime    string `json:"mimeType"`
		MimeOld string `json:"mime_type"`
		Data    string `json:"data"`
		URI     string `json:"fileUri"`
		URIOld  string `json:"file_uri"`
	}
	var part struct {
		Type     string          `json:"type"`
		ImageURL json.RawMessage `json:"image_url"`
		Source   struct {
			Type string `json:"type"`
			Mime string `json:"media_type"`
			Data string `json:"data"`
			URL  string `json:"url"`
		} `json:"source"`
		Inline    *bytes `json:"inlineData"`
		InlineOld *bytes `json:"inline_data"`
		File      *bytes `json:"fileData"`
		FileOld   *bytes `json:"file_data"`
	}
	if json.Unmarshal([]byte(v.String()), &part) != nil {
		return picture{}, false
	}
	var p picture
	switch part.Type {
	case "image_url":
		var in struct{ URL string }
		if json.Unmarshal(part.ImageURL, &in) != nil {
			return picture{}, false
		}
		p.url = in.URL
	case "input_image":
		if json.Unmarshal(part.ImageURL, &p.url) != nil {
			return picture{}, false
		}
	case "image":
		p = picture{part.Source.URL, part.Source.Mime, part.Source.Data}
	case "":
		for _, b := range [...]*bytes{part.Inline, part.InlineOld, part.File, part.FileOld} {
			if b != nil && strings.HasPrefix(b.Mime+b.MimeOld, "image/") {
				p = picture{b.URI + b.URIOld, b.Mime + b.MimeOld, b.Data}
			}
		}
	}
	if rest, ok := strings.CutPrefix(p.url, "data:"); ok {
		mime, data, ok := strings.Cut(rest, ";base64,")
		if !ok {
			return picture{}, false
		}
		p = picture{mime: mime, data: data}
	}
	return p, p.url != "" || p.data != "" && p.mime != ""
}

// part writes an image as a part of a format.
func (p picture) part(f Format) (engine.Value, bool) {
	url := p.url
	if url == "" {
		url = "data:" + p.mime + ";base64," + p.data
	}
	object := func(pairs ...string) string {
		var w writer
		w.open('{')
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i+1] != "" {
				w.member(pairs[i], pairs[i+1])
			}
		}
		w.close('}')
		return string(w.buf)
	}
	switch f {
	case OpenAI:
		return constant(`{"type":"image_url","image_url":` + object("url", url) + `}`), true
	case OpenAIResponses:
		return constant(object("type", "input_image", "image_url", url)), true
	case Anthropic, ClaudeCode:
		source := object("type", "base64", "media_type", p.mime, "data", p.data)
		if p.url != "" {
			source = object("type", "url", "url", p.url)
		}
		return constant(`{"type":"image","source":` + source + `}`), true
	case Gemini:
		if p.url != "" {
			return constant(`{"fileData":` + object("mimeType", p.mime, "fileUri", p.url) + `}`), true
		}
		return constant(`{"inlineData":` + object("mimeType", p.mime, "data", p.data) + `}`), true
	}
	return engine.Value{}, false
}
