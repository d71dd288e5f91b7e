// Package histories has the verbs that keep histories. Each file is a verb, or a part of one.
package histories
