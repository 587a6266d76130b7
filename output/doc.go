// Package output turns stories into the documents people subscribe to: one item a story, in RSS 2.0, Atom and JSON Feed.
//
// The words of this package:
//
//   - channel: a feed we publish, with its rules for what belongs in it ([Channel])
//   - emission: what a channel remembers of one item it has published ([Emission]); the list of them is the channel's memory
//   - rise: a change worth telling subscribers; an item's content changes only with one
//   - window: the part of the memory that is in the documents, measured from the newest activity
//   - tombstone: the note that an item went into another
//   - gate: the check that a document can be read back before it replaces the last good one
//
// Three steps, of which only the last touches anything outside: [Channel.Advance] makes the new memory of a channel from the old one and
// the stories of now; [Channel.Render] makes the documents from the memory; [Publish] puts them into place. No document holds a time of
// the run: the same memory gives the same bytes, today and in ten years.
//
// gorilla/feeds' types, and gofeed's where documents are checked, stay inside this package.
package output
