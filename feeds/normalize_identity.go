package feeds

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"sheaf"
	"sheaf/feeds/canonical"
)

// Learned is what the documents of a feed have taught about it. It is stored with the state of the feed: without it, keys would change
// when the twin of an article leaves the document.
type Learned struct {
	Shared    []string `json:"shared,omitempty"`     // keys found on different articles, never to be trusted again
	DateOrder int8     `json:"date_order,omitempty"` // 1 day first, -1 month first, 0 unknown
	Lines     []Line   `json:"lines,omitempty"`      // boilerplate, in the order in which it was learned
	Pages     []Sheet  `json:"pages,omitempty"`      // article pages read last, oldest first
}

// maxShared bounds what is remembered; the oldest goes first.
const maxShared = 256

// identity is what tells one item from others.
type identity struct {
	guid string // with its "g:", empty if there is none
	link string // with its "l:", empty if there is none
	path string // guid without its host, with its "g:"; empty if it is no address
	home bool   // link leads to the site itself, as the next article's may
}

// identify gives articles their keys, aliases and ids.
func (r *reader) identify(readings []Reading) {
	items, site, n := r.doc.Items, r.rules.Key(r.doc.Feed.Link), &r.n
	ids := make([]identity, len(items))
	for i := range items {
		ids[i] = r.identityOf(&items[i], &readings[i].Article)
		ids[i].home = canonical.IsHome(readings[i].Article.URL) || ids[i].link == "l:"+site
	}
	shared := sharedKeys(ids, readings)
	if n.Learned != nil {
		for _, k := range n.Learned.Shared {
			shared[k] = true
		}
		n.Learned.remember(shared)
	}
	hosts := oneHost(items)
	for i := range readings {
		a := &readings[i].Article
		id := ids[i]
		own := id.link != "" && !id.home && !shared[id.link]
		trusted := make([]string, 0, 3)
		if id.guid != "" && !shared[id.guid] {
			trusted = append(trusted, id.guid)
		}
		if own {
			trusted = append(trusted, id.link)
			a.URLKey = strings.TrimPrefix(id.link, "l:")
		}
		if len(trusted) == 0 {
			trusted = append(trusted, "h:"+hashKey(a.Title, strings.TrimPrefix(id.link, "l:")))
		}
		if hosts && id.path != "" && !shared[id.guid] {
			trusted = append(trusted, id.path)
		}
		a.Key, a.Aliases = trusted[0], slices.Clip(trusted[1:])
		a.ID = sheaf.NewArticleID(n.Feed.ID, a.Key)
	}
}

func (r *reader) identityOf(it *Item, a *sheaf.Article) identity {
	var id identity
	if g := strings.TrimSpace(it.GUID); isID(g) {
		id.guid = "g:" + g
		if canonical.IsWeb(g) {
			key := r.rules.Key(g)
			id.guid = "g:" + key
			if slash := strings.IndexByte(key, '/'); slash > 0 && slash < len(key)-1 {
				id.path = "g:" + key[slash:]
			}
		}
	}
	if key := r.rules.Key(a.URL); key != "" {
		id.link = "l:" + key
	}
	return id
}

// isID tells ids from what stands where there is none.
func isID(g string) bool {
	switch strings.ToLower(g) {
	case "", "n/a", "null", "undefined", "none", "0", "-":
		return false
	}
	return true
}

// sharedKeys are the keys that different articles of the document carry.
func sharedKeys(ids []identity, readings []Reading) map[string]bool {
	owner := make(map[string]int, 2*len(ids))
	shared := make(map[string]bool)
	for i, id := range ids {
		for _, k := range [...]string{id.guid, id.link} {
			if k == "" {
				continue
			}
			first, seen := owner[k]
			if !seen {
				owner[k] = i
				continue
			}
			if readings[first].Article.Title != readings[i].Article.Title || ids[first].link != id.link {
				shared[k] = true
			}
		}
	}
	return shared
}

// remember keeps the keys found shared.
func (l *Learned) remember(shared map[string]bool) {
	var fresh []string
	for k := range shared {
		if !slices.Contains(l.Shared, k) {
			fresh = append(fresh, k)
		}
	}
	slices.Sort(fresh)
	l.Shared = append(l.Shared, fresh...)
	l.Shared = l.Shared[max(0, len(l.Shared)-maxShared):]
}

// oneHost tells whether all ids that are addresses are on one host, so that they can be compared without it.
func oneHost(items []Item) bool {
	host := ""
	for i := range items {
		h := canonical.Host(items[i].GUID)
		if h == "" {
			continue
		}
		if host != "" && h != host {
			return false
		}
		host = h
	}
	return true
}

// hashKey stands in where neither id nor link can be trusted.
func hashKey(title, link string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(title) + "\x00" + link))
	return hex.EncodeToString(sum[:12])
}
