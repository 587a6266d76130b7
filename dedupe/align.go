package dedupe

import (
	"strings"
	"unicode/utf8"

	"sheaf/dedupe/text"
)

// titleWord is a word of a headline as the slot guard sees it.
type titleWord struct {
	key     string
	stem    string // what headlines are aligned by
	raw     string
	capital bool
	opening bool // first of the headline
}

func titleWords(l *text.Language, title string) []titleWord {
	var words []titleWord
	for _, w := range text.Words(title) {
		for part := range strings.SplitSeq(w.Text, "-") {
			k := text.Key(part)
			words = append(words, titleWord{k, l.Stem(k), part, text.IsUpper(part), len(words) == 0})
		}
	}
	return words
}

// gap is a place where two headlines say different things; either side may be empty.
type gap struct{ a, b []titleWord }

// align finds the longest common subsequence of two headlines. It returns how many words they share and the gaps between those.
func align(a, b []titleWord) (shared int, gaps []gap) {
	longest := lcs(a, b)
	i, j := 0, 0
	var open gap
	flush := func() {
		if len(open.a)+len(open.b) > 0 {
			gaps = append(gaps, open)
		}
		open = gap{}
	}
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i].stem == b[j].stem:
			flush()
			shared, i, j = shared+1, i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			open.a = append(open.a, a[i])
			i++
		default:
			open.b = append(open.b, b[j])
			j++
		}
	}
	flush()
	return shared, gaps
}

// lcs holds the length of the longest common subsequence of every pair of suffixes.
func lcs(a, b []titleWord) [][]int {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].stem == b[j].stem {
				longest[i][j] = longest[i+1][j+1] + 1
				continue
			}
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
		}
	}
	return longest
}

// position is the index of the first word with a key, or -1.
func position(words []titleWord, key string) int {
	for i, w := range words {
		if w.key == key {
			return i
		}
	}
	return -1
}

// isNumber reports a word of digits, with full stops inside at most.
func isNumber(key string) bool {
	if key == "" {
		return false
	}
	for _, r := range key {
		if (r < '0' || r > '9') && r != '.' && r != ',' {
			return false
		}
	}
	return true
}

// isOrdinal reports "third", "12th", "2nd" and their like.
func isOrdinal(key string) bool {
	if ordinals[key] {
		return true
	}
	digits := strings.TrimRight(key, "abcdefghijklmnopqrstuvwxyzºª")
	ending := key[len(digits):]
	return digits != "" && isNumber(digits) && ordinalEndings[ending]
}

var (
	ordinals = phrases(`first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|erste|ersten|erster|zweite|zweiten|zweiter|
		dritte|dritten|vierte|vierten|funfte|funften|premier|premiere|deuxieme|second|seconde|troisieme|quatrieme|cinquieme|primer|primera|primero|segunda|
		segundo|tercer|tercera|tercero|cuarta|cuarto|quinta|quinto|primeira|primeiro|terceira|terceiro|prima|primo|terzo|terza`)
	ordinalEndings = phrases(`st|nd|rd|th|e|er|ere|eme|º|ª|a|o`)

	// counters are nouns that a number names one of, rather than counts.
	counters = phrases(`round|package|phase|episode|part|edition|day|quarter|version|flight|match|stage|leg|season|chapter|volume|game|race|test|heat|
		runde|paket|folge|teil|ausgabe|etappe|spieltag|tag|staffel|etape|journee|tour|saison|manche|etapa|jornada|ronda|fase|partido|capitulo|vuelta|
		giornata|tappa|puntata|rodada|etap`)

	// opposites are pairs of words that turn a headline into another one.
	opposites = pairsOf(`import export|imports exports|importe exporte|importations exportations|importaciones exportaciones|rise fall|rises falls|rose fell|
		up down|higher lower|gain loss|gains losses|win lose|wins loses|won lost|open close|opens closes|opened closed|arrest release|arrests releases|
		arrested released|arrested freed|approve reject|approves rejects|approved rejected|north south|northern southern|east west|eastern western|
		buy sell|buys sells|bought sold|convict acquit|convicts acquits|convicted acquitted|guilty cleared|increase decrease|increases decreases|
		raise cut|raises cuts|raised cut|hire fire|start end|starts ends|hinspiel ruckspiel|steigt sinkt|steigen sinken|verurteilt freigesprochen|
		einfuhr ausfuhr|einfuhren ausfuhren|hausse baisse|monte baisse|sube baja|suben bajan|aumenta disminuye|compra vende|abre cierra|
		aprueba rechaza|sur norte|este oeste|boys girls|men women|mens womens`)
)

// pairsOf reads pairs of words, divided by bars, into a map that holds both directions.
func pairsOf(list string) map[string]string {
	pairs := make(map[string]string)
	for p := range strings.SplitSeq(list, "|") {
		x, y, _ := strings.Cut(strings.TrimSpace(p), " ")
		pairs[x], pairs[y] = y, x
	}
	return pairs
}

// wideOpposites are opposites in scripts without spaces, found anywhere in a headline.
var wideOpposites = [][2]string{{"増", "減"}, {"好調", "不振"}, {"上昇", "下落"}, {"輸出", "輸入"}, {"黒字", "赤字"}, {"勝", "敗"}, {"涨", "跌"}, {"出口", "进口"}, {"增", "减"}}

// opposed reports headlines one of which holds one of a pair, the other only the other.
func opposed(a, b string) bool {
	for _, p := range wideOpposites {
		ax, ay, bx, by := strings.Contains(a, p[0]), strings.Contains(a, p[1]), strings.Contains(b, p[0]), strings.Contains(b, p[1])
		if ax && !ay && by && !bx || ay && !ax && bx && !by {
			return true
		}
	}
	return false
}

// sharedPairs is the share of the shorter headline's pairs of characters that the other has, in 0–1.
func sharedPairs(a, b string) float64 {
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	runes := []rune(a)
	if len(runes) < 2 {
		return 0
	}
	shared := 0
	for i := 0; i+1 < len(runes); i++ {
		if strings.Contains(b, string(runes[i:i+2])) {
			shared++
		}
	}
	return float64(shared) / float64(len(runes)-1)
}
