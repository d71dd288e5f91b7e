package thread

import (
	"cmp"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// image is an image in a form that every provider accepts: a URL, or the bytes.
type image struct {
	url  string
	mime string
	data string // base64
}

// imageIn returns the image in a part of any format.
func imageIn(part *value) (image, bool) {
	kind, hasKind := part.get("type")
	url, _ := part.get("image_url")
	var p image
	switch name, _ := kind.text(); {
	case name == "image_url":
		p.url = textOf(url, "url")
	case name == "input_image":
		p.url, _ = url.text()
	case name == "image":
		source, _ := part.get("source")
		p = image{textOf(source, "url"), textOf(source, "media_type"), textOf(source, "data")}
	case !hasKind:
		for _, member := range [...]string{"inlineData", "inline_data", "fileData", "file_data"} {
			b, _ := part.get(member)
			mime := textOf(b, "mimeType") + textOf(b, "mime_type")
			if strings.HasPrefix(mime, "image/") {
				p = image{textOf(b, "fileUri") + textOf(b, "file_uri"), mime, textOf(b, "data")}
			}
		}
	}
	if mime, data, ok := bytesIn(p.url); ok {
		p = image{mime: mime, data: data}
	} else if strings.HasPrefix(p.url, "data:") {
		return image{}, false
	}
	return p, p.url != "" || p.data != "" && p.mime != ""
}

// part returns an image as a part of a format.
func (p image) part(f Format) (engine.Value, bool) {
	url := p.url
	if url == "" {
		url = "data:" + p.mime + ";base64," + p.data
	}
	switch f {
	case OpenAI, LangChain:
		return constant(`{"type":"image_url","image_url":` + object("url", url).String() + `}`), true
	case OpenAIResponses:
		return object("type", "input_image", "image_url", url), true
	case Anthropic, ClaudeCode:
		source := object("type", "base64", "media_type", p.mime, "data", p.data)
		if p.url != "" {
			source = object("type", "url", "url", p.url)
		}
		return constant(`{"type":"image","source":` + source.String() + `}`), true
	case Gemini:
		if p.url != "" {
			return constant(`{"fileData":` + object("mimeType", p.mime, "fileUri", p.url).String() + `}`), true
		}
		return constant(`{"inlineData":` + object("mimeType", p.mime, "data", p.data).String() + `}`), true
	case PydanticAI:
		if p.url != "" {
			return object("url", p.url, "kind", "image-url"), true
		}
		return object("data", p.data, "media_type", p.mime, "kind", "binary"), true
	case AISDK:
		return object("type", "image", "image", url), true
	case AISDKUI:
		return object("type", "file", "mediaType", cmp.Or(p.mime, "image/*"), "url", url), true
	}
	return engine.Value{}, false
}
