package feeds

import "fmt"

// Code names the reason a document could not be read as a feed. The words are part of the output of `sheaf parse --json`.
type Code string

// The codes of a ParseError.
const (
	CodeTooLarge    Code = "too_large"     // over a size cap
	CodeEmpty       Code = "empty"         // nothing came
	CodeHTML        Code = "html"          // a web page; Alternates may name feeds
	CodeJSONNotFeed Code = "json_not_feed" // the answer of some API
	CodeNotFeed     Code = "not_feed"      // another kind of document
	CodeLimits      Code = "limits"        // structure no honest feed has
	CodeSyntax      Code = "syntax"        // refused even after repair
	CodePanic       Code = "panic"         // a fault of ours, or of a library
)

// ParseError says why a document is no feed.
type ParseError struct {
	Code       Code
	Message    string      // one line for people, lower case
	Alternates []Alternate // with CodeHTML: the feeds the page points at, addresses absolute where a base was known
	Err        error       // cause; nil if there is none beyond Message
}

// Alternate is a feed that a web page announces.
type Alternate struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	Type  string `json:"type,omitempty"` // media type as announced
}

// Error gives the message, with the cause where there is one.
func (e *ParseError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Err)
	}
	return e.Message
}

// Unwrap gives the cause, or nil.
func (e *ParseError) Unwrap() error { return e.Err }
