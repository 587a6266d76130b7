package dedupe

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the tables
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"sheaf"
	"sheaf/dedupe/text"
)

var (
	//go:embed tables/en-tokens.tsv.gz
	englishTokens []byte
	//go:embed tables/en-names.tsv.gz
	englishNames []byte

	// english are the embedded tables, read once.
	english = sync.OnceValues(func() (*Tables, error) { return readTables(englishTokens, englishNames) })
)

// Tables are background document frequencies of one language: in how many of a collection's articles each token and each name occurs.
// The articles of the last weeks are counted on top of them. A Tables is read-only and may be shared.
type Tables struct {
	articles int
	tokens   map[uint64]uint32 // by hash of the term
	names    map[uint64]uint32
}

// EnglishTables are the tables embedded in the program: counts over 3,659 English articles.
func EnglishTables() (*Tables, error) { return english() }

// Without gives tables from which the given articles, each of which must have been counted in t, are taken out again. Training measures
// itself on articles whose words the tables must not know.
func (t *Tables) Without(articles []sheaf.Article) *Tables {
	w := &Tables{articles: t.articles - len(articles), tokens: maps.Clone(t.tokens), names: maps.Clone(t.names)}
	v := newVocabulary(text.For("en"))
	for i := range articles {
		b := v.takeApart(&articles[i])
		for _, term := range b.tokens {
			takeOut(w.tokens, term.hash)
		}
		for _, term := range b.names {
			takeOut(w.names, term.hash)
		}
	}
	return w
}

func takeOut(df map[uint64]uint32, hash uint64) {
	if df[hash] <= 1 {
		delete(df, hash)
		return
	}
	df[hash]--
}

func readTables(tokens, names []byte) (*Tables, error) {
	t := &Tables{}
	var err error
	if t.articles, t.tokens, err = readTable(tokens); err != nil {
		return nil, fmt.Errorf("read token frequencies: %w", err)
	}
	if _, t.names, err = readTable(names); err != nil {
		return nil, fmt.Errorf("read name frequencies: %w", err)
	}
	return t, nil
}

// readTable reads a gzipped table: first line N, a tab and the number of articles, then a term, a tab and its frequency a line.
func readTable(gz []byte) (int, map[uint64]uint32, error) {
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return 0, nil, err
	}
	df := make(map[uint64]uint32, 40_000)
	articles := -1
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		term, count, _ := strings.Cut(lines.Text(), "\t")
		n, err := strconv.Atoi(count)
		if err != nil {
			return 0, nil, fmt.Errorf("frequency of %q: %w", term, err)
		}
		if articles < 0 {
			articles = n
			continue
		}
		df[hashTerm(term)] = uint32(n)
	}
	return articles, df, lines.Err()
}

// hashTerm is FNV-1a, finished so that all bits depend on all bytes. Hashes stand for terms in records: the function must never change.
func hashTerm(term string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
