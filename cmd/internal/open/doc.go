// Package open opens what flags and arguments name: histories, sessions, selectors, instants.
package open
