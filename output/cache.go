package output

import "fmt"

// Cache keeps rendered items between calls of [Channel.Render], so that only items that changed are rendered again. The zero value is
// ready. It serves one channel and may not be used by two calls at once. Emissions handed to Render are kept: change none in place.
type Cache struct {
	site Site
	kept map[string]*rendered
}

// rendered is one item in every format, in the order of formats, with the facts it was made from.
type rendered struct {
	emission Emission
	forms    []fragment
}

// items renders the emissions, or finds them as they were rendered before, and forgets all others.
func (c *Cache) items(site Site, shown []*Emission) ([]*rendered, error) {
	if site != c.site {
		c.site, c.kept = site, nil
	}
	kept := make(map[string]*rendered, len(shown))
	list := make([]*rendered, 0, len(shown))
	for _, e := range shown {
		r := c.kept[e.ID]
		if r == nil || !r.emission.equal(e) {
			var err error
			if r, err = renderItem(site, e); err != nil {
				return nil, fmt.Errorf("item %s: %w", e.ID, err)
			}
		}
		kept[e.ID] = r
		list = append(list, r)
	}
	c.kept = kept
	return list, nil
}

func renderItem(site Site, e *Emission) (*rendered, error) {
	r := &rendered{emission: *e}
	v := newView(site, e)
	for _, f := range formats() {
		item, err := f.item(v)
		if err != nil {
			return nil, err
		}
		r.forms = append(r.forms, item)
	}
	return r, nil
}
