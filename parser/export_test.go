package parser

// NotRead is the message that no source may get.
const NotRead = notRead
