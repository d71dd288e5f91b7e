// Package look has the verbs that look at contexts. Each file is a verb, or a part of one.
package look
