package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/internal/budget"
)

// codec translates messages between the wire and jsonrpc2. On the wire the id of a request is any
// string or number; jsonrpc2 reads a fraction as an error and a negative number as a positive one.
// Within the server, the id of a client's request is therefore a string: the JSON text of the id.
type codec struct {
	initialized bool // the client has sent initialize
}

// limit is the current maximum size of a message, as far as the memory of the process allows.
// Before initialize it is small, so an unknown client cannot make the server allocate much.
func (c *codec) limit() int {
	most := maxFirst
	if c.initialized {
		most = maxFrame
	}
	return int(budget.Buffer(int64(most)))
}

// envelope has the members that distinguish requests, notifications and responses.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// readMessage reads frames until one holds a message, and decodes that into v. JSON that is not a
// message is answered with an error; a malformed response is dropped, since responses are not
// answered.
func (c *codec) readMessage(v any, frame func() ([]byte, error), write func([]byte) error) error {
	for {
		body, err := frame()
		if err != nil {
			return err
		}
		refusal := c.decode(body, v)
		if refusal == nil {
			return nil
		}
		reflect.ValueOf(v).Elem().SetZero() // it may contain a part of a rejected message
		if refusal.Error == nil {
			continue
		}
		data, err := json.Marshal(refusal)
		if err != nil {
			return err
		}
		if err := write(data); err != nil {
			return err
		}
	}
}

// refusal is the answer to JSON that is not a valid message. A refusal without an error is not
// sent.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *jsonrpc2.Error `json:"error"`
}

// decode decodes a message into v. It returns nil if that succeeds.
func (c *codec) decode(body []byte, v any) *refusal {
	refuse := func(code int64, id json.RawMessage, why error) *refusal {
		return &refusal{"2.0", id, &jsonrpc2.Error{Code: code, Message: why.Error()}}
	}
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		if json.Valid(body) {
			return refuse(jsonrpc2.CodeInvalidRequest, nil, err)
		}
		return refuse(jsonrpc2.CodeParseError, nil, err)
	}
	if e.Method == nil {
		err := json.Unmarshal(body, v)
		switch {
		case err == nil:
			return nil
		case e.Result != nil || e.Error != nil:
			return &refusal{}
		}
		return refuse(jsonrpc2.CodeInvalidRequest, nil, err)
	}
	c.initialized = c.initialized || *e.Method == protocol.MethodInitialize
	if e.ID != nil {
		id, ok := wireID(e.ID)
		if !ok {
			return refuse(jsonrpc2.CodeInvalidRequest, nil, fmt.Errorf("%s is not an id: it must be a string or a number", e.ID))
		}
		request := jsonrpc2.Request{Method: *e.Method, ID: id}
		if e.Params != nil {
			request.Params = &e.Params
		}
		var err error
		if body, err = json.Marshal(request); err != nil {
			return refuse(jsonrpc2.CodeInvalidRequest, e.ID, err)
		}
	}
	if err := json.Unmarshal(body, v); err != nil {
		return refuse(jsonrpc2.CodeInvalidRequest, nil, err)
	}
	return nil
}

// wireID returns the id that a client's request has within the server. It returns false if the JSON
// is not an id.
func wireID(raw json.RawMessage) (jsonrpc2.ID, bool) {
	switch {
	case len(raw) == 0:
		return jsonrpc2.ID{}, false
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return jsonrpc2.ID{}, false
		}
		plain, err := json.Marshal(text) // the same string may be written with other escapes
		return jsonrpc2.ID{Str: string(plain), IsString: true}, err == nil
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return jsonrpc2.ID{Str: string(raw), IsString: true}, true
	}
	return jsonrpc2.ID{}, false
}

// idMember begins the answers to a client's requests, as jsonrpc2 writes them. The ids of the
// server's own requests are numbers.
const idMember = `{"id":`

// encode encodes a message, with the ids of a client's requests as the client wrote them.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil || !bytes.HasPrefix(data, []byte(idMember+`"`)) {
		return data, err
	}
	dec := json.NewDecoder(bytes.NewReader(data[len(idMember):]))
	var id string
	if err := dec.Decode(&id); err != nil {
		return nil, err
	}
	return slices.Replace(data, len(idMember), len(idMember)+int(dec.InputOffset()), []byte(id)...), nil
}
