package output

import (
	"fmt"
	"reflect"
)

// Cache keeps rendered items between calls of [Channel.Render], so that only items that changed are rendered again. The zero value is
// ready. It serves one channel and may not be used by two calls at once.
type Cache struct {
	site  Site
	items map[string]*rendered
}

// rendered is one item in every format, in the order of formats, with the facts it was made from.
type rendered struct {
	emission  Emission
	fragments []fragment
	err       error
}

// fragments renders the emissions, or finds them as they were rendered before, and forgets all others.
func (c *Cache) fragments(site Site, shown []*Emission) []*rendered {
	if site != c.site {
		c.site, c.items = site, nil
	}
	kept := make(map[string]*rendered, len(shown))
	list := make([]*rendered, 0, len(shown))
	for _, e := range shown {
		r := c.items[e.ID]
		if r == nil || r.err != nil || !reflect.DeepEqual(r.emission, *e) {
			r = renderItem(site, e)
		}
		kept[e.ID] = r
		list = append(list, r)
	}
	c.items = kept
	return list
}

func renderItem(site Site, e *Emission) *rendered {
	r := &rendered{emission: *e}
	v := newView(site, e)
	for _, f := range formats() {
		item, err := f.item(v)
		if err != nil {
			r.err = fmt.Errorf("item %s: %w", e.ID, err)
			return r
		}
		r.fragments = append(r.fragments, item)
	}
	return r
}
