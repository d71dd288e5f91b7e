package tokens

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/opaque"
)

// Media returns how many images, sounds and files the content of a node holds as base64.
// [Counter.Node] does not count them: providers count them by pixels or seconds, not as text, with
// rules that differ from model to model.
func Media(n engine.Node) int {
	_, media := textOf(n)
	return media
}

// Text returns the text of a node that [Counter.Node] counts.
func Text(n engine.Node) string {
	text, _ := textOf(n)
	return text
}

// textOf returns the part of the content of a node that is counted, and the number of media left
// out of it. Encrypted reasoning and signatures are left out too. Providers treat the arguments of
// a call as text, whatever they contain.
func textOf(n engine.Node) (text string, media int) {
	v := n.Content()
	kind, _ := n.Kind()
	text, isText := v.Text()
	if !isText {
		text = v.String()
	}
	if parts := n.Header("parts").String(); kind == "result" && strings.HasPrefix(parts, "[") { // of Gemini, beside the response
		text, isText = "["+v.String()+","+parts+"]", false
	}
	if isText || kind == "call" {
		return text, 0
	}
	text, data := opaque.Strip(text, nil)
	return text, data.Media
}
