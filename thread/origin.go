package thread

import (
	"encoding/json"

	"github.com/pactkit/pactkit/engine"
)

// origin is what an importer writes into provenance, to render the log again. The values of the log
// are in the node; origin says where they belong. The first block of a message describes the whole
// message.
type origin struct {
	From    string `json:"from"`    // the name of the format
	Message int    `json:"message"` // number of the message in the log, from 0
	Role    string `json:"role,omitempty"`
	NoRole  bool   `json:"no_role,omitempty"`
	Shape   shape  `json:"shape,omitempty"`
	Type    string `json:"type,omitempty"`  // of the part, as it was written
	Raw     bool   `json:"raw,omitempty"`   // content is the whole part
	NoID    bool   `json:"no_id,omitempty"` // the importer made call_id
	// Implied: call_id is that of the call, but the log identifies the call by the order or in a
	// member that lists several ids.
	Implied bool `json:"implied_id,omitempty"`
	// The members of the record around a message, of the message, of the part and
	// of the function in a part that are custom members of the node.
	Record []kept `json:"record,omitempty"`
	Msg    []kept `json:"message_members,omitempty"`
	Part   []kept `json:"part,omitempty"`
	Call   []kept `json:"call,omitempty"`
}

// shape is how the content of a message was written.
type shape string

const (
	shapeText  shape = ""      // a string
	shapeParts shape = "parts" // a list of parts
	shapeNull  shape = "null"
	shapeNone  shape = "none"  // no content
	shapeBlank shape = "blank" // an empty string beside calls
	shapeEmpty shape = "empty" // an empty list
	shapeOther shape = "other" // anything else, in content as it was
	shapeRaw   shape = "raw"   // a line that is not JSON, in content
	shapeList  shape = "list"  // of a log: a bare list instead of an object
	shapeOne   shape = "body"  // of a log: an object instead of a bare list
)

// kept is a member of a log and the custom member of the node that holds it.
type kept struct{ name, member string }

// MarshalJSON writes the name, or name and member where they differ.
func (k kept) MarshalJSON() ([]byte, error) {
	if k.name == k.member {
		return json.Marshal(k.name)
	}
	return json.Marshal([2]string{k.name, k.member})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *kept) UnmarshalJSON(data []byte) error {
	var both [2]string
	if data[0] == '[' {
		err := json.Unmarshal(data, &both)
		k.name, k.member = both[0], both[1]
		return err
	}
	err := json.Unmarshal(data, &k.name)
	k.member = k.name
	return err
}

func (o *origin) value() (engine.Value, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return engine.Value{}, err
	}
	return engine.JSON(data)
}

// originOf reads the provenance of a node; nil for one that no importer wrote.
func originOf(n engine.Node) *origin {
	v := n.Header("provenance").String()
	if v == "" || v[0] != '{' {
		return nil
	}
	var o origin
	if json.Unmarshal([]byte(v), &o) != nil || o.From == "" {
		return nil
	}
	return &o
}
