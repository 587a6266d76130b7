// Package text turns running text into the terms that grouping compares: words, stemmed tokens, names and sentences.
//
// Everything here is a pure function of its arguments. The English rules are exact, because the weights of the scorer were fitted to them:
// a change of a rule asks for new tables of document frequencies and a new model. Other languages have lists of common words where one
// is known ([For]) and none of the stemming; scripts without spaces are cut into overlapping pairs of characters.
package text
