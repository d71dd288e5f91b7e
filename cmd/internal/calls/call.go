package calls

import (
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// Call is one model call, or with [Options].States a state between calls, which has an Event and no
// Source, Tokens or Cache. Its JSON is described by docs/schemas/log.json and has a member for each
// field. Lists of nodes contain only blocks, in document order: removed nodes in that of the
// previous line, all others in that of this one. The previous line of a call is the call before it,
// or with [Options].States the call or state.
type Call struct {
	History string  `json:"history"`
	Cycle   int64   `json:"cycle"` // of its snapshot: @cN
	Side    *Side   `json:"side"`  // nil for a call of the conversation
	Time    string  `json:"time"`  // RFC 3339; "" if unknown
	Model   string  `json:"model"` // "" if unknown
	Source  *Source `json:"source"`
	// Starts are the conversations that the answer started, such as those of agents.
	Starts   []Start    `json:"starts,omitempty"`
	By       *StartedBy `json:"by,omitempty"`     // for the first call of a conversation: what started it
	Window   *Window    `json:"window,omitempty"` // of the model; of a state, that of the latest call
	Messages int        `json:"messages"`
	Recorded bool       `json:"recorded,omitempty"` // the log has the request as it was sent; otherwise it is inferred
	Missing  []string   `json:"missing,omitempty"`  // what of the request the log does not record
	Failed   string     `json:"failed,omitempty"`   // why there is no answer
	// FromCache says that a cache of the client or a proxy answered, not the provider.
	FromCache bool        `json:"from_cache,omitempty"`
	Tokens    Tokens      `json:"tokens"`
	Added     []string    `json:"added"`
	Left      []Departure `json:"left"`
	// Unsent are answers to the previous call that this call does not contain. No call of the
	// conversation was sent them.
	Unsent   []Departure `json:"unsent,omitempty"`
	Changed  []Change    `json:"changed"`
	Settings []string    `json:"settings,omitempty"` // names of settings with another value, such as tools
	Cache    Cache       `json:"cache"`
	// Events are what the source states to have happened since the previous call.
	Events   []Happened       `json:"events,omitempty"`
	Event    *State           `json:"-"` // nil for a call
	Snapshot *engine.Snapshot `json:"-"` // what was sent, or would have been
}

// State says what happened before a state, see [engine.Event].
type State struct {
	Kind    string `json:"kind"`
	Trigger string `json:"trigger,omitempty"`
	Before  int64  `json:"before,omitempty"`
	After   int64  `json:"after,omitempty"`
	// Full is how many tokens of the window were in use before: Before, else those of the latest
	// call and its answer. 0 if unknown.
	Full int64 `json:"full,omitempty"`
}

// Happened refers to the state after an event.
type Happened struct {
	Cycle int64  `json:"cycle"`
	Kind  string `json:"kind"`
	Cause string `json:"cause,omitempty"` // of what left or changed
}

// Side says to which call a side call belongs.
type Side struct {
	Of   int64  `json:"of"`   // the cycle of the call whose context it was sent
	Kind string `json:"kind"` // such as summary; "" if unknown
}

// Source is where a call is recorded; nil for a history that records none.
type Source struct {
	File   string `json:"file"`
	Sample string `json:"sample"` // in a file with several, otherwise ""
	Call   int    `json:"call"`   // counts the model calls of the sample, or of the file, from 0
	Line   int    `json:"line,omitempty"`
}

// Start says that the answer to a call started another conversation.
type Start struct {
	History string `json:"history"`        // the name of the conversation
	Call    string `json:"call,omitempty"` // the id of the tool call
}

// StartedBy is the call whose answer started a conversation.
type StartedBy struct {
	History string `json:"history"` // the name of the conversation of the call
	Cycle   int64  `json:"cycle"`
	Call    string `json:"call,omitempty"` // the id of the tool call
}

// Departure is a node that left.
type Departure struct {
	ID       string `json:"id"`
	Cause    string `json:"cause"` // see [engine.Cause]; "unknown" if no reason is known
	By       string `json:"by"`    // the node that stands for it; "" if there is none
	Inferred bool   `json:"inferred,omitempty"`
	ByPolicy
}

// Change is a node whose content differs from the previous call, or which a policy shows otherwise.
type Change struct {
	ID       string `json:"id"`
	Cause    string `json:"cause"`
	By       string `json:"by,omitempty"` // the stand-in whose content is shown (decision E81)
	Inferred bool   `json:"inferred,omitempty"`
	ByPolicy
}

// ByPolicy is the record of a policy in a cause (decision E85). It is zero for other causes.
type ByPolicy struct {
	Rule    string `json:"rule,omitempty"`    // the step or limit
	Trigger string `json:"trigger,omitempty"` // why the policy ran
	Saved   int64  `json:"saved,omitempty"`   // tokens
}

// policyOf returns the record of a policy in a cause.
func policyOf(why engine.Cause) ByPolicy { return ByPolicy{why.Rule, why.Trigger, why.Saved} }

// ChangeOf returns the change that a cause describes.
func ChangeOf(why engine.Cause) Change {
	return Change{why.ID, why.Cause, why.By, why.Inferred, policyOf(why)}
}

// Departure returns the change as a departure of the content.
func (c Change) Departure() Departure { return Departure(c) }

// Label says how good a count is: its grade.
type Label string

// The grades, from the best to the worst (decision C6).
const (
	Exact     Label = "exact"     // the log states it
	AtLeast   Label = "at-least"  // the log states a count of a part, and has more than that
	Counted   Label = "counted"   // with our vocabularies, of all that the log has
	Estimated Label = "estimated" // from an exact count of another call, and what was counted since
	Unknown   Label = "unknown"
)

// Grades returns the grades, from the best to the worst.
func Grades() []Label { return []Label{Exact, AtLeast, Counted, Estimated, Unknown} }

// Worse returns the worse of two grades. The empty one is better than all.
func Worse(a, b Label) Label {
	if slices.Index(Grades(), a) > slices.Index(Grades(), b) {
		return a
	}
	return b
}

// Tokens are the tokens of a call: as the provider counted them if the log records that. What is
// unknown is nil.
type Tokens struct {
	In      int64  `json:"in"` // everything that was sent, cached or not; 0 if unknown
	Out     *int64 `json:"out"`
	Cached  *int64 `json:"cached"`  // of In, read from the cache
	Written *int64 `json:"written"` // of In, written to the cache
	// Written1h are those of Written that the provider keeps for an hour, and Thoughts those of Out
	// that the model thought; nil if the log does not count them.
	Written1h *int64 `json:"written_1h,omitempty"`
	Thoughts  *int64 `json:"thoughts,omitempty"`
	Label     Label  `json:"label"`     // of In, and of Cached and Written
	OutLabel  Label  `json:"out_label"` // of Out
	// Rest is what the provider counted in addition to the texts in the log: of what is Missing, or
	// of media, or unexplained. It was measured in a call of the same model in which little text
	// was counted. It is 0 if nothing was added, or if that is unknown.
	Rest int64 `json:"rest,omitempty"`
	// Fewer is how many tokens fewer than expected the provider counted, though the log does not
	// say what was left out.
	Fewer      int64   `json:"fewer,omitempty"`
	Iterations []int64 `json:"iterations,omitempty"` // the inputs of the requests that the provider made for this call, if several
	Session    int64   `json:"session,omitempty"`    // the input of all calls up to this one, as the log itself sums it
	Media      int     `json:"media,omitempty"`      // images, sounds and files since the last exact count, which In leaves out
	Counted    *Count  `json:"counted,omitempty"`    // nil if the texts of the call were not counted
	Shares     []Share `json:"shares,omitempty"`     // if requested, the largest first
}

// Count is the number of tokens of the texts of a call in a vocabulary: of the nodes and the tools,
// without what a provider puts around them. Exact means that the vocabulary is that of the model,
// and that nothing is left out.
type Count struct {
	In       int64  `json:"in"`
	Label    Label  `json:"label"` // exact or estimated
	Encoding string `json:"encoding"`
	Media    int    `json:"media,omitempty"` // images, sounds and files in base64, which are left out
}

// Cache compares a call with the previous call, in the order in which providers read a request:
// tools, system prompt, messages. Numbers are tokens; except for Read and an exact Before they are
// estimates. Same, Resent and Cost are 0 unless they were requested.
type Cache struct {
	Before int64 `json:"before"` // Tokens.In of the previous call; 0 for the first call
	Same   int64 `json:"same"`   // how much of that is a prefix of this call
	// Broken is what ended that prefix. It is nil if this call begins with the whole previous one,
	// or with all of it up to its last cache marker.
	Broken *Break `json:"broken"`
	Read   *int64 `json:"read"` // from the cache, as the log says; nil if it does not
	Miss   *Miss  `json:"miss,omitempty"`
	Cost   *Cost  `json:"cost,omitempty"`
	NoCost string `json:"no_cost,omitempty"` // why the cost is not known: unknown model, or unknown tokens
}

// Break is what ended the common prefix of two calls.
type Break struct {
	By      string `json:"by"`                // node, system, tools or parameters
	Node    string `json:"node,omitempty"`    // of node and system
	Setting string `json:"setting,omitempty"` // of tools and parameters: the member of the request
	// Event is what happened: why the node left or changed, as [Departure] says it; inserted,
	// moved, redacted or replaced by an overlay; for a setting added, removed or changed.
	Event  string `json:"event"`
	Resent int64  `json:"resent"` // tokens after the break that were also in the previous call
}

// AppendJSON appends the call or state as compact JSON. Equal ones give equal bytes.
func (c *Call) AppendJSON(dst []byte) []byte {
	if c.Event == nil {
		return append(dst, canonjson.EncodeLine(c)...)
	}
	return append(dst, canonjson.EncodeLine(struct {
		History  string      `json:"history"`
		Cycle    int64       `json:"cycle"`
		Event    *State      `json:"event"`
		Window   *Window     `json:"window,omitempty"`
		Messages int         `json:"messages"`
		Added    []string    `json:"added"`
		Left     []Departure `json:"left"`
		Changed  []Change    `json:"changed"`
	}{c.History, c.Cycle, c.Event, c.Window, c.Messages, c.Added, c.Left, c.Changed})...)
}
