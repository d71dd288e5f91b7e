package thread

// calls are the calls that have no result yet.
type calls[T any] map[callKey][]*openCall[T]

// callKey identifies a queue of calls: by id, else by name. The name "" is the queue of all calls.
type callKey struct {
	id, name string
	noID     bool // among the calls without an id
}

type openCall[T any] struct {
	call     T
	answered bool
}

// add records a call that waits for its result.
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

// answer removes and returns the oldest open call of the first key with an open call.
func (c calls[T]) answer(keys ...callKey) (call T, ok bool) {
	for _, key := range keys {
		if list := c.waiting(key); len(list) > 0 {
			e := list[0]
			c[key] = list[1:]
			call, e.call, e.answered = e.call, call, true // what is answered is kept no longer
			return call, true
		}
	}
	return call, false
}

// next removes and returns the call of a result without an id: the oldest of its name, else the
// oldest of all. Calls without an id come first in both cases.
func (c calls[T]) next(name string) (call T, ok bool) {
	return c.answer(callKey{name: name, noID: true}, callKey{name: name}, callKey{noID: true}, callKey{})
}
