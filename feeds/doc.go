// Package feeds polls the feeds of news outlets and makes articles of what they hold.
//
// A [Poller] is given all feeds with their [State] and polls those that are due:
//
//	Due → queue (whose turn is it at which host?) → fetch (one conditional GET) → [Parse] → [Normalize] → [Outcome] → Store
//
// For feeds that carry little, the pages of new articles are fetched between Normalize and Outcome, and package extract finds the text in
// them. That is the only way a poll makes more than one request.
//
// Words used throughout:
//
//   - A poll is a look at one feed; a fetch is the HTTP GET it may take; a round is one call of [Poller.Poll].
//   - Validators are the ETag and Last-Modified a server gave, sent back byte for byte so that it can answer 304.
//   - A floor is a time before which a server has said that nothing will be new; a cool-down is one before which it wants to be left alone,
//     and holds for its whole host.
//   - A lease is the next poll stored before a request leaves, so that a crash cannot make us ask twice.
//   - A local feed is a file or on this machine; it needs no manners.
//
// Scheduling is arithmetic on a State: [IsDue], [Freshness], [ParseRetryAfter], [SolveK] and [Health] are pure, and so is everything
// between them. The only goroutines are the workers and the writer of a round. Every request goes through a [Client], which refuses to
// connect to addresses that are not public unless the operator has named them.
package feeds
