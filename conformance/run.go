package conformance

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Report is the result of a run.
type Report struct {
	Hello    Hello              `json:"hello"`
	Outcomes map[string]Outcome `json:"outcomes"` // by group/id
}

// Run runs the cases whose names, such as ranges/pair, pass the filter. It calls connect at the
// start, and again after the implementation has ended. A case that ends it has failed.
func (s *Suite) Run(connect func() (*Peer, error), filter func(name string) bool) (*Report, error) {
	r := &Report{Outcomes: map[string]Outcome{}}
	var p *Peer
	for _, g := range s.Groups {
		for _, c := range g.Cases {
			name := g.Name + "/" + c.ID
			if !filter(name) {
				continue
			}
			if p == nil {
				var err error
				if p, err = connect(); err != nil {
					return nil, err
				}
				r.Hello = p.Hello
			}
			status, detail, err := s.runCase(p, c)
			switch {
			case errors.Is(err, errGone):
				p, status, detail = nil, Failed, err.Error()
			case err != nil:
				status, detail = Failed, err.Error()
			}
			r.Outcomes[name] = Outcome{status, shorten(detail)}
		}
	}
	return r, nil
}

// shorten cuts a long detail.
func shorten(detail string) string {
	const most = 300
	if runes := []rune(detail); len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return detail
}

// runCase runs the steps of a case until one fails or is not supported.
func (s *Suite) runCase(p *Peer, c *Case) (Status, string, error) {
	if c.Edition != "" && !slices.Contains(p.Hello.Editions, c.Edition) {
		return Unsupported, "edition " + c.Edition, nil
	}
	for _, step := range c.Steps {
		if do, _ := step.Request["do"].(string); !p.has(do) {
			return Unsupported, do, nil
		}
	}
	known := names{}
	if start := s.start(c); start != nil {
		got, err := p.ask(start)
		if err != nil {
			return "", "", err
		}
		if status, detail := p.compare(nil, got); status != Passed {
			return status, fmt.Sprintf("%s: %s", start["do"], detail), nil
		}
	}
	result := Passed
	for _, step := range c.Steps {
		status, detail, err := s.runStep(p, c, step, known)
		switch {
		case err != nil || status == Failed || status == Unsupported:
			if status == Failed {
				detail = question(step.Request) + ": " + detail
			}
			return status, detail, err
		case status == Partial:
			result = Partial
		}
	}
	return result, "", nil
}

// question is a request in a few words: the selector, if it is only about one.
func question(request map[string]any) string {
	if selector, ok := request["selector"].(string); ok && request["do"] != "diff" {
		return selector
	}
	return text(request)
}

// start is the request that makes the tree of a case, or nil.
func (s *Suite) start(c *Case) map[string]any {
	request := map[string]any{"do": "open"}
	switch {
	case c.History != "":
		request["history"] = s.Histories[c.History]
	case c.Live != nil:
		if err := decode(c.Live, &request); err != nil {
			return nil
		}
		request["do"] = "new"
	default:
		return nil
	}
	if c.Edition != "" {
		request["edition"] = c.Edition
	}
	return request
}

func (s *Suite) runStep(p *Peer, c *Case, step Step, known names) (Status, string, error) {
	request := known.inRequest(step.Request)
	if name, ok := step.Request["history"].(string); ok {
		request["history"] = s.Histories[name]
	}
	if c.Edition != "" {
		request["edition"] = c.Edition
	}
	got, err := p.ask(request)
	if err != nil {
		return "", "", err
	}
	if id, ok := got["id"].(string); ok {
		if name, _ := stepName(step); name != "" {
			known[name] = id
		}
	}
	status, detail := p.compare(step.Want, known.inAnswer(got))
	if status != Passed {
		return status, detail, nil
	}
	if broken, err := p.checkLaws(request, got); broken != "" || err != nil {
		return Failed, broken, err
	}
	return Passed, "", nil
}

// stepName is the name of the node that a step makes.
func stepName(step Step) (string, bool) {
	if step.As != "" {
		return step.As, true
	}
	node, _ := step.Request["node"].(map[string]any)
	id, ok := node["id"].(string)
	return id, ok
}

// checkLaws asks what must hold for every query: it is answered the same way again, and its
// canonical form, which is stable, is answered the same way, too, as is its compact form. It
// returns what does not hold.
func (p *Peer) checkLaws(request, got map[string]any) (string, error) {
	if request["do"] != "select" || got["error"] != nil {
		return "", nil
	}
	again, err := p.ask(request)
	if err != nil || !reflect.DeepEqual(again, got) {
		return "the second answer is " + text(again), err
	}
	if !p.has("canonical") {
		return "", nil
	}
	for _, form := range []string{"canonical", "compact"} {
		if broken, err := p.checkForm(form, request, got); broken != "" || err != nil {
			return broken, err
		}
	}
	return "", nil
}

// checkForm is checkLaws for the canonical or the compact form.
func (p *Peer) checkForm(name string, request, got map[string]any) (string, error) {
	ask := map[string]any{"do": "canonical", "edition": request["edition"]}
	if name != "canonical" {
		ask["form"] = name
	}
	form := request["selector"]
	for range 2 {
		ask["selector"] = form
		answer, err := p.ask(ask)
		if err != nil || answer["unsupported"] != nil {
			return "", err
		}
		if answer["text"] == nil {
			return fmt.Sprintf("the %s form of %s is %s", name, form, text(answer)), nil
		}
		if form == answer["text"] {
			break
		}
		if form != request["selector"] {
			return fmt.Sprintf("the %s form of %s is %s", name, form, answer["text"]), nil
		}
		form = answer["text"]
	}
	other := maps.Clone(request)
	other["selector"] = form
	answer, err := p.ask(other)
	if err != nil {
		return "", err
	}
	for _, member := range []string{"ids", "latest"} {
		if !reflect.DeepEqual(answer[member], got[member]) {
			return fmt.Sprintf("its %s form %s gives %s", name, form, text(answer)), nil
		}
	}
	return "", nil
}
