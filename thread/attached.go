package thread

import (
	"cmp"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// attached is a document or a recording in a form that the providers which accept it have: a URL,
// or the bytes.
type attached struct {
	url  string
	mime string
	data string // base64
	name string
}

// attachedIn returns the document or recording in a part of any format.
func attachedIn(part *value) (attached, bool) {
	var p attached
	switch kind := textOf(part, "type"); kind {
	case "file":
		file, _ := part.get("file")
		p = attached{url: textOf(file, "file_data"), name: textOf(file, "filename")}
	case "input_file":
		p = attached{url: cmp.Or(textOf(part, "file_data"), textOf(part, "file_url")), name: textOf(part, "filename")}
	case "input_audio":
		audio, _ := part.get(kind)
		p = attached{mime: audioTypes[textOf(audio, "format")], data: textOf(audio, "data")}
	case "document":
		source, _ := part.get("source")
		p = attached{textOf(source, "url"), textOf(source, "media_type"), "", textOf(part, "title")}
		if textOf(source, "type") == "base64" {
			p.data = textOf(source, "data")
		}
	case "document-url", "audio-url": // of Pydantic AI
		p = attached{url: textOf(part, "url"), mime: textOf(part, "media_type")}
	case "":
		for _, member := range [...]string{"inlineData", "inline_data"} {
			b, _ := part.get(member)
			p = attached{"", p.mime + textOf(b, "mimeType") + textOf(b, "mime_type"), p.data + textOf(b, "data"), ""}
		}
	}
	if mime, data, ok := bytesIn(p.url); ok {
		p.url, p.mime, p.data = "", mime, data
	}
	return p, strings.Contains(p.url, ":") || p.data != "" && p.mime != ""
}

// bytesIn returns the media type and the bytes in a data URL, in base64.
func bytesIn(url string) (mime, data string, ok bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if ok {
		mime, data, ok = strings.Cut(rest, ";base64,")
	}
	return mime, data, ok
}

// audioTypes has the media types of the formats of recordings in OpenAI's chat API.
var audioTypes = map[string]string{"wav": "audio/wav", "mp3": "audio/mpeg"}

// part returns a document or recording as a part of a format.
func (p attached) part(f Format) (engine.Value, bool) {
	url := cmp.Or(p.url, "data:"+p.mime+";base64,"+p.data)
	const pdf = "application/pdf"
	name := p.name
	if name == "" && p.mime == pdf && (f == OpenAI || f == OpenAIResponses) { // which want one
		name = "document.pdf"
	}
	switch f {
	case OpenAI:
		for format, mime := range audioTypes {
			if p.mime == mime {
				return constant(`{"type":"input_audio","input_audio":` + object("data", p.data, "format", format).String() + "}"), true
			}
		}
		return constant(`{"type":"file","file":` + object("filename", name, "file_data", url).String() + "}"), p.url == ""
	case OpenAIResponses:
		if p.url != "" {
			return object("type", "input_file", "filename", p.name, "file_url", url), true
		}
		return object("type", "input_file", "filename", name, "file_data", url), !strings.HasPrefix(p.mime, "audio/")
	case Anthropic, ClaudeCode:
		source := object("type", "base64", "media_type", p.mime, "data", p.data)
		if p.url != "" {
			source = object("type", "url", "url", p.url)
		}
		return with(object("type", "document", "title", p.name), "source", source), p.url != "" || p.mime == pdf
	case Gemini:
		if p.url != "" {
			return constant(`{"fileData":` + object("mimeType", p.mime, "fileUri", p.url).String() + "}"), true
		}
		return constant(`{"inlineData":` + object("mimeType", p.mime, "data", p.data).String() + "}"), true
	case PydanticAI:
		if p.url != "" {
			return object("kind", "document-url", "media_type", p.mime, "url", p.url), true
		}
		return object("kind", "binary", "media_type", p.mime, "data", p.data), true
	case AISDK:
		return object("type", "file", "mediaType", cmp.Or(p.mime, "application/octet-stream"), "data", url, "filename", p.name), true
	case AISDKUI:
		return object("type", "file", "mediaType", cmp.Or(p.mime, "application/octet-stream"), "url", url, "filename", p.name), true
	}
	return engine.Value{}, false
}
