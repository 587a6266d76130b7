// Package front is what stands between the network and the handlers of a server that runs for years: how many connections there may be,
// how often one client may ask, who a client behind a proxy is, and what only those with a token may have. It knows nothing of what is
// served.
package front
