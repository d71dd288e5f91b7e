// Package record writes down what a program sends to the providers of models, and what comes back.
// A [Proxy] on loopback passes the traffic on, byte for byte, and gives a copy to a [Log].
//
// # The folder of a recording
//
// A recording is a folder with the permissions 0700. Its files have 0600:
//
//	calls.jsonl   the log: a JSON object on each line
//	streams.zst   the answers that came as streams, as they came: a Zstandard frame for each
//	native/       what the program itself recorded (mode native)
//	otlp.jsonl    what came over OTLP, a JSON object of OTLP on each line
//
// calls.jsonl is locked (flock) while it is written. All recordings of a user are in the folder
// that [Root] returns, or wherever the user wants them.
//
// # The log
//
// The first line is a [Header]: format, version, and what was run where and when. A call has two
// lines, one when it was sent and one when its answer has ended. Lines of different calls mix; a
// call that was not answered before the end has no second line. The last line is the [End]; it is
// missing if the recorder was killed.
//
//	{"format":"pactkit-recording","version":1,"program":"pactkit 1.4.0","mode":"proxy",
//	 "command":["claude","-p","hi"],"folder":"/home/ada/shop","branch":"main","start":"2026-11-28T…"}
//	{"call":0,"time":"2026-11-28T13:45:12.123Z","method":"POST",
//	 "url":"https://api.anthropic.com/v1/messages?beta=true","api":"anthropic",
//	 "headers":{"anthropic-version":"2023-06-01"},"request":{"model":"…","messages":[…]}}
//	{"answer":0,"ms":2034.5,"first_ms":412.1,"status":200,"headers":{"request-id":"req_1"},
//	 "end":"complete","stream":[0,5120],"response":{"type":"message",…}}
//	{"end":"2026-11-28T13:46:00Z","exit":0,"calls":1}
//
// "request" is the body. Its values are exactly those that were sent, in their order and notation,
// without white space between them. "response" is the answer in one piece; the pieces of a stream
// are put together, and "stream" has the offset and the size of its frame in streams.zst. "end" of
// an answer is one of the constants that begin with End. A body that is not JSON is described in
// "body" instead: its type, its size, and why it is not there.
//
// # What is stored once
//
// Most requests begin like an earlier one. A member of a request may therefore be given in "kept":
//
//	"kept":{"messages":[6,12],"tools":[0,31],"system":[0]}
//
// [N, COUNT] says that the list begins with the first COUNT elements of that list in call N, as it
// was sent; the elements in "request" follow them. [N, COUNT, FROM] begins with the element FROM
// instead. [N] says that the value is that of call N; "request" has null in its place. "drop"
// names, by member, calls to whose values no later line refers: a reader need not keep them. So the
// size of a log, and the memory of its writer and readers, follow what is new in each request.
// No line refers to a value of fewer than 512 bytes, or to one that is wholly that of another call.
//
// # Credentials
//
// Headers are left out, except for some that never have a credential. A credential in a URL, in
// the command, or in a member of a body other than the messages is replaced by <credential N>; the
// same credential has the same number everywhere in the recording, and "credentials" of a line
// counts them. The text of messages is kept as it is.
//
// If the header has "redacted", secrets in all texts are replaced by [redacted KIND N], as package
// redact does it, and streams.zst is empty. "redacted" of the last line counts them.
package record
