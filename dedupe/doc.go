// Package dedupe groups articles into stories: every article on one event, whoever wrote it, becomes one [sheaf.Story].
//
// It is pure. There is no I/O, no clock, no goroutine and no chance in it: the same articles with the same [Options] give the same stories,
// byte for byte, whatever the order of arrival inside a batch. That is what makes replay, backtest and explanation possible.
//
// An article goes through these steps, one file each:
//
//	takeApart    its words, names and shingles             terms.go, package text
//	fingerprint  what is kept instead of the text          fingerprint.go
//	retrieve     stories that share terms with it          index.go
//	compare      the article with each of their members    compare.go
//	candidates   features and probability of each story    score.go, model.go
//	object       guards that speak against a match         guard.go, align.go
//	place        join, start a story, or stand apart       assign.go, copies.go, role.go
//	polish       look at recent decisions again            polish.go, merge.go
//	expire       forget what is too old to matter          expire.go
//
// Words of the trade: a story's sum is the sum of its members' vectors; the background of an article is how close the stories are that
// it surely does not belong to; a lexicon numbers terms; df is document frequency, idf the logarithm of its inverse.
package dedupe
