package thread

// calls has queues of the calls that have no result yet.
type calls[T any] map[callKey][]*openCall[T]

// callKey identifies a queue of calls: those with an id, or else with a name. The zero id and name
// are the queue of all calls.
type callKey struct {
	id, name string
	noID     bool // only calls without an id in the log
}

type openCall[T any] struct {
	call     T
	answered bool
}

// add adds a call that waits for its result. Its id or name may be empty.
func (c calls[T]) add(call T, id, name string, noID bool) {
	e := &openCall[T]{call: call}
	if id != "" {
		c.append(callKey{id: id}, e)
	}
	c.append(callKey{noID: noID}, e)
	if name != "" {
		c.append(callKey{name: name, noID: noID}, e)
	}
}

func (c calls[T]) append(key callKey, e *openCall[T]) { c[key] = append(c.waiting(key), e) }

// waiting returns the queue of a key without the answered calls at its front.
func (c calls[T]) waiting(key callKey) []*openCall[T] {
	list := c[key]
	for len(list) > 0 && list[0].answered {
		list = list[1:]
	}
	return list
}

// answer removes and returns the oldest open call of the first key that has one.
func (c calls[T]) answer(keys ...callKey) (call T, ok bool) {
	for _, key := range keys {
		if list := c.waiting(key); len(list) > 0 {
			e := list[0]
			c[key] = list[1:]
			call, e.call, e.answered = e.call, call, true // do not retain it
			return call, true
		}
	}
	return call, false
}

// next removes and returns the call for a result without an id: the oldest with its name, otherwise
// the oldest of all. In both cases calls without an id come first.
func (c calls[T]) next(name string) (call T, ok bool) {
	return c.answer(callKey{name: name, noID: true}, callKey{name: name}, callKey{noID: true}, callKey{})
}
