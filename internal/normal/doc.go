// Package normal has the normal form of what providers are sent: two parts of messages are equal to
// a provider if their normal forms are (decision C2). Directions to the API, which the model does
// not see, are left out of it, a list of one text is that text, and numbers are compared by value.
//
// Identity, alignment, prefixes and caches compare normal forms. What is stored and rendered is
// what was written.
package normal
