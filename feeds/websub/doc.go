// Package websub hears of news from hubs, as the subscriber of WebSub (W3C Recommendation, 23 January 2018).
//
//	feed's answer → Discover → Offer → Listener.Follow → Tend asks the hub → the hub verifies → it announces → Heard
//
// Words used throughout:
//
//   - A hub passes on what a publisher tells it; a topic is the address a feed gives itself there, not the one it is polled at.
//   - A callback is the address of ours that a hub calls. Its last part is 128 random bits, and changes with every renewal.
//   - A lease is what a hub has granted for one feed, until it ends: the callback in use, and perhaps one that is being asked for.
//   - An announcement is what a hub sends to a callback.
//
// An announcement is a hint and no more: its body is checked against its signature and thrown away, and the feed is polled soon. So all
// articles come from the outlet's own server by one path, a hub cannot put words into an outlet's mouth, and nothing is lost if the
// process ends between the two. Polling goes on, less often, while announcements come before what polling finds.
package websub
