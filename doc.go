// Package sheaf holds the nouns that cross between the rooms of the program: [Outlet], [Feed], [Article], [Story] and their ids.
//
// sheaf polls the feeds of news outlets, groups the articles on one event into a story, and republishes the stories as one clustered
// feed in which every outlet is credited. Data flows one way:
//
//	feeds (poll, fetch, parse, normalize) → dedupe (group) → output (render, publish, serve)
//
// The three rooms never import one another; they share only the values defined here. This package has no interface, does no I/O, knows
// no clock, and imports the standard library alone.
package sheaf
