// Package eval measures groupings of labelled articles: it reads streams of them, groups each stream alone, and compares the stories with
// the labels by B-cubed, pairwise and information measures.
package eval
