package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Peer is an implementation that answers requests, one line each.
type Peer struct {
	Hello   Hello
	in      io.Writer
	answers chan []byte // closed when the output ends
}

// Hello is how an implementation describes itself.
type Hello struct {
	Implementation string   `json:"implementation"`
	Version        string   `json:"version"`
	Editions       []string `json:"editions"`
	Features       []string `json:"features"`
	Note           string   `json:"note,omitempty"` // what readers of its results must know
}

const (
	protocolVersion = 1
	maxLine         = 64 << 20
	patience        = 3 * time.Minute // for one answer, also on a busy machine
)

// errGone means that the implementation has ended, or does not answer.
var errGone = errors.New("the implementation has ended")

// Connect greets an implementation that reads requests from in and writes answers to out.
func Connect(in io.Writer, out io.Reader) (*Peer, error) {
	p := &Peer{in: in, answers: make(chan []byte)}
	go p.listen(out)
	answer, err := p.ask(map[string]any{"do": "hello", "protocol": protocolVersion})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(data, &p.Hello)
	}
	if err != nil {
		return nil, err
	}
	if p.Hello.Implementation == "" {
		return nil, fmt.Errorf("the answer to hello has no implementation: %s", data)
	}
	return p, nil
}

func (p *Peer) listen(out io.Reader) {
	defer close(p.answers)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		p.answers <- append([]byte(nil), lines.Bytes()...)
	}
}

// ask sends one request and waits for its answer.
func (p *Peer) ask(request map[string]any) (map[string]any, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, errGone
	}
	select {
	case data, ok := <-p.answers:
		if !ok {
			return nil, errGone
		}
		var answer map[string]any
		if err := decode(data, &answer); err != nil {
			return nil, fmt.Errorf("the answer %.200q is not a JSON object", data)
		}
		return answer, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("no answer within %v: %w", patience, errGone)
	}
}
