package source

import "github.com/pactkit/pactkit/thread/series"

// sentAs returns a message of OpenAI's chat API for a message of a framework. about becomes its
// About.
func sentAs(v value, at string, members written, about map[string]value) *series.Message {
	if members["content"].raw == "" {
		members["content"] = value{raw: "null"}
	}
	m := newMessage(members.value(), at)
	m.Line = v.line()
	setAbout(m, about)
	return m
}

// aboutAll returns the members of a value that are neither sent nor empty.
func aboutAll(v value, sent map[string]bool) map[string]value {
	kept := map[string]value{}
	for name, w := range v.members() {
		if !sent[name] && !w.missing() && w.raw != `""` && w.raw != "[]" && w.raw != "{}" && w.raw != "false" {
			kept[name] = value{raw: w.canonical()}
		}
	}
	return kept
}

// contentOf returns the content of a message: a list of parts, or a string if the only part is
// text.
func contentOf(parts []value) value {
	switch {
	case len(parts) == 0:
		return value{}
	case len(parts) == 1 && parts[0].get("type").text() == "text":
		return parts[0].get("text")
	}
	return listOfValues(parts)
}

func chatText(text value) value {
	return written{"type": quoted("text"), "text": {raw: text.canonical()}}.value()
}

// anyFormat returns the framework for a file that nothing tells from one of another format, such as
// one without calls.
func (f *framework) anyFormat() *framework {
	out := *f
	out.is, out.may = f.may, nil
	return &out
}
