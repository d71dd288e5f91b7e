package thread

// calls are those that wait for their results.
type calls[T any] map[callKey][]*openCall[T]

// callKey finds calls: by id, else by name. The name "" finds all of them.
type callKey struct {
	id, name string
	noID     bool // among the calls without an id
}

type openCall[T any] struct {
	call     T
	answered bool
}

// add remembers a call until its result comes.
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

// waiting returns the calls of a key from the oldest that waits on.
func (c calls[T]) waiting(key callKey) []*openCall[T] {
	list := c[key]
	for len(list) > 0 && list[0].answered {
		list = list[1:]
	}
	return list
}

// answer takes the oldest call that waits, of the first key that has one.
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

// next takes the call of a result without an id: the oldest of its name, else
// the oldest of all, and in each case first among those without an id.
func (c calls[T]) next(name string) (call T, ok bool) {
	return c.answer(callKey{name: name, noID: true}, callKey{name: name}, callKey{noID: true}, callKey{})
}
