package parser

// NotRead is a message that must never be reported.
const NotRead = notRead
