package calls

import "github.com/pactkit/pactkit/engine"

// Record says where a log has what no call was sent, such as what the model thought if its provider
// is not sent that again.
type Record struct {
	File   string `json:"file"`
	Line   int64  `json:"line,omitempty"`   // from 1; 0 if unknown
	Before string `json:"before,omitempty"` // the id of the node that follows it; empty if unknown
}

// RecordOf returns where a log has the content of a node, if it can be read and no call was sent
// it.
func RecordOf(n engine.Node) (r Record, ok bool) {
	if kind, _ := n.Kind(); kind != "unsent" || n.UserType() != "record" || n.Base() != engine.BaseCont {
		return r, false
	}
	r.Before, _ = n.Header("with").Text()
	r.File, _ = n.Header("file").Text()
	if line, ok := n.Header("line").Number(); ok {
		r.Line, _ = line.Int64()
	}
	return r, true
}
