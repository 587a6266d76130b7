package dedupe

import (
	"strings"
	"unicode/utf8"

	"sheaf/dedupe/text"
)

const (
	boilerplateWords = 4  // of the shortest sentence looked at
	boilerplateEdge  = 12 // sentences looked at, at each end of a text
)

// unrepeated is a text without the sentences that an earlier article has under a headline with which this one shares nothing, unless
// they speak of this headline: consent notices, pay walls, appeals for donations. It also returns the hashes of the sentences looked at.
func (s *stream) unrepeated(body, title string) (string, []uint32) {
	sentences := text.Sentences(body)
	var hashes []uint32
	var dropped []int
	var subject map[string]bool
	for i, sentence := range sentences {
		if i >= boilerplateEdge && i < len(sentences)-boilerplateEdge || !longSentence(sentence) {
			continue
		}
		h := uint32(hashTerm(strings.TrimSpace(sentence)) >> 32)
		hashes = append(hashes, h)
		if earlier := s.sentences[h]; earlier != nil && earlier.title != title {
			if subject == nil {
				subject = s.tokenSet(title)
			}
			if !s.speaksOf(earlier.title, subject) && !s.speaksOf(sentence, subject) {
				dropped = append(dropped, i)
			}
		}
	}
	if len(dropped) == 0 {
		return body, hashes
	}
	kept := without(sentences, dropped)
	if len(kept) < len(body)/5 {
		return "", hashes // scraps between the sentences of a notice
	}
	return kept, hashes
}

// without joins sentences, one a line, leaving some out, whose indexes ascend.
func without(sentences []string, left []int) string {
	var kept strings.Builder
	for i, sentence := range sentences {
		if len(left) > 0 && i == left[0] {
			left = left[1:]
			continue
		}
		kept.WriteString(sentence)
		kept.WriteByte('\n')
	}
	return kept.String()
}

// longSentence reports enough words to be recognized by, or as many characters where words are not divided by spaces.
func longSentence(s string) bool {
	return strings.Count(s, " ") >= boilerplateWords-1 || utf8.RuneCountInString(s) >= 4*boilerplateWords && strings.Count(s, " ") == 0
}

func (s *stream) tokenSet(title string) map[string]bool {
	set := make(map[string]bool)
	for _, token := range s.language.Tokens(text.Words(title)) {
		set[token] = true
	}
	return set
}

func (s *stream) speaksOf(sentence string, subject map[string]bool) bool {
	for _, token := range s.language.Tokens(text.Words(sentence)) {
		if subject[token] {
			return true
		}
	}
	return false
}

// noteSentences remembers the sentences of an article, the first one to have each.
func (s *stream) noteSentences(a *article) {
	for _, h := range a.sentences {
		if s.sentences[h] == nil {
			s.sentences[h] = a
		}
	}
}
