package language

import "sort"

// script is a way of writing. Those without a code are written by several languages.
type script struct {
	code   string  // of the language that nearly all news in it is in
	weight float32 // of one letter: where a letter is a syllable or a word, it is worth several
}

// The scripts that need telling apart by words, and those that have no number of their own.
const (
	other = iota // of no use here
	latin
	cyrillic
	arabic
	devanagari
	han
	kana
	alone // the first of the scripts of one language
)

// span is a range of characters of one script.
type span struct {
	from, to rune
	script   int
}

// ownScripts are the scripts that are taken for one language each, by their blocks in Unicode.
var ownScripts = []struct {
	from, to rune
	script
}{
	{0x0370, 0x03FF, script{"el", 1}}, {0x0530, 0x058F, script{"hy", 1}}, {0x0590, 0x05FF, script{"he", 1}}, {0x0780, 0x07BF, script{"dv", 1}},
	{0x0980, 0x09FF, script{"bn", 1}}, {0x0A00, 0x0A7F, script{"pa", 1}}, {0x0A80, 0x0AFF, script{"gu", 1}}, {0x0B00, 0x0B7F, script{"or", 1}},
	{0x0B80, 0x0BFF, script{"ta", 1}}, {0x0C00, 0x0C7F, script{"te", 1}}, {0x0C80, 0x0CFF, script{"kn", 1}}, {0x0D00, 0x0D7F, script{"ml", 1}},
	{0x0D80, 0x0DFF, script{"si", 1}}, {0x0E00, 0x0E7F, script{"th", 1}}, {0x0E80, 0x0EFF, script{"lo", 1}}, {0x0F00, 0x0FFF, script{"bo", 1}},
	{0x1000, 0x109F, script{"my", 1}}, {0x10A0, 0x10FF, script{"ka", 1}}, {0x1200, 0x139F, script{"am", 2}}, {0x1780, 0x17FF, script{"km", 1}},
	{0xAC00, 0xD7AF, script{"ko", 2}},
}

// sharedScripts are the spans of the scripts with numbers.
var sharedScripts = []span{
	{'A', 0x02AF, latin}, {0x1E00, 0x1EFF, latin}, {0x0400, 0x052F, cyrillic}, {0x0600, 0x06FF, arabic}, {0x0750, 0x077F, arabic}, {0x08A0, 0x08FF, arabic},
	{0xFB50, 0xFDFF, arabic}, {0xFE70, 0xFEFF, arabic}, {0x0900, 0x097F, devanagari}, {0x3040, 0x30FF, kana}, {0xFF66, 0xFF9D, kana},
	{0x3400, 0x9FFF, han}, {0xF900, 0xFAFF, han}, {0x20000, 0x3FFFF, han},
}

const maxScripts = 32

// scripts holds all of them by number, spans all ranges in ascending order.
var scripts, spans = func() ([maxScripts]script, []span) {
	var all [maxScripts]script
	all[latin], all[cyrillic], all[arabic], all[devanagari] = script{"", 1}, script{"", 1}, script{"", 1}, script{"", 1}
	all[han], all[kana] = script{"zh", 3}, script{"ja", 2}
	list := append([]span{}, sharedScripts...)
	for i, s := range ownScripts {
		all[alone+i] = s.script
		list = append(list, span{s.from, s.to, alone + i})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].from < list[j].from })
	return all, list
}()

// scriptOf is the script of a letter.
func scriptOf(r rune) int {
	if r < 0x02B0 {
		return latin
	}
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= r })
	if i == len(spans) || r < spans[i].from {
		return other
	}
	return spans[i].script
}

// scriptOfWord is the script of the first letter of a word.
func scriptOfWord(w string) int {
	for _, r := range w {
		return scriptOf(r)
	}
	return other
}
