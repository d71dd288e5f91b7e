// Package setup has the verbs that set up: servers, configuration, completion and the version.
package setup
